// envsnap matrix

import { string as stringArg } from '@oclif/core/args';
import { boolean } from '@oclif/core/flags';
import { compareMachines } from '../actions/comparison/compare-machines.ts';
import { BaseCommand } from '../base-command.ts';
import { connectionWords } from '../connection/settings.ts';
import type { Matrix as Compared } from '../documents/machine-documents.ts';
import { connectionFlags, repeatable } from '../flags.ts';
import { renderMatrix } from '../render/comparison/matrix.ts';

export default class Matrix extends BaseCommand {
  static override summary =
    'Show the runtimes of many machines side by side, and which machine is the odd one out.';
  static override description =
    'Compares the newest snapshot of each machine that is named; of all machines when none is. * marks a value that ' +
    'differs from what most machines have, ≠ a row in which no value has a majority. More than six machines stand one below ' +
    'the other; what is equal on all is one line, unless --all is given.';
  static override examples = [
    'envsnap matrix',
    'envsnap matrix web-1 web-2 web-3 --key dependencies:package-lock.json/zod --key env:TZ',
  ];
  static override strict = false;
  static override args = {
    machine: stringArg({
      name: 'MACHINE',
      description: 'Machines to compare; by default all.',
      ignoreStdin: true,
    }),
  };
  static override flags = {
    key: repeatable(
      'Compare this value too: dependencies:FILE/PACKAGE, env:NAME, facts.NAME, system.FACT, metadata.PATH',
      'KEY',
    ),
    all: boolean({
      summary: 'Also show runtimes that no project asks for, and facts that are seldom a cause.',
    }),
    'only-different': boolean({ summary: 'Leave out what is the same on every machine.' }),
    ...connectionFlags,
  };

  override async run(): Promise<Compared> {
    const { argv, flags } = await this.parse(Matrix);
    const store = await this.snapshotStore(flags);
    const matrix = await compareMachines(store, argv.map(String), flags.key ?? []);
    const { all, 'only-different': onlyDifferent } = flags;
    const connection = connectionWords(flags);
    this.print(renderMatrix(matrix, this.screen, { onlyDifferent, all, connection }));
    return matrix;
  }
}
