// `metadata.capture.unknown`: values that a capture found but could not read. docs/specification.md §10.

import { field, itemsOf, recordOf } from '../plain-object.ts';

/** The parts of a capture in which something can be unknown: the sections of a comparison, and `git`. */
type UnknownSection =
  | 'system'
  | 'facts'
  | 'runtimes'
  | 'toolchain'
  | 'dependencies'
  | 'installed'
  | 'env'
  | 'git';

/**
 * Something that exists, or may exist, but could not be read. A comparison ignores this key on the other side and
 * mentions it in one line. Written without zod, so that published declarations do not need it.
 */
export interface UnknownEntry {
  readonly section: UnknownSection;
  readonly key: string;
  readonly reason: string;
}

/** Maximum number of entries that a snapshot keeps. */
export const maxUnknownEntries = 500;

/** The unknown entries of a snapshot's metadata. Any program may have written them, so entries of another form are left out. */
export function unknownEntries(metadata: unknown): UnknownEntry[] {
  const listed = itemsOf(field(metadata, 'capture'), 'unknown');
  return listed.slice(0, maxUnknownEntries).flatMap((each: unknown) => {
    const { section, key, reason } = recordOf(each);
    if (typeof section !== 'string' || typeof key !== 'string') return [];
    const why = typeof reason === 'string' && reason !== '' ? reason : 'it could not be read';
    return [{ section: section as UnknownSection, key, reason: why }];
  });
}
