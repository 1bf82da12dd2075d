// The newest snapshots of many machines side by side, and which depart from their policy, a declared version or the majority.

import type { Machine } from '@envsnap/shared';
import { type Address, parseAddress, printAddress } from '@envsnap/shared/address';
import { factCatalogue, factText } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { type Environment, environmentOf } from '../environment/environment.ts';
import { otherDeclarations, unmetDeclarations } from '../model/installed-findings.ts';
import type { ComparableEnvironment } from '../model/model.ts';
import type { OwnOutcomes } from '../policy/own-policy.ts';

export interface MatrixRow {
  readonly key: string;
  readonly values: readonly (string | null)[];
  readonly equal: boolean;
  /** The value of more than half of the machines; undefined if no value has a majority. */
  readonly majority?: string | null | undefined;
  /** Machines that depart from their policy, or else from a declared version; without either, from the majority. */
  readonly odd: readonly number[];
  readonly unknown: readonly number[];
  readonly context: boolean;
}

const systemRows = ['distribution', 'distro', 'libc', 'locale', 'timezone'];

/** `outcomes`: the policy's verdict for each machine, if there is one. */
export function matrixRows(
  machines: readonly (Pick<Machine, 'values'> & { readonly latest: ComparableEnvironment })[],
  keys: readonly string[],
  outcomes: readonly OwnOutcomes[] = [],
): MatrixRow[] {
  const environments = machines.map(({ latest }) => environmentOf(latest));
  const row = (address: Address) =>
    rowOf(
      printAddress(address),
      environments.map((environment) => environment.textAt(address)),
      environments.map((environment) => environment.whyUnknown(address) !== undefined),
    );
  const requested = keys.map((key, index) => {
    const address = parseAddress(key);
    const values = machines.map((machine) => machine.values[index]?.value ?? null);
    // A variable of which only the name was captured cannot be compared.
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
  const shown = new Set(requested.map(({ key }) => key));
  const rest = [...described, ...factRows(environments), ...runtimes].filter(({ key }) => !shown.has(key));
  const rows = [...requested, ...rest.filter(({ equal }) => !equal), ...rest.filter(({ equal }) => equal)];
  const declared = machines.map(({ latest }) => declaredOutcomes(latest));
  return rows.map((each) => {
    const own = declared.map((of, index) => outcomes[index]?.get(each.key) ?? of.get(each.key));
    if (!own.some((outcome) => outcome === 'met' || outcome === 'violated')) return each;
    return { ...each, odd: own.flatMap((outcome, index) => (outcome === 'violated' ? [index] : [])) };
  });
}

/** The verdicts of files such as `.nvmrc` on the versions of one machine. */
function declaredOutcomes(snapshot: ComparableEnvironment): OwnOutcomes {
  const met = otherDeclarations(snapshot).filter((declared) => declared.met === true);
  const judged = (declared: readonly { readonly tool: string }[], outcome: 'met' | 'violated') =>
    declared.map(({ tool }) => [printAddress({ section: 'runtimes', name: tool }), outcome] as const);
  return new Map([...judged(met, 'met'), ...judged(unmetDeclarations(snapshot), 'violated')]);
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
