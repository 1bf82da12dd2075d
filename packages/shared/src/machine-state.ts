// The state of machines and of runs, from existing verdicts: loads no comparison, so any thread may use it.

import type { MachineHealth, RunHealth, ShortCause } from './health.ts';

export interface SnapshotVerdict {
  /** How many differences count; null if the comparison took too much of the server's time. */
  readonly counting: number | null;
  /** The first expectation of its policy that the newer snapshot does not meet; null if it meets all. */
  readonly violation: ShortCause | null;
  /** The likeliest causes of what counts, at most three. */
  readonly causes: readonly ShortCause[];
}

/** The state of a machine, by the verdict on its newest snapshot and the previous one. */
export function stateOfMachine(
  newest: Pick<MachineHealth, 'machineName' | 'snapshotId' | 'createdAt' | 'previousSnapshotId'>,
  { counting, violation, causes }: SnapshotVerdict,
): MachineHealth {
  const state = violation ? 'departs' : counting === 0 ? 'steady' : 'changed';
  return { ...newest, state, counting, cause: violation ?? causes[0] ?? null };
}

const states: readonly MachineHealth['state'][] = ['departs', 'changed', 'steady'];

export function worstFirst(machines: readonly MachineHealth[]): MachineHealth[] {
  return machines.toSorted((a, b) => states.indexOf(a.state) - states.indexOf(b.state));
}

export function failingFirst(runs: readonly RunHealth[]): RunHealth[] {
  return runs.toSorted((a, b) => Number(a.failingSince === null) - Number(b.failingSince === null));
}
