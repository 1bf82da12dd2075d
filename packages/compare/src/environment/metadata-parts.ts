// The parts of a snapshot's metadata that have several values. A field with an unexpected shape counts as absent.

import { type Address, toAddress } from '@envsnap/shared/address';
import type { FactValue } from '@envsnap/shared/catalogue/facts/fact';
import { fingerprintKeyOf } from '@envsnap/shared/opaque-value';
import {
  field,
  isPlainObject,
  itemsOf,
  recordOf,
  type StringMap,
  textEntriesOf,
  textField,
  textItemsOf,
} from '@envsnap/shared/plain-object';
import type { DeclaredRequirement } from '../model/model.ts';

type Metadata = Readonly<Record<string, unknown>>;

export interface Declaration extends DeclaredRequirement {
  readonly tool: string;
}

export function declarationsIn(metadata: Metadata): Declaration[] {
  return Object.entries(recordOf(metadata.toolchain)).flatMap(([tool, entry]) => {
    const present = textField(entry, 'present') ?? null;
    return itemsOf(entry, 'declared').flatMap((declared): Declaration[] => {
      const requirement = textField(declared, 'version');
      if (requirement === undefined) return [];
      const satisfied = field(declared, 'satisfied');
      const file = textField(declared, 'source') ?? '';
      return [
        { tool, file, requirement, present, satisfied: typeof satisfied === 'boolean' ? satisfied : null },
      ];
    });
  });
}

export interface CaptureNotes {
  /** Captured with names only, so empty values mean nothing. */
  readonly namesOnly: boolean;
  /** The capture itself says that it has names only. */
  readonly saysNamesOnly: boolean;
  readonly safe: boolean;
  /** Why nothing is known about the variables; undefined if they were captured. */
  readonly omitted: 'reduced' | 'left-out' | undefined;
  readonly dotenv: boolean;
  readonly fingerprintKey: string | null;
  /** Another version of envsnap may recognise other values as secrets. */
  readonly toolVersion: unknown;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

export function captureNotesIn(metadata: Metadata, variables: StringMap): CaptureNotes {
  const { envValues, reducedEnvironment, dotenv, toolVersion, warnings } = recordOf(metadata.capture);
  const values = Object.values(variables);
  const saysNamesOnly = envValues === 'none';
  const looksNamesOnly =
    envValues === undefined && values.length > 0 && values.every((value) => value === '');
  return {
    saysNamesOnly,
    namesOnly: saysNamesOnly || looksNamesOnly,
    safe: envValues === 'safe',
    omitted: envValues !== 'omit' ? undefined : reducedEnvironment === true ? 'reduced' : 'left-out',
    dotenv: dotenv !== false,
    fingerprintKey: fingerprintKeyOf(metadata) ?? null,
    toolVersion,
    warnings: (Array.isArray(warnings) ? warnings : []).flatMap((warning: unknown) => {
      const [code, message] = [textField(warning, 'code'), textField(warning, 'message')];
      return code === undefined || message === undefined ? [] : [{ code, message }];
    }),
  };
}

export function projectIn({ project }: Metadata) {
  return {
    ecosystems: textItemsOf(field(project, 'ecosystems')),
    tools: textItemsOf(field(project, 'tools')),
    /** Variables that the project mentions, each with the first file that does. */
    variables: textEntriesOf(field(project, 'variables')),
    settings: textItemsOf(field(project, 'settings')),
    isRecorded: field(project, 'ecosystems') !== undefined,
    /** The captured folder below the root, or the selected package; null for the root. */
    folder: textField(project, 'workspace') ?? textField(project, 'folder') ?? null,
  };
}

export function factsIn({ facts }: Metadata): Readonly<Record<string, FactValue>> | undefined {
  if (!isPlainObject(facts)) return undefined;
  return Object.fromEntries(
    Object.entries(facts).filter((entry): entry is [string, FactValue] => isFactValue(entry[1])),
  );
}

export function installedIn({ installed }: Metadata): Record<string, StringMap> {
  return Object.fromEntries(
    Object.entries(recordOf(installed))
      .filter(([, packages]) => isPlainObject(packages))
      .map(([file, packages]) => [file, Object.fromEntries(textEntriesOf(packages))]),
  );
}

export function fileSettingsIn({ sources }: Metadata): Record<string, StringMap> {
  const settings = Object.entries(recordOf(sources)).map(([file, each]) => {
    return [file, Object.fromEntries(textEntriesOf(each).filter(([name]) => name.startsWith('#')))] as const;
  });
  return Object.fromEntries(settings.filter(([, named]) => Object.keys(named).length > 0));
}

function isFactValue(value: unknown): value is FactValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

const inSections: ReadonlySet<string> = new Set([
  'capture',
  'checkout',
  'direct',
  'drift',
  'outcome',
  'outcomeOf',
  'system',
  'toolchain',
  'facts',
  'installed',
  'notInstalled',
  'sources',
  'withoutDevelopment',
  'locale',
  'timezone',
  'shell',
]);
/** Differs in every run, so it is not a cause. */
const jobAddress = 'ci.url';
const deepest = 4;

/** The values at all other paths, down to {@link deepest} levels; deeper objects, and lists, as JSON. */
export function* otherValues(
  metadata: Metadata,
): Generator<readonly [address: Address, value: string | number]> {
  for (const [name, value] of Object.entries(metadata)) {
    if (!inSections.has(name)) yield* leaves(name, value, 1);
  }
}

function* leaves(
  name: string,
  value: unknown,
  depth: number,
): Generator<readonly [address: Address, value: string | number]> {
  if (value === null || value === undefined || value === '' || name === jobAddress) return;
  if (isPlainObject(value) && depth < deepest) {
    for (const [key, each] of Object.entries(value)) yield* leaves(`${name}.${key}`, each, depth + 1);
    return;
  }
  const address = toAddress('metadata', name);
  const text =
    typeof value === 'object' ? JSON.stringify(value) : typeof value === 'number' ? value : String(value);
  if (address) yield [address, text];
}
