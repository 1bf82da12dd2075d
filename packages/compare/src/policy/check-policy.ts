// Checks one environment against a policy's expectations: what is met, what is not, what cannot be determined.

import { ecosystemOfRuntime } from '@envsnap/shared/catalogue/ecosystem';
import { isHiddenValue, redactedMark } from '@envsnap/shared/opaque-value';
import { nearestName } from '@envsnap/shared/text/nearest-name';
import { createWorkBudget, type Spend, type WorkBudget } from '@envsnap/shared/work-budget';
import { fitsRequirement } from '@envsnap/versions';
import { type Environment, environmentOf } from '../environment/environment.ts';
import type { ComparableEnvironment } from '../model/model.ts';
import { type Acceptance, acceptanceFinder, type Shown } from './accepted.ts';
import { checkMachineFact } from './check-facts.ts';
import { patternTest } from './ignore-patterns.ts';
import type { PolicyCheck, Unplaced } from './policy-check.ts';
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
  const check = (part: Unplaced, path: readonly string[]): PolicyCheck => ({
    ...accepting(omitted === undefined ? part : withoutVariables(part), findAcceptance),
    line: loaded.lineOf(path),
  });
  const checks: PolicyCheck[] = [];
  for (const rule of ['os', 'arch'] as const) {
    const wanted = expect[rule];
    if (wanted !== undefined)
      checks.push(check(checkAttribute(rule, [wanted].flat(), environment[rule]), ['expect', rule]));
  }
  for (const [key, wanted] of Object.entries(expect.system ?? {})) {
    checks.push(check(checkFact(key, [wanted].flat(), environment.system, spend), ['expect', 'system', key]));
  }
  for (const [key, wanted] of Object.entries(expect.facts ?? {})) {
    checks.push(check(checkMachineFact(key, [wanted].flat(), environment), ['expect', 'facts', key]));
  }
  for (const [key, wanted] of Object.entries(expect.runtimes ?? {})) {
    checks.push(check(checkRuntime(key, [wanted].flat(), environment, spend), ['expect', 'runtimes', key]));
  }
  // Where no capture says that values were left out, an empty value is the value.
  const variables = saysNamesOnly
    ? Object.fromEntries(Object.keys(environment.variables).map((name) => [name, redactedMark]))
    : environment.variables;
  for (const [key, wanted] of Object.entries(expect.env ?? {})) {
    checks.push(check(checkVariable(key, [wanted].flat(), variables), ['expect', 'env', key]));
  }
  for (const [index, pattern] of (policy.required ?? []).entries()) {
    checks.push(check(checkRequired(pattern, variables, spend), ['required', String(index)]));
  }
  for (const [index, pattern] of (policy.forbidden ?? []).entries()) {
    checks.push(check(checkForbidden(pattern, variables, spend), ['forbidden', String(index)]));
  }
  return checks;
}

/** Nothing can be said about variables that were not captured. */
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

function checkAttribute(rule: 'os' | 'arch', wanted: readonly string[], actual: string | null): Unplaced {
  const expected = wanted.join(' or ');
  const name = rule === 'os' ? 'the operating system' : 'the architecture';
  return {
    rule,
    key: rule,
    outcome: actual === null ? 'unknown' : wanted.includes(actual) ? 'met' : 'violated',
    expected,
    actual,
    message: `${name} is ${actual ?? 'unknown'}, expected ${expected}`,
    advice: `run on ${expected}`,
  };
}

function checkFact(
  key: string,
  wanted: readonly string[],
  facts: Record<string, string>,
  spend: Spend,
): Unplaced {
  const actual = facts[key] ?? null;
  const expected = wanted.join(' or ');
  const near = actual === null ? nearestName(key, Object.keys(facts), spend) : undefined;
  return {
    rule: 'system',
    key,
    outcome:
      actual === null ? 'unknown' : wanted.some((value) => factFits(actual, value)) ? 'met' : 'violated',
    expected,
    actual,
    message:
      actual === null
        ? `${key} is not known of this machine${near ? ` (did you mean ${near}?)` : ''}, expected ${expected}`
        : `${key} is ${actual}, expected ${expected}`,
    advice: `use an image with ${key} ${expected}`,
  };
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
  if (reading?.state === 'unknown') {
    return {
      rule: 'runtimes',
      key,
      outcome: 'unknown',
      expected: wanted.join(' or '),
      actual: null,
      message: `the version of ${key} is unknown (${reading.reason}), expected ${wanted.join(' or ')}`,
      advice: `capture again where ${key} answers`,
    };
  }
  const actual = Object.hasOwn(runtimes, key) ? (runtimes[key] as string) : null;
  const expected = wanted.join(' or ');
  const near = actual === null ? nearestName(key, Object.keys(runtimes), spend) : undefined;
  const answers =
    actual === null ? [] : wanted.map((range) => fitsRequirement(actual, range, ecosystemOfRuntime(key)));
  const outcome =
    actual === null
      ? 'violated'
      : answers.includes(true)
        ? 'met'
        : answers.includes(undefined)
          ? 'unknown'
          : 'violated';
  return {
    rule: 'runtimes',
    key,
    outcome,
    expected,
    actual,
    message:
      actual === null
        ? `${key} was not found${near && near !== key ? ` (${near} was)` : ''}, expected ${expected}`
        : `${key} is ${actual}, expected ${expected}`,
    advice: `install ${key} ${expected}`,
  };
}

function checkVariable(key: string, wanted: readonly string[], variables: Record<string, string>): Unplaced {
  const value = Object.hasOwn(variables, key) ? (variables[key] as string) : undefined;
  const expected = wanted.join(' or ');
  const hidden = value !== undefined && isHiddenValue(value);
  return {
    rule: 'env',
    key,
    outcome:
      value === undefined ? 'violated' : wanted.includes(value) ? 'met' : hidden ? 'unknown' : 'violated',
    expected,
    actual: null,
    message:
      value === undefined
        ? `${key} is not set, expected ${expected}`
        : wanted.includes(value)
          ? `${key} is ${expected}`
          : hidden
            ? `${key} is redacted, so its value cannot be checked`
            : `${key} has another value than ${expected}`,
    advice: `set ${key}=${wanted[0]}`,
  };
}

function checkRequired(pattern: string, variables: Record<string, string>, spend: Spend): Unplaced {
  const matches = matchingNames(pattern, variables, spend);
  const filled = matches.some((name) => variables[name] !== '');
  const near = matches.length === 0 ? nearestName(pattern, Object.keys(variables), spend) : undefined;
  return {
    rule: 'required',
    key: pattern,
    outcome: filled ? 'met' : 'violated',
    expected: 'set',
    actual: null,
    message: filled
      ? `${pattern} is set`
      : matches.length === 0
        ? `${pattern} is not set${near ? ` (${near} is)` : ''}, but required`
        : `${pattern} is empty, but required`,
    advice: `set ${pattern}`,
  };
}

function checkForbidden(pattern: string, variables: Record<string, string>, spend: Spend): Unplaced {
  const matches = matchingNames(pattern, variables, spend);
  const listed =
    matches.slice(0, 3).join(', ') + (matches.length > 3 ? ` and ${matches.length - 3} more` : '');
  return {
    rule: 'forbidden',
    key: pattern,
    outcome: matches.length === 0 ? 'met' : 'violated',
    expected: 'not set',
    actual: null,
    message:
      matches.length === 0
        ? `${pattern} is not set`
        : `${listed} ${matches.length === 1 ? 'is' : 'are'} set, but forbidden`,
    advice: `unset ${matches[0] ?? pattern}`,
  };
}

const nameSteps = 4;

function matchingNames(pattern: string, variables: Record<string, string>, spend: Spend): string[] {
  const matches = patternTest(pattern, spend);
  const names = Object.keys(variables);
  spend(names.length * nameSteps);
  return names.filter((name) => matches(name));
}
