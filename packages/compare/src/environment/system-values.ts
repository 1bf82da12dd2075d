// Reads a capture's values for the section `system` as text: `libc` is `glibc 2.36`, `cpu.count` is `8`.

import { factsBesideSystem } from '@envsnap/shared/address';
import { isPlainObject, type StringMap } from '@envsnap/shared/plain-object';

export function systemValues(metadata: Readonly<Record<string, unknown>>): StringMap {
  const facts = Object.create(null) as StringMap;
  const { system } = metadata;
  if (isPlainObject(system)) addFacts('', system, facts, 0);
  for (const name of factsBesideSystem) {
    const value = metadata[name];
    if (value !== undefined && facts[name] === undefined) addFact(name, value, facts, 1);
  }
  return facts;
}

function addFacts(prefix: string, source: Record<string, unknown>, facts: StringMap, depth: number) {
  for (const [name, value] of Object.entries(source)) {
    addFact(prefix ? `${prefix}.${name}` : name, value, facts, depth + 1);
  }
}

function addFact(key: string, value: unknown, facts: StringMap, depth: number): void {
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

function named(value: Record<string, unknown>): string | undefined {
  const name = value.id ?? value.name ?? value.family ?? value.kind;
  if (typeof name !== 'string' || name === '') return undefined;
  const version = value.version ?? value.versionId ?? value.codename;
  return typeof version === 'string' && version !== '' ? `${name} ${version}` : name;
}
