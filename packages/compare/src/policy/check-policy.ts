// Checks one environment against a policy: what is met, what is not, and what is unknown.

import { ecosystemOfRuntime } from '@envsnap/shared/catalogue/ecosystem';
import { isHiddenValue, redactedMark } from '@envsnap/shared/opaque-value';
import { nearestName } from '@envsnap/shared/text/nearest-name';
import { wordsOnly } from '@envsnap/shared/text/visible';
import { createWorkBudget, type Spend, type WorkBudget } from '@envsnap/shared/work-budget';
import { fitsRequirement } from '@envsnap/versions';
import { type Environment, environmentOf } from '../environment/environment.ts';
import { type ComparableEnvironment, type Entry, toolOfKey } from '../model/model.ts';
import { acceptanceFinder, type Shown } from './accepted.ts';
import { checkMachineFact } from './check-facts.ts';
import { patternTest } from './ignore-patterns.ts';
import type { Acceptance, PolicyCheck, Unplaced } from './policy.ts';
import type { LoadedPolicy } from './policy-file.ts';

export function checkPolicy(
  loaded: LoadedPolicy,
  snapshot: ComparableEnvironment,
  budget: WorkBudget = createWorkBudget(),
): PolicyCheck[] {
  const spend = budget('checking what the policy expects');
  const environment = environmentOf(snapshot);
  const { policy } = loaded;
  const expect = policy.expect ?? {};
  const { omitted, saysNamesOnly } = environment.capture;
  const findAcceptance = acceptanceFinder(policy.accepted, { spend });
  const check = (part: Unplaced, path: readonly string[]): PolicyCheck => {
    const shown = omitted === undefined ? part : withoutVariables(part);
    const { rule, key, outcome, expected, actual, message, advice } = accepting(shown, findAcceptance);
    return { rule, key, outcome, expected, actual, message, advice, line: loaded.lineOf(path) };
  };
  // An empty value is a value, unless the capture left values out.
  const variables = saysNamesOnly
    ? Object.fromEntries(Object.keys(environment.variables).map((name) => [name, redactedMark]))
    : environment.variables;
  const each = (
    section: 'system' | 'facts' | 'runtimes' | 'env',
    checkOne: (key: string, wanted: readonly string[]) => Unplaced,
  ) =>
    Object.entries(expect[section] ?? {}).map(([key, wanted]) =>
      check(checkOne(key, [wanted].flat()), ['expect', section, key]),
    );
  const attributes = (['os', 'arch'] as const).flatMap((rule) => {
    const expected = expect[rule];
    if (expected === undefined) return [];
    return [check(checkAttribute(rule, [expected].flat(), environment[rule]), ['expect', rule])];
  });
  const list = (rule: 'required' | 'forbidden', checkOne: typeof checkRequired) =>
    (policy[rule] ?? []).map((pattern, index) =>
      check(checkOne(pattern, variables, spend), [rule, String(index)]),
    );
  return [
    ...attributes,
    ...each('system', (key, wanted) => checkFact(key, wanted, environment.system, spend)),
    ...each('facts', (key, wanted) => checkMachineFact(key, wanted, environment)),
    ...each('runtimes', (key, wanted) => checkRuntime(key, wanted, environment, spend)),
    ...each('env', (key, wanted) => checkVariable(key, wanted, variables)),
    ...list('required', checkRequired),
    ...list('forbidden', checkForbidden),
  ];
}

function withoutVariables(part: Unplaced): Unplaced {
  if (!/^(?:env|required|forbidden)$/.test(part.rule)) return part;
  return { ...part, outcome: 'unknown', message: `${part.key} is unknown: no variables were captured` };
}

function accepting(part: Unplaced, findAcceptance: (shown: Shown) => Acceptance | undefined): Unplaced {
  if (part.outcome !== 'violated') return part;
  const found = findAcceptance(shownBy(part));
  return found
    ? { ...part, outcome: 'accepted', message: `${part.message} (accepted: ${found.reason})` }
    : part;
}

export function shownBy({ rule, key, actual }: Pick<PolicyCheck, 'rule' | 'key' | 'actual'>): Shown {
  return [{ section: rule === 'required' || rule === 'forbidden' ? 'env' : rule, key }, actual];
}

/** The expectation that a difference meets or violates. */
export function expectationOn(
  { section, key }: Entry,
  checks: readonly PolicyCheck[],
): PolicyCheck | undefined {
  return checks.find(({ rule, key: expected }) =>
    section === 'toolchain'
      ? rule === 'runtimes' && expected === toolOfKey(key)
      : expected === key && (rule === section || (rule === 'required' && section === 'env')),
  );
}

function checkAttribute(rule: 'os' | 'arch', wanted: readonly string[], actual: string | null): Unplaced {
  const expected = wanted.join(' or ');
  const name = rule === 'os' ? 'the operating system' : 'the architecture';
  const outcome = actual === null ? 'unknown' : wanted.includes(actual) ? 'met' : 'violated';
  const message = `${name} is ${actual ?? 'unknown'}, expected ${expected}`;
  return { rule, key: rule, outcome, expected, actual, message, advice: `run on ${wordsOnly(expected)}` };
}

function checkFact(
  key: string,
  wanted: readonly string[],
  facts: Record<string, string>,
  spend: Spend,
): Unplaced {
  const actual = facts[key] ?? null;
  const expected = wanted.join(' or ');
  const common = {
    rule: 'system',
    key,
    expected,
    actual,
    advice: `use an image with ${wordsOnly(`${key} ${expected}`)}`,
  } as const;
  if (actual === null) {
    const near = nearestName(key, Object.keys(facts), spend);
    const suggestion = near ? ` (did you mean ${near}?)` : '';
    const message = `${key} is not known on this machine${suggestion}, expected ${expected}`;
    return { ...common, outcome: 'unknown', message };
  }
  const outcome = wanted.some((value) => factFits(actual, value)) ? 'met' : 'violated';
  return { ...common, outcome, message: `${key} is ${actual}, expected ${expected}` };
}

/** `glibc` fits `glibc 2.36`; so does `glibc >=2.31`; case does not matter. */
function factFits(actual: string, wanted: string): boolean {
  const found = actual.toLowerCase();
  const value = wanted.toLowerCase().trim();
  if (found === value || found.startsWith(`${value} `) || found.startsWith(`${value}.`)) return true;
  const range = value.search(/(?<!\S)[<>=^~]=?\s*\d/);
  const version = found.search(/(?<!\S)\d\S*$/);
  if (range < 0 || version < 0 || value.slice(0, range).trim() !== found.slice(0, version).trim())
    return false;
  return fitsRequirement(found.slice(version), value.slice(range), 'generic') === true;
}

function checkRuntime(
  key: string,
  wanted: readonly string[],
  environment: Environment,
  spend: Spend,
): Unplaced {
  const { runtimes } = environment;
  const reading = environment.read({ section: 'runtimes', name: key });
  const expected = wanted.join(' or ');
  const install = `install ${key} ${wordsOnly(expected)}`;
  const common = { rule: 'runtimes', key, expected, advice: install } as const;
  if (reading?.state === 'unknown') {
    const message = `the version of ${key} is unknown (${reading.reason}), expected ${expected}`;
    const advice = `capture again when ${key} responds`;
    return { ...common, outcome: 'unknown', actual: null, message, advice };
  }
  if (!Object.hasOwn(runtimes, key)) {
    const near = nearestName(key, Object.keys(runtimes), spend);
    const message = `${key} was not found${near && near !== key ? ` (${near} was)` : ''}, expected ${expected}`;
    return { ...common, outcome: 'violated', actual: null, message };
  }
  const actual = runtimes[key] as string;
  const answers = wanted.map((range) => fitsRequirement(actual, range, ecosystemOfRuntime(key)));
  const outcome = answers.includes(true) ? 'met' : answers.includes(undefined) ? 'unknown' : 'violated';
  return { ...common, outcome, actual, message: `${key} is ${actual}, expected ${expected}` };
}

function checkVariable(key: string, wanted: readonly string[], variables: Record<string, string>): Unplaced {
  const value = Object.hasOwn(variables, key) ? (variables[key] as string) : undefined;
  const expected = wanted.join(' or ');
  const [outcome, message] =
    value === undefined
      ? (['violated', `${key} is not set, expected ${expected}`] as const)
      : wanted.includes(value)
        ? (['met', `${key} is ${expected}`] as const)
        : isHiddenValue(value)
          ? (['unknown', `${key} is redacted, so its value cannot be checked`] as const)
          : (['violated', `${key} has a value other than ${expected}`] as const);
  const advice = `set ${wordsOnly(`${key}=${wanted[0]}`)}`;
  return { rule: 'env', key, outcome, expected, actual: null, message, advice };
}

function checkRequired(key: string, variables: Record<string, string>, spend: Spend): Unplaced {
  const matches = matchingNames(key, variables, spend);
  const filled = matches.some((name) => variables[name] !== '');
  const near = matches.length === 0 ? nearestName(key, Object.keys(variables), spend) : undefined;
  const lacks = matches.length > 0 ? 'empty' : `not set${near ? ` (${near} is)` : ''}`;
  const message = filled ? `${key} is set` : `${key} is ${lacks}, but required`;
  const outcome = filled ? 'met' : 'violated';
  return { rule: 'required', key, outcome, expected: 'set', actual: null, message, advice: `set ${key}` };
}

function checkForbidden(key: string, variables: Record<string, string>, spend: Spend): Unplaced {
  const matches = matchingNames(key, variables, spend);
  const more = matches.length > 3 ? ` and ${matches.length - 3} more` : '';
  const listed = `${matches.slice(0, 3).join(', ')}${more} ${matches.length === 1 ? 'is' : 'are'} set`;
  const [outcome, message] =
    matches.length === 0
      ? (['met', `${key} is not set`] as const)
      : (['violated', `${listed}, but forbidden`] as const);
  const advice = `unset ${wordsOnly(matches[0] ?? key)}`;
  return { rule: 'forbidden', key, outcome, expected: 'not set', actual: null, message, advice };
}

const nameSteps = 4;

function matchingNames(pattern: string, variables: Record<string, string>, spend: Spend): string[] {
  const matches = patternTest(pattern, spend);
  const names = Object.keys(variables);
  spend(names.length * nameSteps);
  return names.filter((name) => matches(name));
}
