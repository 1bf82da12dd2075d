// Reads configuration files in TOML, YAML, XML and JSON as plain values. A file that cannot be parsed counts as absent.

import { field, recordOf } from '@envsnap/shared/plain-object';
import type { MachineFiles } from '../system/machine-files.ts';

export type Settings = Readonly<Record<string, unknown>>;

// The parsers are imported lazily, because most machines have few such files.

export async function readToml(files: MachineFiles, path: string): Promise<Settings> {
  const text = await files.text(path);
  if (!text?.trim()) return {};
  try {
    return (await import('../dependencies/text/toml.ts')).parseToml(text);
  } catch {
    return {};
  }
}

/** The top level of a YAML file; scalars are text. */
export async function readYaml(files: MachineFiles, path: string): Promise<ReadonlyMap<unknown, unknown>> {
  const text = await files.text(path);
  if (!text?.trim()) return new Map();
  try {
    return (await import('../dependencies/text/yaml.ts')).parseYamlMap(text);
  } catch {
    return new Map();
  }
}

/** A value at a path of names; undefined if a step is not a table. */
export function at(settings: unknown, ...names: readonly string[]): unknown {
  return names.reduce(field, settings);
}

/** Entries of a table. */
export function entriesAt(settings: unknown, ...names: readonly string[]): [string, unknown][] {
  return Object.entries(recordOf(at(settings, ...names)));
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Texts of a list, or one text as a list of one. */
export function textsOf(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.filter((item): item is string => typeof item === 'string' && item !== '');
}

/** `true`, `false`, or undefined for anything else. */
export function flagOf(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}
