// The newest snapshots of many machines side by side: one row a value, and which machine departs from its policy, else from the majority.

import type { Machine } from '@envsnap/shared';
import { type Address, parseAddress, printAddress } from '@envsnap/shared/address';
import { factCatalogue, factText } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { createWorkBudget, type WorkBudget } from '@envsnap/shared/work-budget';
import { type Environment, environmentOf } from '../environment/environment.ts';
import { checkPolicy } from '../policy/check-policy.ts';
import type { PolicyOutcome } from '../policy/policy.ts';
import { carriedPolicy, type LoadedPolicy, PolicyError } from '../policy/policy-file.ts';

export interface MatrixRow {
  readonly key: string;
  readonly values: readonly (string | null)[];
  readonly equal: boolean;
  /** The value of more than half of the machines; undefined if no value has a majority. */
  readonly majority?: string | null | undefined;
  /** Machines that depart from their own policy where one speaks of the key, else from the majority. */
  readonly odd: readonly number[];
  readonly unknown: readonly number[];
  readonly context: boolean;
}

const systemRows = ['distribution', 'distro', 'libc', 'locale', 'timezone'];

export function matrixRows(machines: readonly Machine[], keys: readonly string[]): MatrixRow[] {
  const environments = machines.map(({ latest }) => environmentOf(latest));
  const row = (address: Address) =>
    rowOf(
      printAddress(address),
      environments.map((environment) => environment.textAt(address)),
      environments.map((environment) => environment.whyUnknown(address) !== undefined),
    );
  const asked = keys.map((key, index) => {
    const address = parseAddress(key);
    const values = machines.map((machine) => machine.values[index]?.value ?? null);
    // A variable that is only known to be set cannot be compared with the others.
    const hasNumbers = values.some((value) => /^value \d+$/.test(value ?? ''));
    return rowOf(
      address ? printAddress(address) : key,
      values.map((value) => (hasNumbers && value === 'set' ? null : value)),
      environments.map(
        (environment, place) =>
          address !== undefined &&
          (environment.whyUnknown(address) !== undefined || (hasNumbers && values[place] === 'set')),
      ),
    );
  });
  const system = systemRows.map((name): Address => ({ section: 'system', name }));
  const attributes = [{ section: 'os', name: 'os' } as const, { section: 'arch', name: 'arch' } as const];
  const described = [...attributes, ...system]
    .map(row)
    .filter(({ values }) => values.some((value) => value !== null));
  const askedFor = toolsAskedFor(environments);
  const names = new Set(environments.flatMap(({ runtimes }) => Object.keys(runtimes)));
  const runtimes = [...names].sort().map((name) => ({
    ...row({ section: 'runtimes', name }),
    context: askedFor.size > 0 && !askedFor.has(name),
  }));
  const shown = new Set(asked.map(({ key }) => key));
  const rest = [...described, ...factRows(environments), ...runtimes].filter(({ key }) => !shown.has(key));
  const rows = [...asked, ...rest.filter(({ equal }) => !equal), ...rest.filter(({ equal }) => equal)];
  const budget = createWorkBudget();
  const judged = machines.map(({ latest }) => policyOutcomes(latest, budget));
  return rows.map((each) => {
    const outcomes = judged.map((own) => own.get(each.key));
    if (!outcomes.some((outcome) => outcome === 'met' || outcome === 'violated')) return each;
    return { ...each, odd: outcomes.flatMap((outcome, index) => (outcome === 'violated' ? [index] : [])) };
  });
}

/** What a machine's own policy says of its versions and facts. Variables are not part of what the matrix gets. */
function policyOutcomes(latest: Machine['latest'], budget: WorkBudget): ReadonlyMap<string, PolicyOutcome> {
  const carried = readCarried(latest);
  if (carried === undefined) return new Map();
  const { runtimes, facts, system } = carried.policy.expect ?? {};
  const expect = { ...(runtimes && { runtimes }), ...(facts && { facts }), ...(system && { system }) };
  const checks = checkPolicy({ ...carried, policy: { ...carried.policy, expect } }, latest, budget);
  return new Map(
    checks.flatMap(({ rule, key, outcome }) =>
      rule === 'runtimes' || rule === 'facts' || rule === 'system'
        ? [[printAddress({ section: rule, name: key }), outcome]]
        : [],
    ),
  );
}

/** A policy with mistakes says nothing here: `compare` and `check` name them. */
function readCarried(latest: Machine['latest']): LoadedPolicy | undefined {
  try {
    return carriedPolicy(latest);
  } catch (error) {
    if (error instanceof PolicyError) return undefined;
    throw error;
  }
}

function toolsAskedFor(environments: readonly Environment[]): ReadonlySet<string> {
  return new Set(
    environments.flatMap(({ project, declarations }) => [
      ...project.tools,
      ...declarations.map(({ tool }) => tool),
    ]),
  );
}

function factRows(environments: readonly Environment[]): MatrixRow[] {
  return Object.entries(factCatalogue).flatMap(([name, { counts, weight }]) => {
    if (counts === 'never') return [];
    const values = environments.map((environment) => environment.facts && environment.fact(name));
    const texts = values.map((value) => (value === undefined ? null : factText(value)));
    const known = new Set(texts.filter((text) => text !== null));
    const weights = typeof weight === 'string' ? [weight] : weight.map((each) => each.weight);
    const context = !weights.includes('strong') && !weights.includes('likely');
    const key = printAddress({ section: 'facts', name });
    return known.size > 1 ? [{ ...rowOf(key, texts), context }] : [];
  });
}

function rowOf(
  key: string,
  values: readonly (string | null)[],
  isUnknown: readonly boolean[] = [],
): MatrixRow {
  const unknown = values.flatMap((value, index) => (value === null && isUnknown[index] ? [index] : []));
  const known = values.filter((_, index) => !unknown.includes(index));
  const [most, count] = commonest(known);
  const majority = count * 2 > known.length ? most : undefined;
  const odd =
    majority === undefined
      ? []
      : values.flatMap((value, index) => (value === majority || unknown.includes(index) ? [] : [index]));
  return { key, values, equal: count === known.length, majority, odd, unknown, context: false };
}

function commonest(values: readonly (string | null)[]): readonly [value: string | null, count: number] {
  const counts = new Map<string | null, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((x, y) => (y[1] > x[1] ? y : x), [null, 0] as [string | null, number]);
}
