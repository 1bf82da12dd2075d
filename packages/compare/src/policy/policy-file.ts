// Parses a policy file, and reports every mistake with its line and what was probably meant.

import { isFactName } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { limits } from '@envsnap/shared/catalogue/limits';
import { isPlainObject } from '@envsnap/shared/plain-object';
import { nearestName } from '@envsnap/shared/text/nearest-name';
import { type Indented, parseIndented } from '@envsnap/shared/text/yaml-indentation';
import { createWorkBudget } from '@envsnap/shared/work-budget';
import { isRequirement } from '@envsnap/versions';
import { FAILSAFE_SCHEMA, load, YAMLException } from 'js-yaml';
import { environmentOf } from '../environment/environment.ts';
import type { ComparableEnvironment } from '../model/model.ts';
import { type FailRule, parseFailOn } from './fail-on.ts';
import { ignoreTest, PatternError } from './ignore-patterns.ts';
import { operatingSystemMeant, suggestName } from './known-names.ts';
import type { Policy } from './policy.ts';
import { policySchema } from './policy-schema.ts';
import { presetRules } from './presets.ts';
import { type PositionFinder, type TextPosition, yamlPositions } from './yaml-positions.ts';

export { isDay } from './policy.ts';

/** Maximum number of problems in a message: later ones are often consequences, and a long file may have thousands. */
const listedProblems = 20;

interface PolicyProblem extends TextPosition {
  readonly path: string;
  readonly message: string;
}

/** A policy file that cannot be used; the message lists up to 20 problems as `file:line:column path: what is wrong`. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
  readonly problems: readonly PolicyProblem[];

  constructor(file: string, problems: readonly PolicyProblem[]) {
    const lines = problems
      .slice(0, listedProblems)
      .map(
        ({ line, column, path, message }) => `${file}:${line}:${column} ${path ? `${path}: ` : ''}${message}`,
      );
    const more = problems.length - lines.length;
    super([...lines, ...(more > 0 ? [`${file}: and ${more} more`] : [])].join('\n'));
    this.problems = problems;
  }
}

export interface LoadedPolicy {
  readonly file: string;
  readonly policy: Policy;
  readonly failOn: readonly FailRule[] | undefined;
  readonly lineOf: (path: readonly string[]) => number;
}

/** Parses the text of a policy file. Throws {@link PolicyError}, also for facts that this version does not know unless
 * `anyFact`. */
export function parsePolicy(source: string, file: string, { anyFact = false } = {}): LoadedPolicy {
  const text = source.replace(/^\uFEFF/, '');
  const isBlank = text.split('\n').every((line) => /^\s*(#.*)?$/.test(line));
  if (isBlank) return { file, policy: {}, failOn: undefined, lineOf: () => 1 };
  const loaded = loadYaml(text, file);
  const document = withoutEmptyValues(loaded.value);
  const find = yamlPositions(loaded.text);
  const parsed = policySchema.safeParse(document);
  if (!parsed.success)
    throw new PolicyError(
      file,
      parsed.error.issues.flatMap((issue) => problemsOf(issue, find)),
    );
  const policy = parsed.data;
  const problems: PolicyProblem[] = [];
  const report: Report = (path, message) => problems.push({ ...find(path), path: path.join('.'), message });
  const failOn = readFailOn(policy, report);
  checkMeaning(policy, report);
  if (!anyFact) checkFacts(policy, report);
  if (problems.length > 0) throw new PolicyError(file, problems);
  return { file, policy, failOn, lineOf: (path) => find(path).line };
}

type Report = (path: readonly string[], message: string) => void;

function loadYaml(source: string, file: string): Indented<unknown> {
  try {
    return parseIndented(
      source,
      (text) => load(text, { schema: FAILSAFE_SCHEMA, filename: file, maxAliases: 0 }),
      (error) =>
        error instanceof YAMLException && error.reason === 'deficient indentation'
          ? error.mark?.line
          : undefined,
    );
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { line = 0, column = 0 } = error.mark ?? {};
    const message = unquotedRange(source, line) ?? `this is not valid YAML: ${error.reason}`;
    throw new PolicyError(file, [{ line: line + 1, column: column + 1, path: '', message }]);
  }
}

/** YAML reads `>` as the beginning of a folded text, so such a range needs quotes. */
function unquotedRange(text: string, line: number): string | undefined {
  const source = text.split('\n')[line] ?? '';
  const range = /^\s*(?:-\s+)?(?:[\w.-]+:\s+)?([<>|&*!%@`][^#]*)/.exec(source)?.[1]?.trimEnd();
  if (range === undefined || !/\d/.test(range)) return undefined;
  return `put the range in quotes: "${range}". YAML gives ${range[0]} another meaning.`;
}

/** `ignore:` without a value means the same as no `ignore`. */
function withoutEmptyValues(document: unknown): unknown {
  if (!isPlainObject(document)) return document;
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== ''));
}

type Issue = NonNullable<ReturnType<typeof policySchema.safeParse>['error']>['issues'][number];

const topKeys = Object.keys(policySchema.shape);
const acceptedKeys = ['key', 'a', 'b', 'reason', 'until'];
const expectKeys = ['os', 'arch', 'runtimes', 'env', 'system', 'facts'];

function problemsOf(issue: Issue, find: PositionFinder): PolicyProblem[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') {
    return [{ ...find(path), path: path.join('.'), message: issue.message }];
  }
  return issue.keys.map((key) => ({
    ...find([...path, key]),
    path: [...path, key].join('.'),
    message: unknownKeyMessage(path, key),
  }));
}

function unknownKeyMessage(path: readonly string[], key: string): string {
  const known = path[0] === 'expect' ? expectKeys : path[0] === 'accepted' ? acceptedKeys : topKeys;
  const near = nearestName(key, known);
  if (near) return `there is no such key here; did you mean "${near}"?`;
  if (path[0] === 'expect') {
    const section = /^[a-z]/.test(key) ? 'runtimes' : 'env';
    return `there is no such key here; to expect it of ${section === 'env' ? 'a variable' : 'a runtime'}, write it under expect.${section}.`;
  }
  if (expectKeys.includes(key)) return `there is no such key here; write it under expect: (expect.${key}).`;
  return `there is no such key here; known keys: ${known.join(', ')}.`;
}

function readFailOn(policy: Policy, report: Report): readonly FailRule[] | undefined {
  const { failOn, preset } = policy;
  if (failOn === undefined) return preset && presetRules(preset);
  if (typeof failOn === 'string') return readPattern(['failOn'], report, () => parseFailOn(failOn)) ?? [];
  return failOn.flatMap(
    (text, index) => readPattern(['failOn', String(index)], report, () => parseFailOn(text)) ?? [],
  );
}

function checkMeaning(policy: Policy, report: Report): void {
  const spend = createWorkBudget()('reading the patterns of the policy');
  const { ignore = [], accepted = [], expect = {} } = policy;
  for (const [index, pattern] of ignore.entries())
    readPattern(['ignore', String(index)], report, () => ignoreTest([pattern], spend));
  for (const [index, { key }] of accepted.entries())
    readPattern(['accepted', String(index), 'key'], report, () => ignoreTest([key], spend));
  for (const name of [expect.os ?? []].flat()) {
    const suggestion = operatingSystemMeant(name);
    if (suggestion !== undefined)
      report(['expect', 'os'], `captures call it "${suggestion}", not "${name}".`);
  }
  for (const [name, expected] of Object.entries(expect.runtimes ?? {})) {
    const path = ['expect', 'runtimes', name];
    const meant = suggestName('runtimes', name);
    if (meant !== undefined) report(path, `no tool is called "${name}"; did you mean "${meant}"?`);
    for (const requirement of [expected].flat().filter((each) => !isRequirement(each) && each.trim() !== '*'))
      report(
        path,
        `"${requirement.slice(0, 100)}" is neither a version nor a range; write for example ">=22 <25", "22" or "^1.4".`,
      );
  }
  for (const list of ['required', 'forbidden'] as const)
    for (const [index, name] of (policy[list] ?? []).entries())
      if (!/^[^\s=]+$/.test(name))
        report(
          [list, String(index)],
          `"${name}" is not the name of a variable; write the name alone, values go under expect.env.`,
        );
}

function checkFacts(policy: Policy, report: Report): void {
  for (const name of Object.keys(policy.expect?.facts ?? {}).filter((each) => !isFactName(each))) {
    const suggestion = suggestName('facts', name);
    const instead =
      suggestion === undefined ? 'docs/reference/facts.md lists them.' : `did you mean "${suggestion}"?`;
    report(['expect', 'facts', name], `no fact is called "${name}"; ${instead}`);
  }
}

function readPattern<Read>(path: readonly string[], report: Report, read: () => Read): Read | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    report(path, error.message);
    return undefined;
  }
}

/**
 * The policy in a snapshot, from its captured folder. Undefined if it has none, or more than 32 KiB. Throws {@link PolicyError};
 * facts of other versions are unknown.
 */
export function carriedPolicy(snapshot: ComparableEnvironment): LoadedPolicy | undefined {
  const { policy } = environmentOf(snapshot);
  if (policy === undefined || Buffer.byteLength(policy.text) > limits.carriedPolicyBytes) return undefined;
  return parsePolicy(policy.text, policy.path, { anyFact: true });
}
