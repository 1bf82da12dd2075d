// Prints after a run how long the tests of each package took.

import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const testFolder = path.resolve(import.meta.dirname, '..');

/** Seconds of the tests' own time, summed by their folder in `test`. Files run in parallel. */
export class TimeByPackage implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const totals = new Map<string, { ms: number; tests: number }>();
    for (const module of modules) {
      const [name = ''] = path.relative(testFolder, module.moduleId).split(path.sep);
      const total = totals.get(name) ?? { ms: 0, tests: 0 };
      total.ms += module.diagnostic().duration;
      total.tests += [...module.children.allTests()].length;
      totals.set(name, total);
    }
    if (totals.size < 2) return;
    const rows = [...totals].sort(([, a], [, b]) => b.ms - a.ms);
    process.stdout.write('\nTime by package (files run side by side)\n');
    for (const [name, { ms, tests }] of rows)
      process.stdout.write(
        `  ${name.padEnd(14)}${(ms / 1000).toFixed(1).padStart(8)} s  ${String(tests).padStart(5)} tests\n`,
      );
  }
}
