// What a capture found and could not read: `metadata.capture.unknown`, its shape and how it is read. docs/specification.md §10.

import { factsBesideSystem } from '../address.ts';
import { field, itemsOf, recordOf } from '../plain-object.ts';
import type { SnapshotKey } from '../snapshot-key.ts';

/** The parts of a capture that something can be unknown in; those of a comparison by the same name, and `git`. */
export type UnknownSection =
  | 'system'
  | 'facts'
  | 'runtimes'
  | 'toolchain'
  | 'dependencies'
  | 'installed'
  | 'env'
  | 'git';

/**
 * Something that is there, or may be, and that the capture could find out no more about. It is neither a value nor an
 * absence: a comparison drops what has this key on the other side, counts nothing, and says so in one line.
 */
export interface UnknownEntry {
  readonly section: UnknownSection;
  /** As in a comparison: the tool, the fact, the variable; for dependencies the file, whose packages are all unknown. */
  readonly key: string;
  /** Why, as the end of a sentence: `did not answer within 3 s and was stopped`. Never holds a variable's value. */
  readonly reason: string;
}

/** Most entries that a snapshot keeps. */
export const maxUnknownEntries = 500;

/** The unknown entries of a snapshot's metadata, as any program may have written it; what has another form is left out. */
export function unknownEntries(metadata: unknown): UnknownEntry[] {
  const listed = itemsOf(field(metadata, 'capture'), 'unknown');
  return listed.slice(0, maxUnknownEntries).flatMap((each: unknown) => {
    const { section, key, reason } = recordOf(each);
    if (typeof section !== 'string' || typeof key !== 'string') return [];
    const why = typeof reason === 'string' && reason !== '' ? reason : 'it could not be read';
    return [{ section: section as UnknownSection, key, reason: why }];
  });
}

/** A test for keys that are unknown in a snapshot's metadata. */
export function unknownTest(metadata: unknown): (section: string, key: string) => boolean {
  const keys = new Set(unknownEntries(metadata).map(({ section, key }) => `${section}\0${key}`));
  return (section, key) => keys.size > 0 && keys.has(`${section}\0${key}`);
}

/** Whether a snapshot's metadata says that the capture could not read the value of a key. */
export function isUnknownKey(metadata: unknown, key: SnapshotKey): boolean {
  const [section, name] = placeOf(key);
  if (section === 'env' && field(field(metadata, 'capture'), 'envValues') === 'omit') return true;
  return unknownEntries(metadata).some(
    (entry) =>
      entry.section === section &&
      (entry.key === name || (section === 'dependencies' && name.startsWith(`${entry.key}/`))),
  );
}

function placeOf(key: SnapshotKey): [section: string, name: string] {
  if (key.kind !== 'metadata') return [key.kind, 'name' in key ? key.name : key.kind];
  const [section = '', ...rest] = key.path;
  return factsBesideSystem.has(section) ? ['system', section] : [section, rest.join('.')];
}
