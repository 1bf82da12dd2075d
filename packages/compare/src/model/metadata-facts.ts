// Reads the facts of a snapshot out of its metadata. Apart from their comparison, so that showing a snapshot does not load it.

import { factsBesideSystem } from '@envsnap/shared/address';
import type { FactRow, FactValue } from '@envsnap/shared/catalogue/facts/fact';
import { factRow } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { systemFactRow } from '@envsnap/shared/catalogue/facts/system';
import { isPlainObject } from '@envsnap/shared/plain-object';
import type { ComparableEnvironment, Entry } from './model.ts';

/** The facts in `metadata` about the system, as flat text: `libc` → `glibc 2.36`, `cpu.count` → `8`. */
export function systemFacts(metadata: Record<string, unknown> | undefined): Record<string, string> {
  const facts: Record<string, string> = Object.create(null) as Record<string, string>;
  const system = metadata?.system;
  if (isPlainObject(system)) addFacts('', system, facts, 0);
  for (const name of factsBesideSystem) {
    const value = metadata?.[name];
    if (value !== undefined && facts[name] === undefined) addFact(name, value, facts, 1);
  }
  return facts;
}

function addFacts(
  prefix: string,
  source: Record<string, unknown>,
  facts: Record<string, string>,
  depth: number,
) {
  for (const [name, value] of Object.entries(source)) {
    addFact(prefix ? `${prefix}.${name}` : name, value, facts, depth + 1);
  }
}

function addFact(key: string, value: unknown, facts: Record<string, string>, depth: number): void {
  if (value === null || value === undefined || value === '') return;
  if (typeof value === 'boolean') facts[key] = value ? 'yes' : 'no';
  else if (typeof value === 'string' || typeof value === 'number') facts[key] = String(value);
  else if (Array.isArray(value)) {
    const words = value.filter((item) => typeof item === 'string' || typeof item === 'number');
    if (words.length > 0) facts[key] = words.join(', ');
  } else if (isPlainObject(value) && depth < 4) {
    const label = named(value);
    if (label) facts[key] = label;
    else addFacts(key, value, facts, depth);
  }
}

/** `{ id: 'debian', version: '12' }` and its kind as one text. */
function named(value: Record<string, unknown>): string | undefined {
  const name = value.id ?? value.name ?? value.family ?? value.kind;
  if (typeof name !== 'string' || name === '') return undefined;
  const version = value.version ?? value.versionId ?? value.codename;
  return typeof version === 'string' && version !== '' ? `${name} ${version}` : name;
}

/** The row of the catalogue for an entry of the sections `system` and `facts`; undefined for all others. */
export function metadataRow({ section, key }: Pick<Entry, 'section' | 'key'>): FactRow | undefined {
  if (section === 'system') return systemFactRow(key);
  return section === 'facts' ? factRow(key) : undefined;
}

/** The facts of a capture; undefined where it holds none at all. */
export function factsOf(environment: ComparableEnvironment): Record<string, FactValue> | undefined {
  const facts = environment.metadata?.facts;
  if (!isPlainObject(facts)) return undefined;
  return Object.fromEntries(
    Object.entries(facts).filter((entry): entry is [string, FactValue] => isFactValue(entry[1])),
  );
}

/** One side's value, or what its absence means; undefined where it cannot be known there. */
export function factValue(
  facts: Record<string, FactValue>,
  name: string,
  os: string | null | undefined,
): FactValue | undefined {
  if (Object.hasOwn(facts, name)) return facts[name];
  const row = factRow(name);
  return row?.unset !== undefined && row.read[systemOf(os)] !== null ? row.unset : undefined;
}

function systemOf(os: string | null | undefined): keyof FactRow['read'] {
  return os === 'darwin' ? 'macos' : os === 'win32' ? 'windows' : 'linux';
}

function isFactValue(value: unknown): value is FactValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
