// When a value changed, on each machine.

import type { ValueSeries } from '@envsnap/shared';

export interface Observation extends Omit<ValueSeries['changes'][number], 'value'> {
  readonly machineName: string;
  readonly value: string | null;
  /** Whether the snapshot does not know the value. Only asked if it is suddenly missing. */
  readonly isUnknown: () => boolean | Promise<boolean>;
}

/** The changes of each machine, by its name. The observations are sorted by time. */
export async function seriesOf(
  observations: readonly Observation[],
  shown: (value: string | null) => string | null,
): Promise<ValueSeries[]> {
  const machines = new Map<string, { readonly series: ValueSeries; value?: string | null }>();
  for (const { machineName, value, isUnknown, ...snapshot } of observations) {
    const state = machines.get(machineName) ?? { series: { machineName, snapshots: 0, changes: [] } };
    machines.set(machineName, state);
    state.series.snapshots += 1;
    // An unknown value is not a change: the value before it remains.
    if (value === null && state.value && (await isUnknown())) continue;
    if (value !== state.value) state.series.changes.push({ ...snapshot, value: shown(value) });
    state.value = value;
  }
  return [...machines.values()]
    .map(({ series }) => series)
    .sort((x, y) => (x.machineName < y.machineName ? -1 : 1));
}
