// Runs the collectors in parallel, and times each. docs/specification.md §10.

import type { CaptureOptions, CapturePart } from './capture-types.ts';
import { collectToolchain } from './declared/collect-toolchain.ts';
import { collectDependencies } from './dependencies/collect-dependencies.ts';
import { collectFacts } from './facts/collect-facts.ts';
import { createMounts } from './facts/mounts.ts';
import { collectInstalled } from './installed/collect-installed.ts';
import { collectMachine } from './machine/collect-system.ts';
import { readMachinePackages, roomBeside } from './machine/packages/read-machine-packages.ts';
import { collectProject } from './project/collect-project.ts';
import { collectGit } from './project/git.ts';
import { readPolicy } from './project/read-policy.ts';
import { collectRuntimes } from './runtimes/collect-runtimes.ts';
import { probeVariables } from './runtimes/probe-variables.ts';
import { readSearchPath } from './runtimes/search-path.ts';
import { createToolLocator } from './runtimes/tool-locator.ts';
import { openVersionCache } from './runtimes/version-cache.ts';
import { openFileCache } from './system/file-cache.ts';
import { createHomeAbbreviation } from './system/home-path.ts';
import { guardMachine, openMachine } from './system/machine.ts';
import type { System } from './system/system.ts';
import { untrustedTree } from './system/untrusted-tree.ts';
import { collectAllVariables } from './variables/collect-variables.ts';
import { isReducedEnvironment, withoutEnvironment } from './variables/reduced-environment.ts';

/** The results of the collectors, and how long each took in milliseconds. */
export type Collected = Awaited<ReturnType<typeof collectParts>>;
type Durations = Partial<Record<CapturePart, number>>;

/** Runs every collector. Rejects only if the folder is not a folder. */
export async function collectParts(system: System, options: CaptureOptions) {
  const durations: Durations = {};
  const capture = await openCapture(system, options);
  const { machine, abbreviateHome, fileCache } = capture;
  const loadsDotenv = (options.dotenv ?? true) && options.envValues !== 'omit';
  const parts = await settle(await startParts(capture, { ...options, loadsDotenv }, durations));
  await fileCache.save();
  const reduced = !(options.ofProcess ?? false) && (await isReducedEnvironment(machine));
  const known = reduced ? withoutEnvironment(parts) : parts;
  return { machine, abbreviateHome, loadsDotenv, durations, reduced, ...known };
}

/** Starts every collector. A collector that needs another one's result waits for it. */
async function startParts(
  capture: OpenCapture,
  options: CaptureOptions & { readonly loadsDotenv: boolean },
  durations: Durations,
) {
  const { open, machine, folder, abbreviateHome, locator, searchPath } = capture;
  const timed = async <T>(part: CapturePart, collect: () => T | Promise<T>): Promise<T> => {
    const startedMs = machine.monotonicMs();
    options.onProgress?.({ kind: 'part-started', part });
    const result = await collect();
    durations[part] = machine.monotonicMs() - startedMs;
    options.onProgress?.({ kind: 'part-finished', part });
    return result;
  };

  // Started first: other collectors read files while the tools run, except while a tool needs as much memory as the
  // capture.
  let largeEnded = (): void => undefined;
  const room = new Promise<void>((resolve) => {
    largeEnded = resolve;
  });
  const runtimes = timed('runtimes', () => startTools(capture, options, largeEnded)).finally(largeEnded);
  await Promise.race([room, runtimes]);

  const dependencies = timed('dependencies', () =>
    collectDependencies(machine, {
      folder,
      manifests: options.manifests,
      fixtures: options.fixtures,
      changedBefore: options.startedAt,
      onProgress: (count) => options.onProgress?.({ kind: 'files-read', count }),
    }),
  );
  return {
    runtimes,
    dependencies,
    git: timed('git', () => collectGit(machine, folder)),
    about: timed('system', () => collectMachine(machine, options.hardware ?? false)),
    variables: timed('variables', () =>
      collectAllVariables(machine, abbreviateHome, { ...options, ...capture, startedAt: options.startedAt }),
    ),
    toolchain: timed('toolchain', () =>
      collectToolchain(
        machine,
        folder,
        options.startedAt,
        runtimes,
        dependencies.then(({ folders }) => folders),
        options.within,
      ),
    ),
    facts: timed('facts', async () =>
      collectFacts({
        machine,
        folder,
        searchFolders: searchPath.folders,
        locator: await locator,
        mounts: createMounts(machine),
      }),
    ),
    // Installed packages may be links to a store elsewhere; only their names and versions are read.
    installed: timed('installed', async () =>
      collectInstalled(open, folder, { ...(await dependencies), locator: await locator }),
    ),
    machinePackages: timed('packages', async () =>
      readMachinePackages(machine, roomBeside((await dependencies).dependencies)),
    ),
    project: timed('project', () => collectProject(open, machine, folder)),
    policy: readPolicy(machine, folder),
  };
}

/** Finds the tools. Versions that earlier captures found come from the cache. */
async function startTools(
  { machine, at, locator, abbreviateHome, tree, searchPath }: OpenCapture,
  { cacheDir, toolVersion, onProgress }: CaptureOptions,
  onLargeEnded: () => void,
) {
  const cache = await openVersionCache(machine, cacheDir, toolVersion);
  const collected = await collectRuntimes(machine, {
    folder: at,
    locator: await locator,
    cache,
    abbreviateHome,
    isForbidden: tree.holds,
    isSearchPathEmpty: searchPath.allFolders.length === 0,
    onProbed: (tool, done, total) => onProgress?.({ kind: 'tool-probed', tool, done, total }),
    onLargeEnded,
  });
  await cache.save();
  return collected;
}

/** Awaits promises and returns their values under the same names. Rejects with the first rejection. */
async function settle<Parts extends Record<string, Promise<unknown>>>(
  parts: Parts,
): Promise<{ [Name in keyof Parts]: Awaited<Parts[Name]> }> {
  const values = await Promise.all(Object.entries(parts).map(async ([name, part]) => [name, await part]));
  return Object.fromEntries(values) as { [Name in keyof Parts]: Awaited<Parts[Name]> };
}

type OpenCapture = Awaited<ReturnType<typeof openCapture>>;

/** `open` is the machine without its guard, for checks that only look up names. */
async function openCapture(
  system: System,
  { folder, within = '', cacheDir, toolVersion, programId = toolVersion }: CaptureOptions,
) {
  const fileCache = await openFileCache(system, cacheDir, folder, programId);
  const open = openMachine(system, fileCache);
  const tree = await untrustedTree(open, folder);
  const searchPath = await readSearchPath(open, folder, tree);
  const machine = guardMachine(open, tree, () => probeVariables(open, searchPath, tree));
  const abbreviateHome = await createHomeAbbreviation(machine, tree.checkout);
  const at = machine.files.paths.join(folder, within);
  const locator = createToolLocator(machine, searchPath, at, tree);
  return { open, machine, folder, at, tree, searchPath, abbreviateHome, locator, fileCache };
}
