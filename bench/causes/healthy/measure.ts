// How many differences count between healthy machines: machines of people and runners, in pairs on several kinds of projects.

import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { capture } from '../../../packages/capture/src/capture-folder.ts';
import { compareToolchain } from '../../../packages/capture/src/declared/collect-toolchain.ts';
import { readDeclaredVersions } from '../../../packages/capture/src/declared/declared-versions.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { collectVariables } from '../../../packages/capture/src/variables/collect-variables.ts';
import { type Comparer, createComparer } from '../../../packages/compare/src/compare-environments.ts';
import { createFakeSystem } from '../../../test/support/fake-system.ts';
import { createEnvironment } from '../environment.ts';
import type { Machine } from '../machines.ts';
import { type Project, type ProjectName, projects } from '../projects.ts';

interface HealthyMachine {
  readonly name: string;
  /** No rule was derived from it. */
  readonly setAside?: true;
  readonly os: Machine['os'];
  readonly arch: Machine['arch'];
  readonly ci?: Machine['ci'];
  readonly system: Machine['system'];
  readonly locale: string;
  readonly timezone: string;
  readonly env: Machine['envVars'];
  readonly tools: Machine['runtimeVersions'];
  readonly facts: Machine['facts'];
  readonly packages?: Machine['machinePackages'];
  /** Versions that replace the project's, for tools that it needs but does not declare. */
  readonly runtimes?: Readonly<Record<string, string>>;
}

/** A machine of newcomers.yaml, or the base of one. */
interface Described {
  /** Names of bases, separated by blanks. */
  readonly of?: string;
  readonly round?: number;
  readonly facts?: string;
  readonly tools?: string;
  readonly packages?: string;
  readonly env?: string;
  readonly [other: string]: unknown;
}

/** Two machines of people who work on one project, with its files. */
interface Team {
  readonly team: string;
  readonly round: number;
  readonly files: Readonly<Record<string, string>>;
  readonly machines: readonly Described[];
}

export interface MeasuredPair {
  readonly project: string;
  readonly a: string;
  readonly b: string;
  readonly group: string;
  /** Differences that count, as `section:key`. */
  readonly counted: readonly string[];
}

const formerKinds: readonly ProjectName[] = ['web', 'api', 'service', 'tool', 'shop', 'backend'];
const otherKinds: readonly ProjectName[] = ['library', 'native', 'science', 'engine', 'desk', 'site'];

function read<T>(file: string): T {
  return load(readFileSync(new URL(file, import.meta.url), 'utf8')) as T;
}

const { bases: distributions, machines: newcomers } = read<{
  bases: Record<string, Described>;
  machines: readonly Described[];
}>('newcomers.yaml');
const bases: Readonly<Record<string, Described>> = {
  ...distributions,
  ...read<Record<string, Described>>('sessions.yaml'),
};

/** Compares every machine with every other one of its group, on six kinds of projects; newcomers on six other ones too. */
export async function measureHealthyPeople(): Promise<MeasuredPair[]> {
  const former = read<readonly HealthyMachine[]>('machines.yaml');
  const measured: MeasuredPair[] = [];
  for (const half of ['looked at', 'set aside']) {
    const own = former.filter(({ setAside = false }) => setAside === (half === 'set aside'));
    measured.push(...(await measurePairs(`half ${half}`, own, formerKinds)));
  }
  for (const [round, described] of Map.groupBy(newcomers, (machine) => machine.round)) {
    const own = await Promise.all(described.map(createNewcomer));
    measured.push(...(await measurePairs(`newcomers, round ${round}`, own, [...formerKinds, ...otherKinds])));
  }
  return [...measured, ...(await measureTeams('teams')), ...(await measureTeams('strangers'))];
}

/** Compares the two machines of each team of a file. */
async function measureTeams(file: 'teams' | 'strangers'): Promise<MeasuredPair[]> {
  const measured: MeasuredPair[] = [];
  for (const { team, round, files, machines } of read<readonly Team[]>(`${file}.yaml`)) {
    const sides = machines.map(async (described) => {
      const machine = await createNewcomer(described);
      return { name: machine.name, side: await captureOnTeam(machine, files) };
    });
    measured.push(...comparePairs(`${file}, round ${round}`, team, await Promise.all(sides)));
  }
  return measured;
}

/** The real capture of the files, on a machine that has what the row says. */
async function captureOnTeam(machine: HealthyMachine, files: Team['files']) {
  const folder = '/srv/project';
  const here = Object.entries(files).map(([file, text]) => [`${folder}/${file}`, text]);
  const { os: platform, arch, env, system, facts, tools, packages, locale, timezone } = machine;
  const fake = createFakeSystem({ platform, arch, env, files: Object.fromEntries(here) });
  const { snapshot } = await capture({ dir: folder, machineName: machine.name }, fake);
  const declared = await readDeclaredVersions(openMachine(fake).files, folder);
  const { toolchain } = await compareToolchain(declared, tools);
  return {
    ...snapshot,
    envVars: env,
    runtimeVersions: tools,
    dependencies: { ...snapshot.dependencies, ...packages },
    metadata: { ...snapshot.metadata, toolchain, system, locale, timezone, facts },
  };
}

async function measurePairs(
  group: string,
  machines: readonly HealthyMachine[],
  kinds: readonly ProjectName[],
): Promise<MeasuredPair[]> {
  const measured: MeasuredPair[] = [];
  for (const project of kinds) {
    const sides = machines.map(async (machine) => ({
      name: machine.name,
      side: await sideOf(machine, project),
    }));
    measured.push(...comparePairs(group, project, await Promise.all(sides)));
  }
  return measured;
}

const compare = createComparer();

function comparePairs(
  group: string,
  project: string,
  sides: readonly { readonly name: string; readonly side: Parameters<Comparer>[0] }[],
): MeasuredPair[] {
  return sides.flatMap((a, index) =>
    sides.slice(index + 1).map((b) => {
      const { counting } = compare(a.side, b.side);
      const counted = [...counting].map(({ section, key }) => `${section}:${key}`);
      return { project, a: a.name, b: b.name, group, counted };
    }),
  );
}

function sideOf(
  { name, env, tools, ci, packages = {}, runtimes, ...machine }: HealthyMachine,
  project: ProjectName,
) {
  const sampleProject: Project = projects[project];
  const own = Object.entries(sampleProject.runtimes)
    .filter(([tool]) => !(tool === 'gcc' && machine.os === 'darwin') && !sampleProject.declares?.[tool])
    .map(([tool, version]) => [tool, ownVersion(tool, version, runtimes?.[tool])]);
  return createEnvironment(
    {
      ...machine,
      ...(ci && { ci }),
      machineName: name,
      envVars: env,
      runtimeVersions: tools,
      machinePackages: packages,
    },
    project,
    runtimes && {
      runtimes: {
        ...Object.fromEntries(own),
        ...(machine.os === 'darwin' && { gcc: tools.gcc ?? null }),
        ...(project === 'web' && { pnpm: '9.12.0' }),
      },
    },
  );
}

const languages = new Set('node python go java javac php ruby dotnet rustc cargo'.split(' '));

/** A team shares the minor version of its language; patch versions and other tools are each machine's own. */
function ownVersion(tool: string, version: string, own = version): string {
  const minor = version.split('.').slice(0, 2).join('.');
  return languages.has(tool) && !own.startsWith(`${minor}.`) ? version : own;
}

/** `NAME=value`, separated by two spaces or a line end. */
function pairs(text = ''): [name: string, value: string][] {
  return text
    .trim()
    .split(/\s{2,}|\n/)
    .map((each) => each.split(/=(.*)/s, 2) as [string, string]);
}

/** The bases of a machine and their own, then the machine. */
function layersOf(machine: Described): Described[] {
  const names = machine.of?.split(' ') ?? [];
  return [...names.flatMap((name) => layersOf(bases[name] ?? {})), machine];
}

async function createNewcomer(machine: Described): Promise<HealthyMachine> {
  const layers = layersOf(machine);
  const merged: Described = Object.assign({}, ...layers);
  const all = (part: 'facts' | 'tools' | 'env') =>
    layers.flatMap((layer) => (layer[part] === undefined ? [] : pairs(layer[part])));
  const [database, packages] = /^(\S+)\s+(.*)$/s.exec(merged.packages ?? '')?.slice(1) ?? [];
  const env = Object.fromEntries(all('env'));
  const { envVars } = await collectVariables(openMachine(createFakeSystem({ env })), (text) => text, {
    envValues: 'safe',
    envInclude: [],
    envExclude: [],
    searchPath: undefined,
    fingerprintKey: { own: 'healthy' },
  });
  return {
    ...(merged as unknown as HealthyMachine),
    env: envVars,
    tools: Object.fromEntries(all('tools')),
    facts: Object.fromEntries(
      all('facts').map(([name, value]) => [name, load(value) as Machine['facts'][string]]),
    ),
    packages: database ? { [database]: Object.fromEntries(pairs(packages)) } : {},
  };
}
