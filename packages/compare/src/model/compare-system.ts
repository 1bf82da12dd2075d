// Compares what metadata tells of the system: distribution, libc, locale, time zone, kernel, container, hardware.

import { mergeKeys, sortedKeys, statusOf } from '@envsnap/shared/compare';
import { type Distance, versionDistance } from '@envsnap/versions';
import type { ComparableEnvironment, Entry } from './model.ts';

/** Facts that programs depend on. All others (kernel, processor, memory, container, shell, …) are context. */
const causalFacts = new Set(['distribution', 'distro', 'libc', 'locale', 'timezone']);
const otherMetadataFacts = ['locale', 'timezone', 'shell'] as const;

/** Compares the facts of two systems; a fact that differs by another name (`glibc`, `musl`) is `major`. */
export function compareSystems(a: ComparableEnvironment, b: ComparableEnvironment): Entry[] {
  const left = systemFacts(a.metadata);
  const right = systemFacts(b.metadata);
  const entries: Entry[] = [];
  mergeKeys(sortedKeys(left), sortedKeys(right), (key, inA, inB) => {
    const valueA = inA ? (left[key] as string) : null;
    const valueB = inB ? (right[key] as string) : null;
    entries.push({
      section: 'system',
      key,
      status: statusOf(inA, inB, valueA === valueB),
      a: valueA,
      b: valueB,
      distance: valueA !== null && valueB !== null && isVersioned(key) ? factDistance(valueA, valueB) : null,
      ...(causalFacts.has(key.split('.')[0] as string) ? {} : { context: true as const }),
    });
  });
  return entries;
}

/** The facts in `metadata` about the system, as flat text: `libc` → `glibc 2.36`, `cpu.count` → `8`. */
export function systemFacts(metadata: Record<string, unknown> | undefined): Record<string, string> {
  const facts: Record<string, string> = Object.create(null) as Record<string, string>;
  const system = metadata?.system;
  if (isObject(system)) addFacts('', system, facts, 0);
  for (const name of otherMetadataFacts) {
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
  } else if (isObject(value) && depth < 4) {
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

/** A language or a time zone is another one, not a newer one. */
function isVersioned(key: string): boolean {
  return !otherMetadataFacts.some((name) => name === key);
}

function factDistance(a: string, b: string): Distance | null {
  if (a === b) return null;
  const left = /^(.*?)\s*(\d\S*)$/s.exec(a);
  const right = /^(.*?)\s*(\d\S*)$/s.exec(b);
  const nameA = left ? left[1] : a;
  const nameB = right ? right[1] : b;
  if (nameA !== nameB) return 'major';
  return left && right ? versionDistance(left[2] as string, right[2] as string, 'generic') : 'other';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
