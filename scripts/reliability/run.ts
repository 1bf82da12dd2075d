// Runs the reliability checks one after the other and prints their figures as a table.
//
//   node scripts/reliability/run.ts [--only NAME,…] [--rounds FACTOR] [--seed NUMBER] [--json FILE] [--publish] [--list]
//
// --publish writes the figures into docs/reliability.md; only for a complete run.

import { writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { version } from '../../packages/server/src/version.ts';
import type { Check, Figure } from './check.ts';
import { checks } from './checks.ts';
import { publish, type Result, render } from './report.ts';
import { createWorld } from './world.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '1' },
    seed: { type: 'string' },
    json: { type: 'string' },
    publish: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const only = values.only?.split(',');
const factor = Number(values.rounds);
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
const unknown = (only ?? []).filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0 || !(factor > 0) || (values.publish && only) || !Number.isInteger(seed)) {
  const names = checks.map(({ name }) => name).join(', ');
  process.stderr.write(
    `usage: [--only ${names}] [--rounds FACTOR] [--seed WHOLE_NUMBER] [--json FILE] [--publish] [--list]\n`,
  );
  process.exit(2);
}
if (values.list) {
  for (const { name, what } of checks) process.stdout.write(`${name.padEnd(12)} ${what}\n`);
  process.exit(0);
}

/** Mulberry32: small, and the same everywhere. */
function createRandom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function run(check: Check): Promise<Result> {
  const skipped = check.unavailable?.();
  if (skipped !== undefined) return { check: check.name, seconds: 0, skipped, figures: [] };
  const world = createWorld();
  const startedMs = performance.now();
  let figures: Figure[];
  try {
    const rounds = (published: number) => Math.max(1, Math.round(published * factor));
    figures = await check.run({ rounds, random: createRandom(seed), world });
  } catch (error) {
    const measured = error instanceof Error ? (error.stack ?? error.message) : String(error);
    figures = [{ what: 'the check runs to its end', asked: 'yes', measured, reached: false }];
  } finally {
    await world.end();
  }
  return { check: check.name, seconds: Math.round((performance.now() - startedMs) / 1000), figures };
}

const machine = {
  node: process.version,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${process.platform} ${release()}`,
};
process.stderr.write(`seed ${seed}, rounds × ${factor}\n`);
const results: Result[] = [];
for (const check of checks) {
  if (only && !only.includes(check.name)) continue;
  process.stderr.write(`${check.name} …\n`);
  results.push(await run(check));
}
const report = { seed, factor, version, machine, results };
process.stdout.write(`${render(report)}\n`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
if (values.publish) publish(report);
if (results.some(({ figures }) => figures.some(({ reached }) => !reached))) process.exitCode = 1;
