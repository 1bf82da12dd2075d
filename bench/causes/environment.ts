// Combines a machine, a project and a case into an environment, in the form of a capture.

import type { ProjectFacts } from '../../packages/capture/src/project/read-project.ts';
import type { Change } from './case.ts';
import type { Machine } from './machines.ts';
import { type Project, type ProjectName, projectFacts, projects } from './projects.ts';

/** An environment in the form of a capture, with every section that a case may change. */
export interface BuiltEnvironment {
  machineName: string;
  os: string;
  arch: string;
  runtimeVersions: Record<string, string>;
  dependencies: Record<string, Record<string, string>>;
  envVars: Record<string, string>;
  metadata: {
    project: ProjectFacts;
    locale: string;
    timezone: string;
    system: Record<string, unknown>;
    facts: Record<string, string | number | boolean | readonly string[]>;
    installed: Readonly<Record<string, Readonly<Record<string, string>>>>;
    toolchain: Record<string, unknown>;
    [other: string]: unknown;
  };
}

export async function createEnvironment(
  machine: Machine,
  name: ProjectName,
  change: Change = {},
): Promise<BuiltEnvironment> {
  const project: Project = projects[name];
  const runtimeVersions = overlaid({ ...machine.runtimeVersions, ...project.runtimes }, change.runtimes);
  const files = { ...project.dependencies, ...machine.machinePackages };
  const dependencies = Object.fromEntries(
    Object.keys({ ...files, ...change.dependencies }).map((file) => [
      file,
      overlaid(files[file] ?? {}, change.dependencies?.[file]),
    ]),
  );
  return {
    machineName: machine.machineName,
    os: machine.os,
    arch: change.arch ?? machine.arch,
    runtimeVersions,
    dependencies,
    envVars: overlaid({ ...machine.envVars, ...project.variables }, change.env),
    metadata: {
      capture: { envValues: 'safe', fingerprintKeyId: '00000000', warnings: [] },
      ...(machine.ci && { ci: machine.ci }),
      git: { branch: 'main', commit: '9fceb02d0ae598e95dc970b74767f19372d61af8', dirty: false },
      project: await projectFacts(name),
      locale: change.locale ?? machine.locale,
      timezone: change.timezone ?? machine.timezone,
      system: { ...machine.system, ...change.system },
      facts: overlaid(machine.facts, change.facts),
      installed: change.installed ?? {},
      toolchain: toolchainOf(project, runtimeVersions),
    },
  };
}

function toolchainOf(project: Project, present: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(project.declares ?? {}).map(([tool, [version, source]]) => [
      tool,
      {
        ...(present[tool] && { present: present[tool] }),
        declared: [{ source, version, ...(present[tool] && { satisfied: present[tool] === version }) }],
      },
    ]),
  );
}

function overlaid<T>(
  base: Readonly<Record<string, T>>,
  change: Readonly<Record<string, T | null>> = {},
): Record<string, T> {
  const merged: Record<string, T | null> = { ...base, ...change };
  return Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, T] => entry[1] !== null),
  );
}
