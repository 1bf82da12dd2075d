// Proves the diagnosis: planted causes among the noise of machines, and planted bugs for the bisection.

import type { SuiteResult } from '../result.ts';
import { proveBisect } from './bisect-proof.ts';
import { proveWhy } from './why-proof.ts';

/** Trials of each strength and size. */
const trialsEach = 220;

export async function run(): Promise<SuiteResult> {
  const why = await proveWhy(trialsEach);
  const { figures: bisect, results } = await proveBisect();
  for (const { ok, name, said } of results)
    if (!ok) process.stderr.write(`not as planted: ${name} (${said})\n`);
  return { suite: 'diagnosis', rounds: trialsEach, figures: [...why, ...bisect] };
}
