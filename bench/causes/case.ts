// What a case is: a public report, rebuilt as a difference between two machines, with the true cause as its label. The cases
// themselves are the files of the folder cases.

import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { z } from 'zod';
import { type MachineKind, machineKinds } from './machines.ts';
import { projectNames } from './projects.ts';
import { createRandom, hashOf } from './random.ts';

/** How one side differs from its project and machine. Null: absent. */
export interface Change {
  readonly env?: Readonly<Record<string, string | null>>;
  readonly runtimes?: Readonly<Record<string, string | null>>;
  readonly facts?: Readonly<Record<string, string | number | boolean | readonly string[] | null>>;
  /** Lock file to package to installed version. */
  readonly installed?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
  readonly system?: Readonly<Record<string, unknown>>;
  readonly timezone?: string;
  readonly locale?: string;
  readonly arch?: string;
}

/**
 * `[where it works, where it fails]`; null: absent. A plain value, like `{ fails: value }`, is that of the failing side, and the
 * other side keeps its usual value; `{ works: value }` is the reverse.
 */
const sides = <Value extends z.ZodType>(value: Value, plain: z.ZodType = value) => {
  const either = value.nullable();
  return z.union([
    z.tuple([either, either]).transform(([works, fails]) => ({ works, fails })),
    z.strictObject({ works: value }),
    z.strictObject({ fails: value }),
    plain.nullable().transform((fails) => ({ fails })),
  ]);
};
const named = <Value extends z.ZodType>(value: Value) => z.record(z.string(), value).optional();
const text = sides(z.string());
const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** A change on both sides. */
const differences = z.strictObject({
  env: named(text),
  runtimes: named(text),
  facts: named(sides(z.union([scalar, z.array(z.string())]), scalar)),
  installed: named(z.record(z.string(), text)),
  dependencies: named(z.record(z.string(), text)),
  system: named(sides(z.unknown(), z.record(z.string(), z.unknown()))),
  timezone: text.optional(),
  locale: text.optional(),
  arch: text.optional(),
});
type Differences = z.infer<typeof differences>;

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
  /** The report on GitHub; its path is the case's id. Absent if the output is one that the program is known to print. */
  report: z
    .string()
    .regex(/^[\w.-]+\/[\w.-]+\/./)
    .optional(),
  /** The id of a case without a report. */
  name: z.string().optional(),
  /** Kind of cause, project, and the machines where it works and fails. Default of these: drawn by the report's address. */
  of: z.union([
    z.tuple([z.enum(causeKinds), z.enum(projectNames), machine, machine]),
    z.tuple([z.enum(causeKinds), z.enum(projectNames)]),
  ]),
  /** What differed, in a few words. Absent if the case is only about the output. */
  differed: z.string().optional(),
  /** The symptom, if the output does not show it. */
  showed: z.string().optional(),
  /** The cause; any of its differences counts as naming it. */
  cause: differences.default({}),
  /** Other differences from the project and the machines. */
  beside: differences.default({}),
  /** `section:key` of every place where the cause shows, if these are not its differences. */
  keys: z.array(z.string()).min(1).optional(),
  /**
   * Output of the failure. About ten are from the reports. The author of the rules wrote the rest, from the programs' standard
   * messages, so figures with an output are not measured on unseen data.
   */
  output: z.string().optional(),
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

export interface CauseCase {
  /** `nodejs/node/issues/50504` of the report's address, or the name. */
  readonly id: string;
  readonly set: CaseSet;
  readonly kind: (typeof causeKinds)[number];
  readonly project: (typeof projectNames)[number];
  /** It works on the first and fails on the second. */
  readonly machines?: readonly [MachineKind, MachineKind];
  readonly differed?: string | undefined;
  readonly output?: string | undefined;
  readonly works: Change;
  readonly fails: Change;
  /** `section:key`; several if one difference shows in several places, any of which counts. */
  readonly cause: readonly string[];
}

/**
 * Weights are tuned on one half and judged on the other; only the report's address decides the half. Cases that were collected
 * after the weights were fixed are separate, in two halves by the same hash.
 */
const setsOfFiles: Readonly<Record<string, readonly [even: CaseSet, odd: CaseSet]>> = {
  first: ['tuning', 'held out'],
  later: ['later, looked at', 'later, counted'],
  newest: ['newest, counted', 'newest, counted'],
  // Written to measure what an output is worth: the first before rules were fixed, the second afterwards; outputs of the third
  // mention something other than the cause.
  outputs: ['outputs, tuning', 'outputs, held out'],
  unseen: ['outputs, unseen', 'outputs, unseen'],
  // Found by searching for reports, written completely and split before the first run.
  reported: ['reported, mended', 'reported, held out'],
  // Written after the rules had been fixed.
  fresh: ['reported, later', 'reported, later'],
  misleading: ['misleading', 'misleading'],
};

/** Differences that have nothing to do with a reported case: three of these, drawn by its id, are on the failing side. */
const unrelated: readonly Change[] = [
  'LOG_LEVEL=debug',
  'STAGE=ci',
  'SMTP_HOST=mail',
  'BUILD_ID=7',
  'DATA_DIR=/data',
  'NODE_ENV=test',
  'API_URL=http://localhost:4000',
  'WEB_CONCURRENCY=2',
  'OMP_NUM_THREADS=4',
  'RUST_LOG=info',
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

function withUnrelated(id: string, fails: Change, cause: readonly string[]): Change {
  const free = unrelated.filter((change) => !cause.some((key) => placesIn(change).includes(key)));
  const drawn = createRandom(`${id}/unrelated`).some(free, 3, 3);
  const merged = (section: 'env' | 'runtimes' | 'facts') =>
    Object.assign({}, ...drawn.map((change) => change[section]), fails[section]);
  return { ...fails, env: merged('env'), runtimes: merged('runtimes'), facts: merged('facts') };
}

function placesIn(change: Change): string[] {
  return Object.entries(change).flatMap(([section, named]) =>
    Object.keys(named as object).map((name) => `${section}:${name}`),
  );
}

/** Values by their path of names: section, then file or name, then package. */
function leavesOf(all: Differences): [path: string[], value: object][] {
  const depths: Record<string, number> = { timezone: 1, locale: 1, arch: 1, installed: 3, dependencies: 3 };
  const below = (path: string[], value: object): [string[], object][] =>
    path.length === (depths[path[0] as string] ?? 2)
      ? [[path, value]]
      : Object.entries(value).flatMap(([name, each]) => below([...path, name], each));
  return (Object.entries(all) as [string, object][]).flatMap(([section, value]) => below([section], value));
}

function sideOf(side: 'works' | 'fails', parts: readonly Differences[]): Change {
  const change: Record<string, unknown> = {};
  for (const [path, value] of parts.flatMap(leavesOf)) {
    if (!(side in value)) continue;
    let place = change;
    for (const name of path.slice(0, -1)) {
      place[name] ??= {};
      place = place[name] as typeof change;
    }
    place[path.at(-1) as string] = (value as Record<string, unknown>)[side];
  }
  return change;
}

/** Where a difference shows. */
function placesOf([section = '', ...names]: readonly string[]): string[] {
  const key = names.join('/');
  if (section === 'env') return [`env:${key}`, `paths:${key}`];
  if (section === 'runtimes') return [`runtimes:${key}`, `toolchain:${key}`];
  if (section === 'timezone') return ['system:timezone', 'env:TZ'];
  if (section === 'locale') return ['system:locale', 'facts:locale.categories'];
  return [`${section}:${key || section}`];
}

function caseOf({ report, name, of, cause, beside, keys, ...rest }: z.infer<typeof causeCase>) {
  const id = report ?? name;
  if (id === undefined) throw new Error(`a case of ${of.join(', ')} has neither report nor name`);
  const [kind, project, worksOn, failsOn] = of;
  const places = keys ?? leavesOf(cause).flatMap(([path]) => placesOf(path));
  if (places.length === 0) throw new Error(`${id} has no cause`);
  const fails = sideOf('fails', [cause, beside]);
  return {
    ...rest,
    id,
    kind,
    project,
    cause: places,
    ...(worksOn && failsOn && { machines: [worksOn, failsOn] as const }),
    works: sideOf('works', [cause, beside]),
    fails: rest.differed === undefined ? withUnrelated(id, fails, places) : fails,
  };
}

export const cases: readonly CauseCase[] = Object.entries(setsOfFiles).flatMap(([name, sets]) => {
  const file = new URL(`cases/${name}.yaml`, import.meta.url);
  return z
    .array(causeCase)
    .parse(load(readFileSync(file, 'utf8')))
    .map(caseOf)
    .map((one) => ({ ...one, set: sets[hashOf(one.id) % 2 === 0 ? 0 : 1] }));
});
