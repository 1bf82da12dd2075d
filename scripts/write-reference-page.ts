// Puts what the server's reference page is made of into its package: the viewer, packed, and the guides as one text.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** The guides in the order of the page. */
export const guideFiles = [
  'authentication.md',
  'paging.md',
  'limits.md',
  'idempotency.md',
  'encryption.md',
  'gates.md',
  'webhooks.md',
  'audit.md',
];

/** Writes `dist/reference` of the server's package. The viewer is packed only where its version has changed. */
export function writeReference(serverFolder: string, guidesFolder: string): void {
  const target = path.join(serverFolder, 'dist/reference');
  mkdirSync(target, { recursive: true });
  const viewerFolder = path.join(serverFolder, 'node_modules/@scalar/api-reference');
  const { version: released } = JSON.parse(readFileSync(path.join(viewerFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const version = `${released}, its field for a key with a key's beginning`;
  const packed = path.join(target, 'viewer.js.gz');
  const versionFile = path.join(target, 'viewer-version.txt');
  const isThere =
    existsSync(packed) && existsSync(versionFile) && readFileSync(versionFile, 'utf8') === version;
  if (!isThere) {
    writeFileSync(
      packed,
      gzipSync(
        readFileSync(path.join(viewerFolder, 'dist/browser/standalone.js'), 'utf8').replaceAll(
          'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT',
          'mk_…',
        ),
        { level: 9 },
      ),
    );
    writeFileSync(versionFile, version);
  }
  const guides = guideFiles.map((file) => readFileSync(path.join(guidesFolder, file), 'utf8').trim());
  writeFileSync(path.join(target, 'guides.md'), `${guides.join('\n\n')}\n`);
}
