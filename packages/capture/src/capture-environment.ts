// Captures a machine: what the collectors found, put into one snapshot and one report. docs/specification.md §10.

import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import type { CaptureOptions, CaptureReport, CaptureResult } from './capture-types.ts';
import { type Collected, collectParts } from './collect-parts.ts';
import { snapshotMetadata } from './snapshot-metadata.ts';
import { sortedRecord } from './sorted-record.ts';
import type { HomeAbbreviation } from './system/home-path.ts';
import type { System } from './system/system.ts';
import { reducedWarning } from './variables/reduced-environment.ts';
import { versionsByTool } from './versions-by-tool.ts';
import type { CaptureWarning } from './warning.ts';

/**
 * Captures the machine. Installs and configures nothing, and writes only the cache of versions. Rejects only if the captured
 * folder is not a folder; anything else that cannot be read becomes a warning.
 */
export async function captureEnvironment(system: System, options: CaptureOptions): Promise<CaptureResult> {
  const startedMs = system.monotonicMs();
  const collected = await collectParts(system, options);
  const { about, machine, runtimes, variables } = collected;
  const withoutHome = <T>(value: T): T => abbreviateDeep(value, collected.abbreviateHome) as T;
  const dependencies = sortedRecord([
    ...Object.entries(collected.dependencies.dependencies),
    ...Object.entries(collected.machinePackages.dependencies),
  ]);
  const totalMs = system.monotonicMs() - startedMs;
  const { metadata, warnings } = snapshotMetadata(collected, options, {
    durationMs: totalMs,
    warnings: withoutHome(warningsOf(collected)),
    unknown: withoutHome(unknownOf(collected)),
  });
  const report: CaptureReport = {
    tools: runtimes.tools,
    dependencyFiles: Object.entries(dependencies).map(([file, listed]) => ({
      file,
      packages: Object.keys(listed).length,
    })),
    variables: { taken: Object.keys(variables.envVars).length, redactions: variables.redactions },
    declared: collected.toolchain.declared,
    examined: collected.installed.examined,
    skipped: withoutHome([
      ...runtimes.skipped,
      ...collected.git.unknown.map(({ key, reason }) => ({
        part: 'git' as const,
        name: `git ${key}`,
        reason,
      })),
      ...variables.skipped,
    ]),
    warnings,
    timings: {
      totalMs,
      parts: collected.durations,
      factGroups: collected.facts.groups,
      probes: runtimes.probes,
    },
  };
  return {
    snapshot: {
      machineName: options.machineName ?? machine.hostName,
      os: machine.platform,
      arch: about.architecture,
      runtimeVersions: versionsByTool(runtimes.tools),
      dependencies,
      envVars: variables.envVars,
      metadata: sortedRecord(Object.entries(withoutHome(metadata))),
    },
    report,
  };
}

function warningsOf(collected: Collected): CaptureWarning[] {
  const { about, runtimes, toolchain, dependencies, installed, policy, variables } = collected;
  return [
    ...(collected.reduced ? [reducedWarning] : []),
    ...[runtimes, toolchain, dependencies, installed, policy, variables].flatMap(({ warnings }) => warnings),
    ...about.hardware.warnings,
  ];
}

/** Values that exist but could not be determined. */
function unknownOf(collected: Collected): UnknownEntry[] {
  const { runtimes, git, facts, machinePackages, dependencies, installed, toolchain, variables } = collected;
  const others = [runtimes, toolchain, variables, git, facts, machinePackages, installed];
  return [...others, dependencies].flatMap(({ unknown }) => unknown);
}

/** Applies to every text in a value of plain objects and lists. */
function abbreviateDeep(value: unknown, abbreviate: HomeAbbreviation): unknown {
  if (typeof value === 'string') return abbreviate(value);
  if (Array.isArray(value)) return value.map((each) => abbreviateDeep(each, abbreviate));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, abbreviateDeep(each, abbreviate)]),
  );
}
