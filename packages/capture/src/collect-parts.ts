// Runs the collectors side by side, each timed. docs/specification.md §10.

import { limits } from '@envsnap/shared/catalogue/limits';
import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import type { CaptureOptions, CapturePart } from './capture-types.ts';
import { collectDependencies, isChangedAfter, lateReason } from './dependencies/collect-dependencies.ts';
import { readDotenv } from './dotenv/read-dotenv.ts';
import { collectFacts } from './facts/collect-facts.ts';
import { createMounts } from './facts/mounts.ts';
import { collectInstalled } from './installed/collect-installed.ts';
import { machineArchitecture } from './machine/architecture.ts';
import { collectHardware } from './machine/collect-hardware.ts';
import { collectSystem } from './machine/collect-system.ts';
import { readMachinePackages } from './machine/packages/read-machine-packages.ts';
import { findRootOf } from './project/find-project-root.ts';
import { collectGit } from './project/git.ts';
import { readPolicy } from './project/read-policy.ts';
import { readProject } from './project/read-project.ts';
import { readSurroundings } from './project/surroundings.ts';
import { collectRuntimes } from './runtimes/collect-runtimes.ts';
import { probeVariables } from './runtimes/probe-variables.ts';
import { readSearchPath } from './runtimes/search-path.ts';
import { createToolLocator } from './runtimes/tool-locator.ts';
import { openVersionCache } from './runtimes/version-cache.ts';
import { capturedTerritory } from './system/captured-territory.ts';
import { createHomeAbbreviation } from './system/home-path.ts';
import { guardMachine, openMachine } from './system/machine.ts';
import { openReadings } from './system/readings.ts';
import type { System } from './system/system.ts';
import { compareToolchain } from './toolchain/collect-toolchain.ts';
import { fileOf } from './toolchain/declared-version.ts';
import { readDeclaredVersions } from './toolchain/declared-versions.ts';
import { collectVariables } from './variables/collect-variables.ts';
import { isReducedEnvironment, reducedUnknown } from './variables/reduced-environment.ts';
import { versionsByTool } from './versions-by-tool.ts';

/** What the collectors found, and how long each took in milliseconds. */
export type Collected = Awaited<ReturnType<typeof collectParts>>;

/** Runs every collector. Rejects only where the folder is not a folder. */
export async function collectParts(system: System, options: CaptureOptions) {
  const durations: Partial<Record<CapturePart, number>> = {};
  const timed = async <T>(part: CapturePart, collect: () => T | Promise<T>): Promise<T> => {
    const startedMs = system.monotonicMs();
    options.onProgress?.({ kind: 'part-started', part });
    const result = await collect();
    durations[part] = system.monotonicMs() - startedMs;
    options.onProgress?.({ kind: 'part-finished', part });
    return result;
  };

  const { folder } = options;
  const { cacheDir, toolVersion, programId = toolVersion } = options;
  const readings = await openReadings(system, cacheDir, folder, programId);
  const open = openMachine(system, readings);
  const territory = await capturedTerritory(open, folder);
  const searchPath = await readSearchPath(open, folder, territory);
  const machine = guardMachine(open, territory, () => probeVariables(open, searchPath, territory));
  const abbreviateHome = await createHomeAbbreviation(machine, territory.checkout);
  const locator = createToolLocator(machine, searchPath, folder, territory);

  // Started first: while the tools answer, the other parts read files, except during tools that need as much memory as the
  // capture itself.
  let largeEnded = (): void => undefined;
  const room = new Promise<void>((resolve) => {
    largeEnded = resolve;
  });
  const runtimes = timed('runtimes', async () => {
    const cache = await openVersionCache(machine, cacheDir, toolVersion);
    const collected = await collectRuntimes(machine, {
      folder,
      locator: await locator,
      cache,
      abbreviateHome,
      isForbidden: territory.holds,
      isSearchPathEmpty: searchPath.allFolders.length === 0,
      onProbed: (tool, done, total) => options.onProgress?.({ kind: 'tool-probed', tool, done, total }),
      onLargeEnded: largeEnded,
    });
    await cache.save();
    return collected;
  }).finally(largeEnded);
  await Promise.race([room, runtimes]);
  const git = timed('git', () => collectGit(machine, folder));
  const about = timed('system', async () => {
    const [system, architecture, hardware] = await Promise.all([
      collectSystem(machine),
      machineArchitecture(machine),
      collectHardware(machine, options.hardware ?? false),
    ]);
    return { ...system, architecture, hardware };
  });
  /** Without what files say that changed after the command began: it may have been otherwise before. */
  const apartFromLate = async <Item>(
    section: 'env' | 'toolchain',
    items: readonly Item[],
    fileOf: (item: Item) => string,
  ) => {
    const late = new Set<string>();
    const files = options.startedAt === undefined ? [] : items.map(fileOf);
    for (const file of new Set(files)) {
      const status = await machine.files.status(machine.files.paths.join(folder, file));
      if (status && isChangedAfter(status, options.startedAt)) late.add(file);
    }
    return {
      known: items.filter((item) => !late.has(fileOf(item))),
      unknown: [...late].map((key): UnknownEntry => ({ section, key, reason: lateReason })),
    };
  };
  const loadsDotenv = (options.dotenv ?? true) && options.envValues !== 'omit';
  const variables = timed('variables', async () => {
    const dotenv = loadsDotenv ? await readDotenv(machine, folder, territory.holds) : undefined;
    const { known, unknown } = await apartFromLate(
      'env',
      dotenv?.variables ?? [],
      ({ key }) => key.split(':')[0] ?? key,
    );
    const collected = await collectVariables(machine, abbreviateHome, {
      envValues: options.envValues,
      envInclude: options.envInclude,
      envExclude: options.envExclude,
      searchPath,
      dotenv: known,
      ...(options.fingerprintKey && { fingerprintKey: options.fingerprintKey }),
    });
    return { ...collected, unknown, warnings: [...collected.warnings, ...(dotenv?.warnings ?? [])] };
  });
  const dependencies = timed('dependencies', () =>
    collectDependencies(machine, {
      folder,
      manifests: options.manifests,
      changedBefore: options.startedAt,
      onProgress: (count) => options.onProgress?.({ kind: 'files-read', count }),
    }),
  );
  const toolchain = timed('toolchain', async () => {
    const { declared, warnings } = await readDeclaredVersions(machine.files, folder);
    const { known, unknown } = await apartFromLate('toolchain', declared, fileOf);
    const tools = versionsByTool((await runtimes).tools);
    return { ...(await compareToolchain({ declared: known, warnings }, tools)), unknown };
  });

  const facts = timed('facts', async () =>
    collectFacts({
      machine,
      folder,
      searchFolders: searchPath.folders,
      locator: await locator,
      mounts: createMounts(machine),
    }),
  );
  // Installed packages may be kept elsewhere and linked; only their names and versions are read.
  const installed = timed('installed', async () => collectInstalled(open, folder, await dependencies));
  const machinePackages = timed('packages', async () =>
    readMachinePackages(machine, roomBeside((await dependencies).dependencies)),
  );
  const project = timed('project', async () => {
    const root = await findRootOf(open, folder);
    const inside = open.files.paths.relative(root, folder).replaceAll('\\', '/');
    const { outputs, above } = await readSurroundings(machine, folder, root);
    return {
      ...(await readProject(machine, folder)),
      root,
      ...(inside !== '' && { folder: inside }),
      ...(Object.keys(outputs).length > 0 && { outputs }),
      ...(Object.keys(above).length > 0 && { above }),
    };
  });

  const parts = await settle({
    runtimes,
    git,
    about,
    variables,
    dependencies,
    toolchain,
    facts,
    installed,
    machinePackages,
    project,
    policy: readPolicy(machine, folder),
  });
  await readings.save();
  const reduced = !(options.ofProcess ?? false) && (await isReducedEnvironment(machine));
  const known = reduced ? withoutEnvironment(parts) : parts;
  return { machine, abbreviateHome, loadsDotenv, durations, reduced, ...known };
}

/** The parts of a capture that depend on the variables of whoever started it: what these decide is unknown. */
function withoutEnvironment<
  Parts extends {
    readonly variables: Awaited<ReturnType<typeof collectVariables>>;
    readonly about: { readonly locale?: string };
    readonly facts: Awaited<ReturnType<typeof collectFacts>>;
  },
>(parts: Parts): Parts {
  const { locale: _, ...about } = parts.about;
  const unknown = new Set(reducedUnknown.flatMap(({ section, key }) => (section === 'facts' ? [key] : [])));
  const facts = Object.fromEntries(Object.entries(parts.facts.facts).filter(([name]) => !unknown.has(name)));
  return {
    ...parts,
    about,
    variables: { ...parts.variables, envVars: {}, redactions: [], warnings: [] },
    facts: {
      ...parts.facts,
      facts,
      unknown: [...parts.facts.unknown.filter(({ key }) => !unknown.has(key)), ...reducedUnknown],
    },
  };
}

/** The values of promises, under their names. Rejects with the first that does. */
async function settle<Parts extends Record<string, Promise<unknown>>>(
  parts: Parts,
): Promise<{ [Name in keyof Parts]: Awaited<Parts[Name]> }> {
  const values = await Promise.all(Object.entries(parts).map(async ([name, part]) => [name, await part]));
  return Object.fromEntries(values) as { [Name in keyof Parts]: Awaited<Parts[Name]> };
}

/** How many packages of the machine a snapshot can hold beside the project's. */
function roomBeside(dependencies: Record<string, Record<string, string>>): number {
  const files = Object.values(dependencies);
  if (files.length >= limits.dependencyFilesPerSnapshot) return 0;
  return files.reduce<number>(
    (room, packages) => room - Object.keys(packages).length,
    limits.packagesPerSnapshot,
  );
}
