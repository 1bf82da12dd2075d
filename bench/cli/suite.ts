// What starting the command line costs, compared with starting Node.js with nothing to do.

import path from 'node:path';
import { measureProcess } from '../process.ts';
import { type Figure, median, type SuiteResult } from '../result.ts';

const rounds = 15;
const program = path.resolve(import.meta.dirname, '../../packages/cli/bin/run.js');

/** Measures CPU time of `--version`, `--help` and a command that needs no server. */
export async function run(): Promise<SuiteResult> {
  const commands: [name: string, args: string[], aim?: string][] = [
    ['envsnap --version', [program, '--version'], '≤ 1.5'],
    ['envsnap --help', [program, '--help'], '≤ 3.0'],
    ['envsnap compare --help', [program, 'compare', '--help'], '≤ 3.0'],
    ['envsnap profile list', [program, 'profile', 'list'], '≤ 3.0'],
  ];
  const bare: number[] = [];
  const measured = commands.map(() => [] as number[]);
  for (let round = 0; round < rounds; round += 1) {
    bare.push((await measureProcess(['-e', '0'])).cpuMs);
    for (const [index, [, args]] of commands.entries())
      measured[index]?.push((await measureProcess(args)).cpuMs);
  }
  const figures = commands.map(
    ([name, , aim], index): Figure => ({
      name,
      value: median(measured[index] ?? []),
      unit: 'ms CPU',
      baseline: { name: 'node -e 0', value: median(bare) },
      ...(aim ? { aim } : {}),
    }),
  );
  return { suite: 'cli', rounds, figures };
}
