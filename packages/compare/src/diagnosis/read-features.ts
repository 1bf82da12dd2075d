// Reads a run's environment into the table: every value by its address, and each entry of lists. docs/specification.md §13.

import { printAddress, toAddress } from '@envsnap/shared/address';
import { ecosystemOfFile } from '@envsnap/shared/catalogue/ecosystem';
import type { FactValue } from '@envsnap/shared/catalogue/facts/fact';
import { factNames } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { describeVariable, isListVariable } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { isFingerprint, redactedMark } from '@envsnap/shared/opaque-value';
import { type StringMap, textEntriesOf } from '@envsnap/shared/plain-object';
import { type Environment, environmentOf } from '../environment/environment.ts';
import { kindOf, type ValueOrder } from '../environment/kind.ts';
import { declarationsByKey } from '../model/compare-values.ts';
import { directPackages } from '../model/direct-packages.ts';
import type { ComparableEnvironment } from '../model/model.ts';
import { splitList } from '../model/ordered-list.ts';
import type { FeatureInfo, Run } from './model.ts';
import { type Feature, opaqueCode, type RunTable, unknownCode } from './run-table.ts';

export function addRun(table: RunTable, snapshot: ComparableEnvironment, run: Run): void {
  const environment = environmentOf(snapshot);
  for (const name of ['os', 'arch', 'machineName'] as const) {
    const value = snapshot[name];
    if (value) addText(table, 'attributes', name, value, 'none');
  }
  addVersions(table, 'runtimes', environment.runtimes, (name) => ({
    key: printAddress({ section: 'runtimes', name }),
    order: kindOf({ section: 'runtimes', name }).order,
    shown: true,
  }));
  for (const [file, packages] of Object.entries(environment.dependencies))
    addPackages(table, 'dependencies', file, packages, environment);
  for (const file of environment.filesWithSources) addSources(table, file, environment);
  for (const [file, packages] of Object.entries(environment.installed))
    addPackages(table, 'installed', file, packages, environment);
  addInstallations(table, environment);
  addVariables(table, environment);
  addSystem(table, environment);
  addFacts(table, environment);
  addProject(table, environment);
  markUnknown(table, environment);
  table.end(run);
}

function addText(table: RunTable, space: string, key: string, value: string, order: ValueOrder): void {
  const index = table.feature(table.space(space), key, () => ({ key, order, shown: true }));
  table.set(index, value);
}

function addVersions(
  table: RunTable,
  spaceName: string,
  found: StringMap,
  describe: (name: string) => FeatureInfo,
): void {
  const space = table.space(spaceName);
  for (const name of Object.keys(found)) {
    const index = table.feature(space, name, describe);
    table.set(index, found[name] as string);
  }
}

function addPackages(
  table: RunTable,
  section: 'dependencies' | 'installed',
  file: string,
  packages: StringMap,
  environment: Environment,
): void {
  const direct = directPackages(file, environment);
  const order = { versionsOf: ecosystemOfFile(file) };
  addVersions(table, `${section}:${file}`, packages, (name) => ({
    key: `${section}:${file}/${name}`,
    label: section === 'installed' ? `installed ${name}` : name,
    direct: direct.has(name),
    order,
    shown: true,
  }));
}

/** The origin and patches of packages, and a file's settings for all its packages. */
function addSources(table: RunTable, file: string, environment: Environment): void {
  const space = table.space(`sources:${file}`);
  if (!environment.knowsSources(file)) {
    table.setSpaceUnknown(space);
    return;
  }
  for (const [name, source] of textEntriesOf(environment.sourcesIn(file))) {
    const label = name.startsWith('#') ? `${name.slice(1)} of ${file}` : `source of ${name}`;
    const describe = () =>
      ({ key: `dependencies:${file}/${name}`, label, order: 'none', shown: true }) as const;
    table.set(table.feature(space, name, describe), source);
  }
}

/** Whether anything of a lock file is installed; the machine's own packages always are. */
function addInstallations(table: RunTable, environment: Environment): void {
  const space = table.space('installations');
  for (const file of Object.keys(environment.dependencies)) {
    if (file.startsWith('/')) continue;
    const index = table.feature(space, file, () => ({
      key: `installed:${file}`,
      label: `packages of ${file}`,
      order: 'none',
      shown: true,
    }));
    const isPartly = environment.withoutDevelopment.has(file);
    const state = isPartly ? 'installed without development packages' : 'installed';
    table.set(index, environment.notInstalled.has(file) ? '' : state);
  }
}

function addVariables(table: RunTable, { variables, capture, os }: Environment): void {
  const space = table.space('env');
  if (capture.omitted !== undefined) {
    table.setSpaceUnknown(space);
    return;
  }
  for (const name of Object.keys(variables)) {
    const value = variables[name] as string;
    const key = `env:${name}`;
    // Only if the capture judged each value do we know that a readable value is not a secret.
    const shown = capture.safe || describeVariable(name)?.plain === true;
    const spelled = os === 'win32' ? `env:${name.toUpperCase()}` : key;
    const index = table.feature(space, spelled, () => ({ key, order: 'none', shown }));
    if (!shown) (table.features[index] as Feature).shown = false;
    if (capture.saysNamesOnly || value === redactedMark) table.mark(index, opaqueCode);
    else if (isFingerprint(value)) table.set(index, value, capture.fingerprintKey ?? '');
    else if (isListVariable(name, os)) addList(table, space, key, index, splitList(value, os), shown);
    else table.set(index, value);
  }
}

function addSystem(table: RunTable, environment: Environment): void {
  if (!environment.hasSystem) table.setSpaceUnknown(table.space('system'));
  for (const [name, value] of Object.entries(environment.system)) {
    const address = { section: 'system', name } as const;
    addText(table, 'system', printAddress(address), value, kindOf(address).order);
  }
}

/** A fact that a capture does not contain has its default, or is unknown if it has none. */
function addFacts(table: RunTable, environment: Environment): void {
  const space = table.space('facts');
  table.setSpaceUnknown(space);
  const { facts } = environment;
  for (const name of new Set([...factNames, ...Object.keys(facts ?? {})]))
    addFact(table, space, name, facts && environment.fact(name));
}

function addFact(table: RunTable, space: number, name: string, value: FactValue | undefined): void {
  const { fact, order } = kindOf({ section: 'facts', name });
  const isList = fact?.kind === 'set' || fact?.kind === 'list' || Array.isArray(value);
  const entries = isList ? table.space(`facts:${name}`) : undefined;
  if (entries !== undefined && value === undefined) table.setSpaceUnknown(entries);
  if (value === undefined) return;
  const key = printAddress({ section: 'facts', name });
  const isNumber = fact === undefined && typeof value === 'number';
  const index = table.feature(space, key, () => ({ key, order: isNumber ? 'numbers' : order, shown: true }));
  if (entries === undefined) table.set(index, String(value));
  // A default such as `none` is a list without entries.
  else addList(table, entries, key, index, typeof value === 'object' ? value : [], true);
}

const mostEntries = 200;

function addList(
  table: RunTable,
  space: number,
  key: string,
  index: number,
  entries: readonly string[],
  shown: boolean,
): void {
  table.set(index, entries.join('\n'));
  for (const entry of entries.slice(0, mostEntries)) {
    const part = table.feature(space, `${key}\n${entry}`, () => ({ key, entry, order: 'none', shown }));
    table.set(part, '');
  }
}

function addProject(table: RunTable, environment: Environment): void {
  for (const [name, declared] of Object.entries(declarationsByKey(environment))) {
    const key = printAddress({ section: 'toolchain', name });
    addText(table, 'toolchain', key, declared.requirement, 'none');
    if (declared.satisfied === false)
      addText(table, 'toolchain', `${key} not met`, declared.requirement, 'none');
  }
  for (const [name, value] of Object.entries(environment.checkout ?? {}))
    addText(table, 'checkout', printAddress({ section: 'checkout', name }), value, 'none');
  for (const [address, value] of environment.others()) {
    const space = address.section === 'checkout' ? 'checkout' : 'metadata';
    const order = typeof value === 'number' ? 'numbers' : 'none';
    addText(table, space, printAddress(address), String(value), order);
  }
}

function markUnknown(table: RunTable, { unknown }: Environment): void {
  for (const { section, key: name } of unknown) {
    if (section === 'dependencies' || section === 'installed') {
      table.setSpaceUnknown(table.space(`${section}:${name}`));
      continue;
    }
    const address = toAddress(section, name);
    if (address === undefined || section === 'facts') continue;
    const key = printAddress(address);
    const space = table.space(address.section);
    const known = section === 'runtimes' ? name : key;
    const index = table.feature(space, known, () => ({ key, order: 'none', shown: false }));
    table.mark(index, unknownCode);
  }
}
