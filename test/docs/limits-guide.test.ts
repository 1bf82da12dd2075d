// The table of limits in the guide holds what the program enforces.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { errorCodes, limits } from '@envsnap/shared';
import { expect, it } from 'vitest';

const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/guides/limits.md'), 'utf8');
const rows = [...guide.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)].map(([, what = '', most = '']) => ({
  what,
  most,
}));

/** Where each limit stands; those of the live feed and of delivery logs are part of their operations. */
const places: Record<Exclude<keyof typeof limits, 'liveRequests' | 'recentDeliveries'>, string> = {
  nameLength: 'name of a project',
  descriptionLength: 'description of a project',
  labelLength: 'label of a key or member',
  machineNameLength: 'machine name',
  platformLength: '`os`, `arch`',
  variablesPerSnapshot: 'variables of a snapshot',
  runtimesPerSnapshot: 'runtimes of a snapshot',
  variableNameLength: 'name of a variable',
  variableValueBytes: 'value of a variable',
  webhookUrlLength: 'URL of a webhook',
  webhookSecretMinLength: 'secret of a webhook',
  webhookSecretMaxLength: 'secret of a webhook',
  dependencyFilesPerSnapshot: 'dependency files of a snapshot',
  packagesPerSnapshot: 'packages of a snapshot, all files together',
  dependencyKeyLength: 'file names of dependencies, repeated for each package',
  runtimeVersionsBytes: 'runtimes of a snapshot',
  snapshotBodyBytes: 'body of a snapshot, after decompression',
  bodyBytes: 'every other JSON body, after decompression',
  valuesPerBody: 'members and elements of a body together',
  metadataBytes: 'metadata of a snapshot',
  metadataDepth: 'metadata of a snapshot',
  carriedPolicyBytes: 'policy that a capture carries',
  shareMinSeconds: 'life of a share',
  shareMaxSeconds: 'life of a share',
  shareDefaultSeconds: 'life of a share',
  sharesPerProject: 'shares of a project',
  sharePageBytes: 'page of a share',
  fileNameLength: 'name of a file',
  pageDefault: 'entries of a page',
  pageMax: 'entries of a page',
  usageTotals: 'totals that one answer on usage adds up',
  idempotencyKeyLength: '`Idempotency-Key`',
  openIdempotencyKeyMinLength: '`Idempotency-Key` of a bootstrap',
};

it('holds every limit', () => {
  for (const [name, what] of Object.entries(places)) {
    const value = limits[name as keyof typeof limits];
    const written = name.endsWith('Bytes')
      ? value >= 1024 ** 2
        ? `${value / 1024 ** 2} MiB`
        : `${value / 1024} KiB`
      : value.toLocaleString('en-US');
    const row = rows.find((one) => one.what === what);
    expect(` ${row?.most}`, `${name} at "${what}"`).toMatch(new RegExp(`[ ]${written}\\b`));
  }
});

it('names every quota', () => {
  const codes = Object.keys(errorCodes).filter((code) => code.endsWith('_quota_exceeded'));
  expect(codes.filter((code) => !guide.includes(`| \`${code}\` `))).toEqual([]);
});
