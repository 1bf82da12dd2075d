// Captures a machine: runs the collectors side by side and puts their answers into one snapshot. Decisions §10.

import { limits } from '@envsnap/shared/catalogue/limits';
import { maxUnknownEntries, type UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import type {
  CaptureOptions,
  CapturePart,
  CaptureReport,
  CaptureResult,
  ToolFinding,
} from './capture-types.ts';
import { collectDependencies } from './dependencies/collect-dependencies.ts';
import { readDotenv } from './dotenv/read-dotenv.ts';
import { collectFacts } from './facts/collect-facts.ts';
import { createMounts } from './facts/mounts.ts';
import { collectInstalled } from './installed/collect-installed.ts';
import { machineArchitecture } from './machine/architecture.ts';
import { collectHardware } from './machine/collect-hardware.ts';
import { collectSystem } from './machine/collect-system.ts';
import { readMachinePackages } from './machine/packages/read-machine-packages.ts';
import { detectCi } from './project/ci.ts';
import { collectGit } from './project/git.ts';
import { readProject } from './project/read-project.ts';
import { collectRuntimes } from './runtimes/collect-runtimes.ts';
import { probeVariables } from './runtimes/probe-variables.ts';
import { readSearchPath } from './runtimes/search-path.ts';
import { createToolLocator } from './runtimes/tool-locator.ts';
import { openVersionCache } from './runtimes/version-cache.ts';
import { sortedRecord } from './sorted-record.ts';
import { capturedTerritory } from './system/captured-territory.ts';
import { createHomeAbbreviation, type HomeAbbreviation } from './system/home-path.ts';
import { guardMachine, openMachine } from './system/machine.ts';
import type { System } from './system/system.ts';
import { compareToolchain } from './toolchain/collect-toolchain.ts';
import { readDeclaredVersions } from './toolchain/declared-versions.ts';
import { collectVariables } from './variables/collect-variables.ts';
import type { CaptureWarning } from './warning.ts';

/** Warnings kept in the snapshot; the report has them all. */
const maxStoredWarnings = 200;
/** Metadata may have 256 KiB; most warnings are about files, whose paths can be long. */
const maxStoredWarningBytes = 96 * 1024;

/**
 * Takes a snapshot of the machine as it is. Nothing is installed, configured or written but the cache of versions.
 * Rejects only where the captured folder itself is not a folder; everything else that cannot be read is a warning.
 */
export async function captureEnvironment(system: System, options: CaptureOptions): Promise<CaptureResult> {
  const startedMs = system.monotonicMs();
  const parts: Partial<Record<CapturePart, number>> = {};
  const timed = async <T>(part: CapturePart, collect: () => T | Promise<T>): Promise<T> => {
    const partStartedMs = system.monotonicMs();
    options.onProgress?.({ kind: 'part-started', part });
    const result = await collect();
    parts[part] = system.monotonicMs() - partStartedMs;
    options.onProgress?.({ kind: 'part-finished', part });
    return result;
  };

  const open = openMachine(system);
  const { folder } = options;
  const territory = await capturedTerritory(open, folder);
  const searchPath = await readSearchPath(open, folder, territory);
  const machine = guardMachine(open, territory, probeVariables(open, searchPath, territory));
  const abbreviateHome = await createHomeAbbreviation(machine, territory.checkout);
  const locator = createToolLocator(machine, searchPath, folder, territory);

  // Started first: while the tools answer, the other parts read files.
  const runtimes = timed('runtimes', async () => {
    const cache = await openVersionCache(machine, options.cacheDir, options.toolVersion);
    const collected = await collectRuntimes(machine, {
      locator: await locator,
      cache,
      abbreviateHome,
      isForbidden: territory.holds,
      onProbed: (tool, done, total) => options.onProgress?.({ kind: 'tool-probed', tool, done, total }),
    });
    await cache.save();
    return collected;
  });
  const git = timed('git', () => collectGit(machine, folder));
  const about = timed('system', () =>
    Promise.all([
      collectSystem(machine),
      machineArchitecture(machine),
      collectHardware(machine, options.hardware ?? false),
    ]),
  );
  const loadsDotenv = (options.dotenv ?? true) && options.envValues !== 'omit';
  const variables = timed('variables', async () => {
    const dotenv = loadsDotenv ? await readDotenv(machine, folder, territory.holds) : undefined;
    const collected = await collectVariables(machine, abbreviateHome, {
      envValues: options.envValues,
      envInclude: options.envInclude,
      envExclude: options.envExclude,
      searchPath,
      dotenv: dotenv?.variables ?? [],
      ...(options.fingerprintKey && { fingerprintKey: options.fingerprintKey }),
    });
    return { ...collected, warnings: [...collected.warnings, ...(dotenv?.warnings ?? [])] };
  });
  const dependencies = timed('dependencies', () =>
    collectDependencies(machine, {
      folder,
      manifests: options.manifests,
      onProgress: (count) => options.onProgress?.({ kind: 'files-read', count }),
    }),
  );
  const toolchain = timed('toolchain', async () => {
    const declared = await readDeclaredVersions(machine.files, folder);
    return compareToolchain(declared, versionsOf((await runtimes).tools));
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
  const installed = timed('installed', async () =>
    collectInstalled(machine, folder, (await dependencies).dependencies),
  );
  const ofMachine = timed('packages', async () =>
    readMachinePackages(machine, roomBeside((await dependencies).dependencies)),
  );
  const asked = timed('project', () => readProject(machine, folder));

  const [
    tools,
    state,
    [described, arch, { hardware, warnings: hardwareWarnings }],
    env,
    packages,
    chain,
    machineFacts,
    onDisk,
    machinePackages,
    project,
  ] = await Promise.all([
    runtimes,
    git,
    about,
    variables,
    dependencies,
    toolchain,
    facts,
    installed,
    ofMachine,
    asked,
  ]);
  const withoutHome = <T>(value: T): T => abbreviateDeep(value, abbreviateHome) as T;
  const metadataConflicts = conflicts(options.metadata);
  const warnings = withoutHome([
    ...tools.warnings,
    ...chain.warnings,
    ...packages.warnings,
    ...onDisk.warnings,
    ...env.warnings,
    ...hardwareWarnings,
    ...metadataConflicts,
  ]);
  const unknown = withoutHome([
    ...tools.unknown,
    ...state.unknown,
    ...machineFacts.unknown,
    ...machinePackages.unknown,
    ...unreadFiles(packages.warnings),
  ]);
  const allPackages = sortedRecord([
    ...Object.entries(packages.dependencies),
    ...Object.entries(machinePackages.dependencies),
  ]);
  const ci = detectCi(machine.env);
  const totalMs = system.monotonicMs() - startedMs;
  const metadata = {
    ...Object.fromEntries(Object.entries(options.metadata).filter(([key]) => !reservedKeys.has(key))),
    capture: {
      toolVersion: options.toolVersion,
      durationMs: Math.round(totalMs),
      // How the variables are to be read: a comparison needs both.
      envValues: options.envValues,
      ...(!loadsDotenv && { dotenv: false }),
      ...(env.fingerprintKey && { fingerprintKey: env.fingerprintKey }),
      ...(unknown.length > 0 && { unknown: unknown.slice(0, maxUnknownEntries) }),
      warnings: storedWarnings(warnings),
    },
    ...(ci && { ci }),
    facts: machineFacts.facts,
    ...(state.git && { git: state.git }),
    ...(Object.keys(onDisk.installed).length > 0 && { installed: onDisk.installed }),
    ...(described.locale && { locale: described.locale }),
    ...(onDisk.notInstalled.length > 0 && { notInstalled: onDisk.notInstalled }),
    project,
    ...(described.shell && {
      shell: { ...described.shell, ...shellVersion(tools.tools, described.shell.name) },
    }),
    ...(options.outcome && {
      outcome: options.outcome,
      outcomeOf: options.outcomeOf ?? ci?.job ?? 'default',
    }),
    system: { ...described.system, ...(hardware && { hardware }) },
    ...(described.timezone && { timezone: described.timezone }),
    ...(Object.keys(packages.sources).length > 0 && { sources: packages.sources }),
    ...(Object.keys(chain.toolchain).length > 0 && { toolchain: chain.toolchain }),
    tools: Object.fromEntries(tools.tools.map((tool) => [tool.name, originOf(tool)])),
  };
  const report: CaptureReport = {
    tools: tools.tools,
    dependencyFiles: Object.entries(allPackages).map(([file, listed]) => ({
      file,
      packages: Object.keys(listed).length,
    })),
    variables: { taken: Object.keys(env.envVars).length, redactions: env.redactions },
    declared: chain.declared,
    skipped: withoutHome([
      ...tools.skipped,
      ...state.unknown.map(({ key, reason }) => ({ part: 'git' as const, name: `git ${key}`, reason })),
      ...env.skipped,
    ]),
    warnings,
    timings: { totalMs, parts, factGroups: machineFacts.groups, probes: tools.probes },
  };
  return {
    snapshot: {
      machineName: options.machineName ?? machine.hostName,
      os: machine.platform,
      arch,
      runtimeVersions: versionsOf(tools.tools),
      dependencies: allPackages,
      envVars: env.envVars,
      metadata: sortedRecord(Object.entries(withoutHome(metadata))),
    },
    report,
  };
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

/** Keys of the metadata that the capture fills itself. */
const reservedKeys = new Set([
  ...[
    'capture',
    'ci',
    'facts',
    'git',
    'installed',
    'notInstalled',
    'locale',
    'shell',
    'outcome',
    'outcomeOf',
    'sources',
    'system',
    'timezone',
    'toolchain',
    'tools',
  ],
]);

function conflicts(metadata: Record<string, unknown>): CaptureWarning[] {
  return Object.keys(metadata)
    .filter((key) => reservedKeys.has(key))
    .sort()
    .map((key) => ({
      code: 'metadata_key_reserved',
      message: `Metadata “${key}” was left out: the capture fills this key itself; choose another name.`,
    }));
}

function versionsOf(tools: readonly ToolFinding[]): Record<string, string> {
  return sortedRecord(tools.map(({ name, version }) => [name, version] as const));
}

function originOf({ path, manager, selectedBy }: ToolFinding): Record<string, string> {
  return { path, ...(manager && { manager }), ...(selectedBy && { selectedBy }) };
}

function shellVersion(tools: readonly ToolFinding[], name: string): { version?: string } {
  const tool = tools.find((each) => each.kind === 'utility' && each.name === name);
  return tool ? { version: tool.version } : {};
}

/** Dependency files that are there and could not be read: their packages are unknown, not absent. */
function unreadFiles(warnings: readonly CaptureWarning[]): UnknownEntry[] {
  return warnings.flatMap(({ code, file, message }) =>
    code === 'dependency_file_unreadable' && file !== undefined
      ? [{ section: 'dependencies', key: file, reason: reasonOf(message) }]
      : [],
  );
}

/** The end of `FILE is not recorded: REASON.`, or the whole message without its full stop. */
function reasonOf(message: string): string {
  const sentence = message.replace(/\.$/, '');
  const colon = sentence.indexOf(': ');
  return colon < 0 ? sentence : sentence.slice(colon + 2);
}

function storedWarnings(warnings: readonly CaptureWarning[]): readonly CaptureWarning[] {
  let bytes = 0;
  const fits = (warning: CaptureWarning, index: number) => {
    bytes += Buffer.byteLength(JSON.stringify(warning));
    return index < maxStoredWarnings && bytes <= maxStoredWarningBytes;
  };
  const tooMany = warnings.findIndex((warning, index) => !fits(warning, index));
  if (tooMany < 0) return warnings;
  const left = warnings.length - tooMany;
  const cut = { code: 'warnings_cut', message: `${left} more warnings were left out of the snapshot.` };
  return [...warnings.slice(0, tooMany), cut];
}

/** Writes the home folder as `~` in every text of a value made of plain objects and lists. */
function abbreviateDeep(value: unknown, abbreviate: HomeAbbreviation): unknown {
  if (typeof value === 'string') return abbreviate(value);
  if (Array.isArray(value)) return value.map((each) => abbreviateDeep(each, abbreviate));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, abbreviateDeep(each, abbreviate)]),
  );
}
