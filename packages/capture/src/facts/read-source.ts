// Reads a fact from the source in its row of the catalogue.

import type { FactRow } from '@envsnap/shared/catalogue/facts/fact';
import type { FactSource } from '@envsnap/shared/catalogue/facts/origin';
import { addressOf } from './addresses.ts';
import { cgroupLimit } from './cgroup.ts';
import { flagOf } from './config-files.ts';
import {
  contentLines,
  type FactReading,
  fieldsOf,
  setOf,
  temporaryFolder,
  wholeNumber,
} from './fact-reader.ts';
import { type BasicTool, readFlavour } from './flavours.ts';
import { processLimit } from './limits.ts';
import type { FactContext } from './tool-settings.ts';
import { readRegistryValue } from './windows-registry.ts';

/** Undefined if there is no value; rejects if the system denies access. */
export async function readSource(
  context: FactContext,
  source: FactSource,
  row: FactRow,
): Promise<FactReading> {
  const { machine, folder, mounts } = context;
  const { files } = machine;
  switch (source.from) {
    case 'sysctl':
      return chosen(await files.text(`/proc/sys/${source.path}`), source, row);
    case 'file':
      return chosen(await files.text(source.path), source, row);
    case 'status':
      return chosen(fieldsOf((await files.text('/proc/self/status')) ?? '').get(source.line), source, row);
    case 'lines': {
      const lines = contentLines(await files.text(source.path)).map((line) => line.replace(/\s+/g, ' '));
      return lines.length > 0 ? lines : undefined;
    }
    case 'limit':
      return (await processLimit(context, source.line))?.[source.bound];
    case 'variable':
      return ofVariables(machine.env, source.names, row);
    case 'cgroup':
      return cgroupLimit(context, source.controller);
    case 'setting':
      return readSetting(context, source, row);
    case 'registry':
      for (const key of source.keys) {
        const value = await readRegistryValue(machine, key, source.name);
        if (value !== undefined) return row.kind === 'flag' ? Number(value) === 1 : value;
      }
      return undefined;
    case 'mount': {
      const mount = await mounts.holding(source.place === 'folder' ? folder : temporaryFolder(machine));
      return source.option === undefined ? mount?.type : mount?.options.includes(source.option);
    }
    case 'program':
      return readFlavour(context, source.name as BasicTool);
    default: {
      const path = { folder, temporary: temporaryFolder(machine), home: machine.homeDir }[source.place];
      if (source.from === 'access') return machine.isWritable(path);
      if (source.from === 'space') return machine.isFull(path).catch(() => undefined);
      return /^[\x21-\x7e]*$/.test(path);
    }
  }
}

/** Recent kernels write "no limit" as 2^63 - 1. */
const noLimit = '9223372036854775807';

function chosen(
  text: string | undefined,
  { choices }: { readonly choices?: readonly string[] },
  { kind }: FactRow,
): FactReading {
  const trimmed = text?.trim();
  if (!trimmed) return undefined;
  if (kind === 'flag') return trimmed === '1';
  if (choices !== undefined) return choices[Number(trimmed)] ?? wholeNumber(trimmed)?.toString();
  if (kind !== 'limit' && kind !== 'number') return trimmed;
  return kind === 'limit' && trimmed === noLimit ? 'unlimited' : wholeNumber(trimmed);
}

function ofVariables(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
  { kind }: FactRow,
): FactReading {
  if (kind === 'set')
    return setOf(names.flatMap((name) => (env[name] === undefined ? [] : [`${name}=${env[name]}`])));
  const value = env[names[0] as string];
  if (kind === 'flag') return value ? true : undefined;
  return kind === 'number' ? wholeNumber(value) : value || undefined;
}

async function readSetting(
  { settings }: FactContext,
  { of, names, take }: Extract<FactSource, { from: 'setting' }>,
  row: FactRow,
): Promise<FactReading> {
  const found = new Map<string, string>();
  for (const name of names) {
    const value = await settings.get(of, name);
    if (value) found.set(name, value);
  }
  const [value] = found.values();
  if (value === undefined) return undefined;
  if (take === 'presence') return true;
  if (row.kind === 'flag') return of === 'git' ? isTrueForGit(value) : flagOf(value);
  if (row.kind === 'set')
    return setOf(
      take === 'address'
        ? value.split(/\s+/).filter(Boolean).map(addressOf)
        : [...found].map(([name, each]) => `${name}=${each}`),
    );
  const text = take === 'address' ? addressOf(value) : take === 'lower case' ? value.toLowerCase() : value;
  // Writing out a default address does not make it a setting.
  return take === 'address' && text === row.unset ? undefined : text;
}

/** `true`, `yes`, `on`, or any number but 0; a name without a value is true. */
export function isTrueForGit(value: string): boolean {
  return /^(?:true|yes|on|[1-9]\d*)$/i.test(value.trim());
}
