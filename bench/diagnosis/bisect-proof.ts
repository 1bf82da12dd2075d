// Bisects every case of a planted environment bug among 80 other differences.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { load } from 'js-yaml';
import { capture } from '../../packages/capture/src/capture-folder.ts';
import type { CapturedSnapshot } from '../../packages/capture/src/capture-types.ts';
import { createSystem } from '../../packages/capture/src/system/node-system.ts';
import { bisect } from '../../packages/cli/src/actions/bisect/bisect.ts';
import { planChanges } from '../../packages/cli/src/actions/bisect/bisect-changes.ts';
import { createRandom } from '../causes/random.ts';
import { type Figure, median } from '../result.ts';
import { type BisectCase, bisectCases } from './bisect-cases.ts';

const furtherDifferences = 80;
const usual = load(readFileSync(new URL('usual-variables.yaml', import.meta.url), 'utf8')) as Record<
  string,
  string
>;
/** Runs of each side before the search; the command's default. */
const repetitions = 3;

export interface CaseResult {
  readonly name: string;
  readonly ok: boolean;
  readonly runs: number;
  /** How many differences were planned, the planted ones included. */
  readonly differences: number;
  readonly said: string;
}

/** Variables and settings that have no effect on these commands and differ between any two machines. */
function addNoise(snapshot: CapturedSnapshot, folder: string, seed: string): void {
  const random = createRandom(seed);
  const { envVars } = snapshot;
  Object.assign(envVars, usual);
  const folders = ['bin-a', 'bin-b'].map((name) => path.join(folder, name));
  for (const each of folders) mkdirSync(each, { recursive: true });
  envVars.PATH = `${envVars.PATH}:${folders.join(':')}`;
  const words = ['APP', 'SERVICE', 'QUEUE', 'WORKER', 'REPORT', 'BILLING', 'SEARCH', 'MAIL'];
  // Some of the usual ones exist already, or count as absent.
  const more = furtherDifferences + 3 - Object.keys(usual).length - folders.length;
  for (let index = 0; index < more; index += 1)
    envVars[`${random.pick(words)}_${random.hex(4).toUpperCase()}_${index}`] = random.hex(6);
}

/** Bisects one case in its own folder. */
async function bisectCase(planted: BisectCase): Promise<CaseResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-bench-'));
  try {
    const files = path.join(folder, 'files');
    const home = path.join(folder, 'home');
    for (const each of [files, home, path.join(folder, 'work')]) mkdirSync(each, { recursive: true });
    for (const [name, content] of Object.entries(planted.files ?? {})) {
      mkdirSync(path.dirname(path.join(files, name)), { recursive: true });
      writeFileSync(path.join(files, name), content, { mode: content.startsWith('#!') ? 0o755 : 0o644 });
    }
    const basePath = `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
    const text = (value: string, list: string) => value.replaceAll('$F', files).replaceAll('$PATH', list);
    const env: Record<string, string> = {
      PATH: basePath,
      HOME: home,
      TERM: 'xterm',
      LANG: 'C.UTF-8',
      F: files,
    };
    for (const [name, value] of Object.entries(planted.here ?? {})) env[name] = text(value, basePath);
    const system = createSystem({ env, homeDir: home });
    const { snapshot: local } = await capture({ dir: path.join(folder, 'work') }, system);
    const a = structuredClone(local) as CapturedSnapshot & { metadata: Record<string, unknown> };
    addNoise(a, folder, planted.name);
    plant(a, planted, (value) => text(value, a.envVars.PATH ?? basePath), basePath);
    const plan = await planChanges({
      a,
      b: local,
      local,
      bIsLocal: true,
      checkout: path.join(folder, 'work'),
      env,
    });
    // Each run begins in an empty folder, as a CI job does.
    const work = path.join(folder, 'work');
    const script = `rm -rf ${work}/run && mkdir ${work}/run && cd ${work}/run && { ${planted.script}\n}`;
    const outcome = await bisect({
      ...plan,
      command: ['sh', '-c', script],
      cwd: work,
      local,
      env,
      runs: repetitions,
      timeoutMs: 30_000,
      failsIf: { kind: 'any-failure' },
    });
    if (outcome.outputFolder) rmSync(outcome.outputFolder, { recursive: true, force: true });
    const found = outcome.causes.flat().map(({ id }) => id);
    const expected = [...planted.cause].sort();
    const named = found
      .map((id) => expected.find((key) => id === key || id.startsWith(`${key} `)) ?? id)
      .sort();
    return {
      name: planted.name,
      ok: outcome.verdict === 'proven' && named.join() === expected.join(),
      runs: outcome.runs,
      differences: plan.changes.length,
      said: `${outcome.verdict}: ${found.join(', ')}`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function plant(
  a: CapturedSnapshot & { metadata: Record<string, unknown> },
  planted: BisectCase,
  text: (value: string) => string,
  basePath: string,
): void {
  for (const name of Object.keys(planted.here ?? {})) {
    if (name === 'PATH')
      a.envVars.PATH = (a.envVars.PATH ?? '').replace(/^.*?(?=\/[^:]*:\/usr\/local\/bin)/, '') || basePath;
    else delete a.envVars[name];
  }
  for (const [name, value] of Object.entries(planted.env ?? {})) {
    if (value === null) delete a.envVars[name];
    else a.envVars[name] = text(value);
  }
  if (planted.timezone) a.metadata.timezone = planted.timezone;
  a.metadata.facts = { ...(a.metadata.facts as object), ...planted.facts };
}

/** Measures all cases. */
export async function proveBisect(): Promise<{ figures: Figure[]; results: CaseResult[] }> {
  const results: CaseResult[] = [];
  for (const each of bisectCases) results.push(await bisectCase(each));
  const proven = results.filter(({ ok }) => ok).length;
  const figures: Figure[] = [
    {
      name: `bisect: planted cause proven, ${results.length} commands, ${furtherDifferences} further differences`,
      value: (100 * proven) / results.length,
      unit: '%',
      aim: '≥ 90%',
    },
    {
      name: 'bisect: runs of the command, all of them',
      value: median(results.map(({ runs }) => runs)),
      unit: 'runs',
      aim: '≤ 15',
    },
  ];
  return { figures, results };
}
