// How many differences count between healthy machines: twelve people and four runners, on six kinds of projects.

import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { createComparer } from '../../../packages/compare/src/compare-environments.ts';
import { createEnvironment } from '../environment.ts';
import type { Machine } from '../machines.ts';
import type { ProjectName } from '../projects.ts';

interface HealthyMachine {
  readonly name: string;
  /** No rule was made from it. */
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
}

export interface MeasuredPair {
  readonly project: ProjectName;
  readonly a: string;
  readonly b: string;
  readonly setAside: boolean;
  /** One is a Mac, the other runs Linux. */
  readonly otherPlatform: boolean;
  /** What counts, as `section:key`. */
  readonly counted: readonly string[];
}

const kinds: readonly ProjectName[] = ['web', 'api', 'service', 'tool', 'shop', 'backend'];

const machines = load(
  readFileSync(new URL('machines.yaml', import.meta.url), 'utf8'),
) as readonly HealthyMachine[];

/** Compares every machine with every other one of its half, on every kind of project. */
export async function measureHealthyPeople(): Promise<MeasuredPair[]> {
  const measured: MeasuredPair[] = [];
  const compare = createComparer();
  for (const project of kinds) {
    const sides = await Promise.all(
      machines.map(async (machine) => ({ machine, side: await sideOf(machine, project) })),
    );
    for (const [index, a] of sides.entries()) {
      for (const b of sides.slice(index + 1)) {
        if (a.machine.setAside !== b.machine.setAside) continue;
        const { counting } = compare(a.side, b.side);
        measured.push({
          project,
          a: a.machine.name,
          b: b.machine.name,
          setAside: a.machine.setAside === true,
          otherPlatform: a.machine.os !== b.machine.os,
          counted: [...counting].map(({ section, key }) => `${section}:${key}`),
        });
      }
    }
  }
  return measured;
}

function sideOf({ name, env, tools, ci, ...machine }: HealthyMachine, project: ProjectName) {
  return createEnvironment(
    {
      ...machine,
      ...(ci && { ci }),
      machineName: name,
      envVars: env,
      runtimeVersions: tools,
      machinePackages: {},
    },
    project,
  );
}
