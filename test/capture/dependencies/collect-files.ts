// Writes files into a fresh folder and collects its dependencies: as most tests of formats do.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inject, onTestFinished } from 'vitest';
import {
  type CollectedDependencies,
  collectDependencies,
} from '../../../packages/capture/src/dependencies/collect-dependencies.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../../packages/capture/src/system/node-system.ts';
import type { System } from '../../../packages/capture/src/system/system.ts';

/** Files by relative path. */
export type Files = Record<string, string | Uint8Array>;

/** A fresh folder in memory with the given files, because a disk removes it slower than we read it; removed with the test. */
export function folderWith(files: Files): string {
  const folder = mkdtempSync(path.join(inject('dataFolder'), 'deps-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}

/** What a capture records of a folder with these files. */
export function collectFiles(
  files: Files,
  options: { manifests?: boolean; fixtures?: boolean; system?: System; changedBefore?: number } = {},
): Promise<CollectedDependencies> {
  return collectDependencies(openMachine(options.system ?? createSystem()), {
    folder: folderWith(files),
    manifests: options.manifests ?? false,
    fixtures: options.fixtures,
    changedBefore: options.changedBefore,
  });
}

/** Packages of one file, as a plain object; fails if the capture has a warning. */
export async function packagesOf(
  name: string,
  content: string | Uint8Array,
  others: Files = {},
): Promise<unknown> {
  const { dependencies, warnings } = await collectFiles({ [name]: content, ...others });
  if (warnings.length > 0) throw new Error(`unexpected warnings: ${JSON.stringify(warnings)}`);
  return { ...dependencies[name] };
}
