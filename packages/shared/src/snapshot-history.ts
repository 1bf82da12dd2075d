// Operations over many snapshots at once: the newest of each machine, and when a value changed. Additive (docs/specification.md §9).

import * as z from 'zod';
import { addressForms, parseAddress } from './address.ts';
import { outcome } from './diagnosis.ts';
import { defineOperations } from './operation.ts';
import * as p from './primitives.ts';
import { snapshotSummary } from './snapshot.ts';

/** Longest key: a section, a dependency file and a package. */
const addressLength = 8192;
/** Maximum number of keys that a list of machines looks up. */
export const keysPerMachineList = 20;
/** Maximum number of snapshots that a history reads, and the default: the newest ones. */
export const historyMaxSnapshots = 1000;
const historyDefaultSnapshots = 200;

const isKey = (key: string) => parseAddress(key) !== undefined;
const keyMessage = `must be a key: ${addressForms}`;

const keyValue = z.object({
  key: p.string('The requested key.'),
  value: p.stringOrNull(
    'Null if the snapshot has no value. Values of variables are not shown: each different value is a number in this response, or "set" if it cannot be compared.',
  ),
});

export const machine = p.object('Machine', {
  machineName: p.string('Name of the machine.'),
  snapshots: z.number().int().min(1).describe('How many of its snapshots are stored.'),
  latest: snapshotSummary.describe('Its newest snapshot.'),
  values: p.list(keyValue, 'The values of the requested keys, in the same order.'),
});
export type Machine = z.output<typeof machine>;

/** A value, from one snapshot until the next change. */
export const valueChange = p.object('ValueChange', {
  snapshotId: p.uuid.describe('Snapshot in which the value was first seen.'),
  createdAt: p.timestamp.describe('When that snapshot was stored.'),
  value: p.stringOrNull(
    'Null if there is none. Values of variables are not shown: each different value is a number.',
  ),
  outcome: p.orNull(outcome, 'Result of the run of that snapshot (`metadata.outcome`); null if it has none.'),
});

export const valueSeries = p.object('ValueSeries', {
  machineName: p.string('Name of the machine.'),
  snapshots: p.int('How many of its snapshots were read.'),
  changes: p.list(
    valueChange,
    'Oldest first. The first entry is the value of the oldest snapshot that was read.',
  ),
});
export type ValueSeries = z.output<typeof valueSeries>;

export const snapshotHistoryOperations = defineOperations('snapshots', {
  listMachines: {
    route: 'GET /machine/machines',
    summary: 'List machines, each with its newest snapshot',
    access: 'any',
    query: p.pageQuery.extend({
      keys: p
        .boundedText(0, addressLength * keysPerMachineList)
        .refine(
          (value) => value.split(',').length <= keysPerMachineList,
          `must be at most ${keysPerMachineList} keys`,
        )
        .refine((value) => value.split(',').every(isKey), `must be keys separated by commas: ${addressForms}`)
        .optional()
        .describe('Keys to look up in the newest snapshot of each machine, separated by commas.'),
    }),
    response: p.named(
      'PageOfMachines',
      p.pageInfo.extend({
        machines: p.list(
          machine,
          'The machines of this page, by name; fewer than "limit" if values are long. The next page begins after the last one.',
        ),
      }),
    ),
    answer: 'A page of machines, each with its newest snapshot.',
    errors: ['too_much_work'],
  },

  getHistory: {
    route: 'GET /machine/history',
    summary: 'Show when a value changed, on each machine',
    access: 'any',
    query: z.object({
      key: p
        .boundedText(1, addressLength)
        .refine(isKey, keyMessage)
        .describe(`Key to follow: ${addressForms}.`),
      machineName: p.machineNameFilter.optional().describe('Only this machine.'),
      snapshots: p
        .queryInteger(1)
        .transform((value) => Math.min(value, historyMaxSnapshots))
        .default(historyDefaultSnapshots)
        .meta({
          'x-query': {
            type: 'integer',
            minimum: 1,
            maximum: historyMaxSnapshots,
            default: historyDefaultSnapshots,
          },
        })
        .describe(`How many of the newest snapshots to read; at most ${historyMaxSnapshots}.`),
    }),
    response: z.object({
      key: p.string('The requested key.'),
      series: p.list(valueSeries, 'The machines, sorted by name.'),
      scanned: p.int('How many snapshots were read.'),
      total: p.int('How many snapshots there are.'),
      limitReached: p.bool(
        'Whether older snapshots were left out because they have more data than one request may read.',
      ),
    }),
    answer: 'The changes of the value on each machine.',
    errors: ['too_much_work'],
  },
});
