// What a capture found and could not read: `metadata.capture.unknown`, its shape and how it is read. docs/specification.md §10.

import { field, itemsOf, recordOf } from '../plain-object.ts';

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
 * Something that is there, or may be, and that the capture could find out no more about. A comparison drops what has this key on
 * the other side, counts nothing, and says so in one line. Written out, so that published declarations do not need zod.
 */
export interface UnknownEntry {
  readonly section: UnknownSection;
  readonly key: string;
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
