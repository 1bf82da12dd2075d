// What a case is: a public report, rebuilt as a difference between two machines, with the true cause as its label. The cases
// themselves are the files of the folder cases.

import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { z } from 'zod';
import { machineKinds } from './machines.ts';
import { projectNames } from './projects.ts';
import { createRandom, hashOf } from './random.ts';

const values = <Value extends z.ZodType>(value: Value) => z.record(z.string(), value.nullable()).optional();

/** What is other on one side than the project and the machine say. Null: not there. */
const change = z.strictObject({
  env: values(z.string()),
  runtimes: values(z.string()),
  facts: values(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  /** Lock file to package to installed version. */
  installed: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  dependencies: z.record(z.string(), z.record(z.string(), z.string().nullable())).optional(),
  system: z.record(z.string(), z.unknown()).optional(),
  timezone: z.string().optional(),
  locale: z.string().optional(),
  arch: z.enum(['x64', 'arm64']).optional(),
});
export type Change = z.infer<typeof change>;

export const causeKinds = [
  'variable or PATH',
  'installed other than locked',
  'runtime or package version',
  'image or service version',
  'language or time zone',
  'basic tools',
  'limits',
  'processor or C library',
  'git configuration',
  'registry',
  'file system',
  'TLS',
  'network',
  'fonts',
  'drivers',
] as const;

const machine = z.enum(machineKinds);

const causeCase = z.strictObject({
  /** The report. Its path is the case's id. Absent where the output is what the program is known to print. */
  report: z.url().optional(),
  /** The id of a case without a report. */
  name: z.string().optional(),
  kind: z.enum(causeKinds),
  project: z.enum(projectNames),
  /** What differed, in a few words. Absent where the output is all that is asked about. */
  differed: z.string().optional(),
  /** How it showed, where the output does not say it. */
  showed: z.string().optional(),
  /**
   * Output of the failure. About ten are read in the reports; the author of the rules that read outputs wrote the rest, as the
   * program's standard message. So what is measured with an output is not measured on unseen data.
   */
  output: z.string().optional(),
  /** It works on the first and fails on the second. Default: drawn by the report's address. */
  machines: z.tuple([machine, machine]).optional(),
  works: change,
  fails: change,
  /** `section:key`; several where one difference shows in several places, any of which names it. */
  cause: z.array(z.string()).min(1),
});

/** The parts of the cases. */
export const caseSets = [
  'held out',
  'tuning',
  'later, looked at',
  'later, counted',
  'newest, counted',
  'outputs, tuning',
  'outputs, held out',
  'outputs, unseen',
  'reported, mended',
  'reported, held out',
  'reported, later',
  'misleading',
] as const;
export type CaseSet = (typeof caseSets)[number];

export interface CauseCase extends z.infer<typeof causeCase> {
  /** `nodejs/node/issues/50504` of the report's address, or the name. */
  readonly id: string;
  readonly set: CaseSet;
}

/**
 * Weights are tuned on one half and judged on the other; which half a case is in depends on its report's address alone.
 * What was collected after the weights stood still is apart, in two halves by the same hash.
 */
const setsOfFiles: Readonly<Record<string, readonly [even: CaseSet, odd: CaseSet]>> = {
  first: ['tuning', 'held out'],
  later: ['later, looked at', 'later, counted'],
  newest: ['newest, counted', 'newest, counted'],
  // Written down to measure what an output is worth: the first before rules were mended, the second afterwards; of the third each
  // output mentions what is not the cause.
  outputs: ['outputs, tuning', 'outputs, held out'],
  unseen: ['outputs, unseen', 'outputs, unseen'],
  // Found by a search for reports, written down whole and split before the first run.
  reported: ['reported, mended', 'reported, held out'],
  // Written down when the rules had been mended.
  fresh: ['reported, later', 'reported, later'],
  misleading: ['misleading', 'misleading'],
};

/** What else is other where a reported case fails: three of these, drawn by its id. */
const unrelated: readonly Change[] = [
  ...['LOG_LEVEL=debug', 'STAGE=ci', 'SMTP_HOST=mail', 'BUILD_ID=7', 'DATA_DIR=/data', 'NODE_ENV=test'],
  ...['API_URL=http://localhost:4000', 'WEB_CONCURRENCY=2', 'OMP_NUM_THREADS=4', 'RUST_LOG=info'],
]
  .map((variable): Change => {
    const [name = '', value = ''] = variable.split('=');
    return { env: { [name]: value } };
  })
  .concat(
    [{ node: '22.12.0' }, { python: '3.12.4' }, { go: '1.22.6' }, { npm: '10.9.2' }].map((runtimes) => ({
      runtimes,
    })),
    [{ 'process.umask': '0002' }, { 'fs.type': 'overlay' }, { 'git.core.autocrlf': 'input' }].map(
      (facts) => ({ facts }),
    ),
  );

function withUnrelated(id: string, { fails, cause }: z.infer<typeof causeCase>): Change {
  const free = unrelated.filter((change) => !cause.some((key) => keysOf(change).includes(key)));
  const drawn = createRandom(`${id}/unrelated`).some(free, 3, 3);
  const merged = (section: 'env' | 'runtimes' | 'facts') =>
    Object.assign({}, ...drawn.map((change) => change[section]), fails[section]);
  return { ...fails, env: merged('env'), runtimes: merged('runtimes'), facts: merged('facts') };
}

function keysOf(change: Change): string[] {
  return Object.entries(change).flatMap(([section, entries]) =>
    Object.keys(entries as object).map((key) => `${section}:${key}`),
  );
}

/** All cases, in the order of their files. */
export const cases: readonly CauseCase[] = Object.entries(setsOfFiles).flatMap(([name, sets]) => {
  const file = new URL(`cases/${name}.yaml`, import.meta.url);
  return z
    .array(causeCase)
    .parse(load(readFileSync(file, 'utf8')))
    .map((one) => {
      const id = one.report?.replace('https://github.com/', '') ?? one.name;
      if (id === undefined) throw new Error(`a case of ${name} has neither report nor name`);
      const fails = one.differed === undefined ? withUnrelated(id, one) : one.fails;
      return { ...one, id, fails, set: sets[hashOf(id) % 2 === 0 ? 0 : 1] };
    });
});
