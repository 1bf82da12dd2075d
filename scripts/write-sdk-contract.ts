// Writes the SDK's contract, which is not committed: an install, a check, a build and a test run each do.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sdkContract } from './sdk-contract.ts';

const folder = path.resolve(import.meta.dirname, '../packages/sdk/src/contract');

/** Writes only what has changed, since a newer file makes every build stale, and removes what is no longer part of it. */
export function writeSdkContract(): void {
  mkdirSync(folder, { recursive: true });
  const contract = sdkContract();
  for (const name of readdirSync(folder)) if (!Object.hasOwn(contract, name)) rmSync(path.join(folder, name));
  for (const [name, text] of Object.entries(contract)) {
    const file = path.join(folder, name);
    if (readText(file) !== text) writeFileSync(file, text);
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

if (process.argv[1] === import.meta.filename) writeSdkContract();
