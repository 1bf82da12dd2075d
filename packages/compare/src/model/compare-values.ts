// Compares the sections whose entries are single values: the platform, the system, facts, runtimes, declared versions, packages.

import { ecosystemOfFile } from '@envsnap/shared/catalogue/ecosystem';
import type { FactRow, FactValue } from '@envsnap/shared/catalogue/facts/fact';
import { factText } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { isLoadedPackage, packageDatabaseOf } from '@envsnap/shared/catalogue/machine-packages';
import { mergeKeys, sortedKeys, statusOf } from '@envsnap/shared/compare';
import type { StringMap } from '@envsnap/shared/plain-object';
import { type Distance, versionDistance } from '@envsnap/versions';
import type { Environment } from '../environment/environment.ts';
import { factRowOf, kindOf } from '../environment/kind.ts';
import type { Declaration } from '../environment/metadata-parts.ts';
import { directPackages } from './direct-packages.ts';
import type { Entry, ListChange } from './model.ts';
import { compareLists } from './ordered-list.ts';
import { compareFileSettings, createOriginTest } from './package-origins.ts';
import { own, walk } from './walk.ts';

export function compareAttribute(section: 'os' | 'arch', a: Environment, b: Environment): Entry[] {
  const attribute = ({ [section]: value }: Environment) => (value === null ? {} : { [section]: value });
  return walk(section, [attribute(a), attribute(b)], own, (_key, left, right) => ({
    distance: left !== null && right !== null && left !== right ? 'major' : null,
  }));
}

export function compareRuntimes(a: Environment, b: Environment): Entry[] {
  return walk('runtimes', [a.runtimes, b.runtimes], own, (name, left, right) => {
    const distance = versionsApart('runtimes', name, left, right);
    return { distance, equal: distance === null };
  });
}

/** How far two versions are apart, by the rules of their ecosystem; null if there are not two versions, or they are equal. */
function versionsApart(
  section: 'runtimes' | 'toolchain',
  name: string,
  a: string | null,
  b: string | null,
): Distance | null {
  const { order } = kindOf({ section, name });
  return a === null || b === null || typeof order !== 'object'
    ? null
    : versionDistance(a, b, order.versionsOf);
}

export function compareSystems(a: Environment, b: Environment): Entry[] {
  return walk('system', [a.system, b.system], own, (name, left, right) => {
    const row = factRowOf('system', name);
    const isVersioned = row?.kind === 'version' && (a.os === b.os || !ofOneSystem.has(name));
    return {
      distance: isVersioned && left !== null && right !== null ? namedDistance(left, right) : null,
      ...((row?.counts ?? 'never') === 'never' && { context: true as const }),
    };
  });
}

/** Each system numbers its kernels and releases differently. */
const ofOneSystem = new Set(['kernel', 'release']);

function namedDistance(a: string, b: string): Distance | null {
  if (a === b) return null;
  const [left, right] = [nameAndVersion(a), nameAndVersion(b)];
  if (left.name !== right.name) return 'major';
  return left.version !== '' && right.version !== ''
    ? versionDistance(left.version, right.version, 'generic')
    : 'other';
}

/** `glibc` and `2.36` of `glibc 2.36`: the version begins with the first digit after the last space. */
function nameAndVersion(text: string): { readonly name: string; readonly version: string } {
  const word = text.search(/(?<!\S)\S*$/);
  const digit = text.slice(word).search(/\d/);
  if (digit < 0) return { name: text, version: '' };
  return { name: text.slice(0, word + digit).trimEnd(), version: text.slice(word + digit) };
}

/** Compares facts by their kind. A fact that a side cannot know (another system, an older capture) is left out. */
export function compareFacts(a: Environment, b: Environment): Entry[] {
  if (a.facts === undefined || b.facts === undefined) return [];
  const files = [a, b].flatMap(({ dependencies }) => Object.keys(dependencies));
  const shown = [a, b].flatMap(({ project }) => [...project.ecosystems]);
  const used = new Set<string>([...files.map(ecosystemOfFile), ...shown]);
  const textOf = (environment: Environment, name: string) => {
    const value = environment.fact(name);
    return value === undefined ? undefined : factText(value);
  };
  return walk(
    'facts',
    [a, b],
    textOf,
    (name, left, right) => {
      const row = factRowOf('facts', name);
      const [valueA, valueB] = [a.fact(name) as FactValue, b.fact(name) as FactValue];
      const isList = row?.kind === 'set' || row?.kind === 'list';
      const list = isList ? listChange(row, valueA, valueB) : undefined;
      const equal = isList ? list === undefined : left === right;
      const distance =
        (row?.kind === 'version' && versionDistance(left ?? '', right ?? '', 'generic')) || 'other';
      return {
        equal,
        distance: equal ? null : distance,
        ...(list && { list }),
        ...(!(row && canCount(row, used) && isNoticed(row, valueA, valueB)) && { context: true as const }),
      };
    },
    ({ facts = {} }) => facts,
  );
}

/** A missing list equals an empty one; its text (`none`) is for readers only. */
function listChange(row: FactRow, a: FactValue, b: FactValue): ListChange | undefined {
  const items = (value: FactValue): readonly string[] => {
    if (typeof value !== 'object') return [];
    return row.kind === 'set' ? [...new Set(value)] : value;
  };
  const change = compareLists(items(a), items(b));
  if (change === undefined || row.kind === 'list') return change;
  return change.added.length + change.removed.length === 0 ? undefined : { ...change, moved: [] };
}

function canCount({ counts, ecosystems }: FactRow, used: ReadonlySet<string>): boolean {
  return counts !== 'never' && (ecosystems?.some((ecosystem) => used.has(ecosystem)) ?? true);
}

/** The kernel derives some limits from the memory, so they differ slightly between machines of one kind. */
const limitTolerance = 0.1;

function isNoticed({ kind }: FactRow, a: FactValue, b: FactValue): boolean {
  if (kind !== 'limit' || typeof a !== 'number' || typeof b !== 'number') return true;
  return Math.abs(a - b) > limitTolerance * Math.max(a, b);
}

/** Compares declarations by tool and file. An entry also differs if the declarations agree but only one side's tool
 * meets them. If a side does not know its tool, only the declarations are compared. */
export function compareToolchains(a: Environment, b: Environment): Entry[] {
  const requirement = (declared: DeclarationsByKey, key: string) => own(declared, key)?.requirement ?? null;
  const sides = [declarationsByKey(a, b), declarationsByKey(b, a)] as const;
  return walk('toolchain', sides, requirement, (key, left, right) => {
    const [declaredA, declaredB] = sides.map((side) => own(side, key)) as (Declaration | null)[];
    const tool = (declaredA ?? declaredB)?.tool ?? key;
    const unknown = [a, b].some((side) => side.whyUnknown({ section: 'runtimes', name: tool }) !== undefined);
    const fits = [declaredA, declaredB].map((declaration) => declaration?.satisfied !== false);
    return {
      equal: bare(left, tool) === bare(right, tool) && (unknown || fits[0] === fits[1]),
      distance: versionsApart('toolchain', tool, left, right),
      declared: { a: declaredA ?? null, b: declaredB ?? null },
    };
  });
}

/** `v20.11` and `ruby-3.3` mean 20.11 and 3.3, as version managers read them. */
function bare(declared: string | null, tool: string): string | undefined {
  return declared?.replace(`${tool}-`, '').replace(/^v(?=\d)/, '');
}

type DeclarationsByKey = Readonly<Record<string, Declaration>>;

export function declarationsByKey(environment: Environment, beside = environment): DeclarationsByKey {
  const byKey = Object.create(null) as Record<string, Declaration>;
  const counts = [environment, beside].map((side) => Map.groupBy(side.declarations, ({ tool }) => tool));
  for (const declared of environment.declarations) {
    const { tool, file } = declared;
    const isOne = counts.every((declarations) => (declarations.get(tool)?.length ?? 0) < 2);
    byKey[isOne || file === '' ? tool : `${tool} (${file})`] = declared;
  }
  return byKey;
}

/** Written out, because a snapshot may hold 100,000 packages. */
export function compareDependencies(left: Environment, right: Environment): Entry[] {
  const [a, b] = [left.dependencies, right.dependencies];
  const entries: Entry[] = [];
  mergeKeys(sortedKeys(a), sortedKeys(b), (file, fileInA, fileInB) => {
    const packagesA = fileInA ? (a[file] as StringMap) : {};
    const packagesB = fileInB ? (b[file] as StringMap) : {};
    const ecosystem = ecosystemOfFile(file);
    const ofMachine = packageDatabaseOf(file) !== undefined;
    const direct = directPackages(file, left, right);
    const originTest = createOriginTest(file, left, right);
    mergeKeys(sortedKeys(packagesA), sortedKeys(packagesB), (name, inA, inB) => {
      const valueA = inA ? (packagesA[name] as string) : null;
      const valueB = inB ? (packagesB[name] as string) : null;
      const both = valueA !== null && valueB !== null;
      const apart = both ? versionDistance(valueA, valueB, ecosystem) : null;
      const origin = both ? originTest(name, valueA, valueB) : undefined;
      const distance = origin === undefined ? apart : 'other';
      const status = statusOf(inA, inB, distance === null);
      const key = `${file}/${name}`;
      const context = ofMachine && !isLoadedPackage(name) ? { context: true as const } : {};
      entries.push({
        section: 'dependencies',
        key,
        status,
        a: valueA,
        b: valueB,
        distance,
        ...origin,
        file,
        name,
        ...context,
        ...(direct.has(name) && { direct: true }),
      });
    });
  });
  const settings = compareFileSettings(left, right);
  return settings.length === 0 ? entries : [...entries, ...settings].sort((x, y) => (x.key < y.key ? -1 : 1));
}
