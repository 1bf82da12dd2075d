// Reads a run's environment into the table: every key of every section, and each entry of lists. docs/specification.md §13.

import { type Ecosystem, ecosystemOfFile, ecosystemOfRuntime } from '@envsnap/shared/catalogue/ecosystem';
import { unknownEntries } from '@envsnap/shared/catalogue/unknown';
import { describeVariable, isListVariable } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { isFingerprint } from '@envsnap/shared/opaque-value';
import { recordOf, textEntriesOf, textItemsOf } from '@envsnap/shared/plain-object';
import { notInstalledFiles } from '../model/compare-installed.ts';
import { declaredVersions } from '../model/compare-toolchain.ts';
import { redactedMark } from '../model/compare-variables.ts';
import { directPackages } from '../model/direct-packages.ts';
import { systemFacts } from '../model/metadata-facts.ts';
import type { ComparableEnvironment } from '../model/model.ts';
import { splitList } from '../model/ordered-list.ts';

import type { FeatureInfo, Run, ValueOrder } from './model.ts';
import { addFacts, addList } from './read-facts.ts';
import { type Feature, opaqueCode, type RunTable, unknownCode } from './run-table.ts';

/** Adds a run. Values of variables are shown later only where they cannot be secrets. */
export function addRun(table: RunTable, environment: ComparableEnvironment, run: Run): void {
  addAttributes(table, environment);
  addVersions(table, 'runtimes', environment.runtimeVersions ?? {}, (name) => ({
    key: `runtimes.${name}`,
    order: versions(ecosystemOfRuntime(name)),
    shown: true,
  }));
  for (const [file, packages] of Object.entries(environment.dependencies ?? {})) {
    addPackages(table, 'dependencies', file, packages, environment);
  }
  addInstallations(table, environment);
  addVariables(table, environment);
  addMetadata(table, environment);
  markUnknown(table, environment.metadata);
  table.end(run);
}

const versions = (ecosystem: Ecosystem): ValueOrder => ({ versionsOf: ecosystem });

function addText(table: RunTable, space: number, key: string, value: string, order: ValueOrder): void {
  const index = table.feature(space, key, () => ({ key, order, shown: true }));
  table.set(index, value);
}

function addAttributes(table: RunTable, environment: ComparableEnvironment): void {
  const space = table.space('attributes');
  for (const key of ['os', 'arch', 'machineName'] as const) {
    const value = environment[key];
    if (value) addText(table, space, key, value, 'none');
  }
}

function addVersions(
  table: RunTable,
  spaceName: string,
  found: Record<string, string>,
  describe: (name: string) => FeatureInfo,
): void {
  const space = table.space(spaceName);
  for (const name of Object.keys(found)) {
    const index = table.known(space, name) ?? table.feature(space, name, () => describe(name));
    table.set(index, found[name] as string);
  }
}

function addPackages(
  table: RunTable,
  section: 'dependencies' | 'installed',
  file: string,
  packages: Record<string, string>,
  environment: ComparableEnvironment,
): void {
  const direct = directPackages(file, environment);
  const order = versions(ecosystemOfFile(file));
  addVersions(table, `${section}:${file}`, packages, (name) => ({
    key: `${section}:${file}/${name}`,
    label: section === 'installed' ? `installed ${name}` : name,
    direct: direct.has(name),
    order,
    shown: true,
  }));
}

/** Whether anything of a lock file is installed; the machine's own packages always are. */
function addInstallations(table: RunTable, environment: ComparableEnvironment): void {
  const space = table.space('installations');
  const bare = notInstalledFiles(environment);
  const partly = new Set(textItemsOf(environment.metadata?.withoutDevelopment));
  for (const file of Object.keys(environment.dependencies ?? {})) {
    if (file.startsWith('/')) continue;
    const index = table.feature(space, file, () => ({
      key: `installed:${file}`,
      label: `packages of ${file}`,
      order: 'none',
      shown: true,
    }));
    const state = partly.has(file) ? 'installed without those for development' : 'installed';
    table.set(index, bare.has(file) ? '' : state);
  }
}

function addVariables(table: RunTable, environment: ComparableEnvironment): void {
  const space = table.space('env');
  const capture = recordOf(environment.metadata?.capture);
  const { envValues } = capture;
  if (envValues === 'omit') {
    table.setSpaceUnknown(space);
    return;
  }
  const keyName = capture.fingerprintKey;
  const fingerprintKey = typeof keyName === 'string' ? keyName : '';
  const variables = environment.envVars ?? {};
  for (const name of Object.keys(variables)) {
    const value = variables[name] as string;
    const key = `env:${name}`;
    // Only a capture that judged each value knows that what it left readable is not a secret.
    const shown = envValues === 'safe' || describeVariable(name)?.plain === true;
    // On Windows a name is one in any case.
    const spelled = environment.os === 'win32' ? `env:${name.toUpperCase()}` : key;
    const index = table.feature(space, spelled, () => ({ key, order: 'none', shown }));
    if (!shown) (table.features[index] as Feature).shown = false;
    if (envValues === 'none' || value === redactedMark) table.mark(index, opaqueCode);
    else if (isFingerprint(value)) table.set(index, value, fingerprintKey);
    else if (isListVariable(name, environment.os))
      addList(table, space, key, index, splitList(value, environment.os), shown);
    else table.set(index, value);
  }
}

/** What the metadata holds for people and for the capture itself, or what is shown better elsewhere. */
const leftOut = new Set(
  `capture direct drift outcome outcomeOf system toolchain facts installed notInstalled withoutDevelopment locale timezone shell`.split(
    /\s+/,
  ),
);
const deepest = 4;

function addMetadata(table: RunTable, environment: ComparableEnvironment): void {
  const metadata = environment.metadata ?? {};
  const system = table.space('system');
  if (metadata.system === undefined && metadata.timezone === undefined && metadata.locale === undefined)
    table.setSpaceUnknown(system);
  for (const [name, value] of Object.entries(systemFacts(metadata))) {
    const key = outsideSystem.test(name) ? `metadata.${name}` : `system.${name}`;
    addText(table, system, key, value, versions('generic'));
  }
  const toolchain = table.space('toolchain');
  for (const [name, declared] of Object.entries(declaredVersions(environment))) {
    addText(table, toolchain, `toolchain.${name}`, declared.requirement, 'none');
    if (declared.satisfied === false)
      addText(table, toolchain, `toolchain.${name} not met`, declared.requirement, 'none');
  }
  addFacts(table, environment);
  for (const [file, packages] of Object.entries(recordOf(metadata.installed))) {
    addPackages(table, 'installed', file, Object.fromEntries(textEntriesOf(packages)), environment);
  }
  const others = table.space('metadata');
  for (const [name, value] of Object.entries(metadata)) {
    if (!leftOut.has(name)) addNested(table, others, `metadata.${name}`, value, 1);
  }
}

const outsideSystem = /^(?:locale|timezone|shell)\b/;

/** What a capture found and could not read is neither there nor absent. */
function markUnknown(table: RunTable, metadata: unknown): void {
  for (const { section, key } of unknownEntries(metadata)) {
    if (section === 'dependencies' || section === 'installed') {
      table.setSpaceUnknown(table.space(`${section}:${key}`));
    } else if (section !== 'facts') {
      const full =
        section === 'env' ? `env:${key}` : section === 'git' ? 'metadata.git.dirty' : `${section}.${key}`;
      const space = table.space(section === 'git' ? 'metadata' : section);
      const name = section === 'runtimes' ? key : full;
      const index = table.feature(space, name, () => ({ key: full, order: 'none', shown: false }));
      table.mark(index, unknownCode);
    }
  }
}

function addNested(table: RunTable, space: number, key: string, value: unknown, depth: number): void {
  if (value === null || value === undefined || value === '') return;
  if (typeof value === 'number') addText(table, space, key, String(value), 'numbers');
  else if (typeof value !== 'object') addText(table, space, key, String(value), 'none');
  else if (Array.isArray(value) || depth === deepest)
    addText(table, space, key, JSON.stringify(value), 'none');
  else {
    for (const [name, each] of Object.entries(value))
      addNested(table, space, `${key}.${name}`, each, depth + 1);
  }
}
