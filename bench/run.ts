// Runs the benchmarks, each beside its baseline in the same run, and writes the results as JSON and as the README's table.
//
//   node --conditions=envsnap-source bench/run.ts [SUITE…]     default all

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { renderTable, type SuiteResult } from './result.ts';

const suites: Record<string, () => Promise<{ run: () => Promise<SuiteResult> }>> = {
  service: () => import('./service/suite.ts'),
  compare: () => import('./compare/suite.ts'),
  cli: () => import('./cli/suite.ts'),
  capture: () => import('./capture/suite.ts'),
  lockfiles: () => import('./lockfiles/suite.ts'),
  diagnosis: () => import('./diagnosis/suite.ts'),
  causes: () => import('./causes/suite.ts'),
};

const suiteNames = process.argv.slice(2);
const unknown = suiteNames.filter((name) => !(name in suites));
if (unknown.length > 0) {
  process.stderr.write(`no suite ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}\n`);
  process.exit(2);
}

const results: SuiteResult[] = [];
for (const [name, load] of Object.entries(suites)) {
  if (suiteNames.length > 0 && !suiteNames.includes(name)) continue;
  process.stderr.write(`running ${name} …\n`);
  const { run } = await load();
  results.push(await run());
}

const machine = {
  node: process.version,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
};
const folder = path.join(import.meta.dirname, 'results');
mkdirSync(folder, { recursive: true });
const stamp = new Date().toISOString().replace(/[:.]/g, '-');
writeFileSync(path.join(folder, `${stamp}.json`), `${JSON.stringify({ machine, results }, null, 2)}\n`);
const table = renderTable(results, machine);
process.stdout.write(`${table}\n`);

// Only a complete run replaces the table; a partial one would mix figures of different days.
if (suiteNames.length === 0) {
  const readme = path.join(import.meta.dirname, 'README.md');
  const [before, , after] = readFileSync(readme, 'utf8').split(/<!-- results (?:begin|end) -->/);
  writeFileSync(readme, `${before}<!-- results begin -->\n${table}\n<!-- results end -->${after}`);
}
