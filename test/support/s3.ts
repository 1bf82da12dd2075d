// Owns the S3 server of tests: a real HTTP one on a free loopback port, its bucket in a throwaway folder.

import { rmSync } from 'node:fs';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll } from 'vitest';
import { temporaryFolder } from './databases.ts';

const bucket = 'envsnap-test';

/** Settings that point a service at the server. */
export type S3Settings = { readonly ENVSNAP_FILE_STORE: string; readonly ENVSNAP_S3_ENDPOINT: string };

/** Starts the server for a suite; returns a function that makes settings for one service, each with its own prefix. */
export function useS3(): () => S3Settings {
  let endpoint = '';
  let prefixes = 0;
  let stop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const directory = temporaryFolder();
    const server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      // It computes wrong signatures for requests about the bucket itself.
      allowMismatchedSignatures: true,
      directory,
      configureBuckets: [{ name: bucket, configs: [] }],
    });
    const { port } = await server.run();
    process.env.AWS_ACCESS_KEY_ID = 'S3RVER';
    process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER';
    endpoint = `http://127.0.0.1:${port}`;
    stop = async () => {
      server.httpServer.closeAllConnections();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    };
  });
  afterAll(() => stop?.());
  return () => {
    prefixes += 1;
    return { ENVSNAP_FILE_STORE: `s3://${bucket}/some/prefix-${prefixes}`, ENVSNAP_S3_ENDPOINT: endpoint };
  };
}
