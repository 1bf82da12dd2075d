// Parses the reference to one side of a comparison. Pure: looks only at the text.

import { CliError } from '../../errors/cli-error.ts';
import { type ProcessReference, parseProcessReference } from '../../references/capture-process.ts';
import { looksLikeId, minPrefixLength } from './resolve-id.ts';

export type SnapshotReference =
  | { readonly kind: 'local' }
  | { readonly kind: 'latest'; readonly machineName: string | undefined }
  /** The newest run with this result, and with this name if one is given. */
  | {
      readonly kind: 'run';
      readonly result: 'passed' | 'failed';
      readonly of: string | undefined;
      readonly machineName?: string | undefined;
    }
  | { readonly kind: 'id'; readonly text: string }
  | { readonly kind: 'process'; readonly process: ProcessReference }
  | { readonly kind: 'file'; readonly path: string };

/**
 * Reads a reference: `local`, `latest`, `latest:MACHINE`, `last-passed`, `last-failed:NAME`, an id or its beginning, a file, `-`
 * for standard input.
 * `isFile` decides if a text could be an id or a file. Exit code 2 if it is none of these.
 */
export function parseReference(text: string, isFile: (path: string) => boolean): SnapshotReference {
  if (text === 'local') return { kind: 'local' };
  if (text === 'latest') return { kind: 'latest', machineName: undefined };
  if (text.startsWith('latest:') && text.length > 'latest:'.length) {
    return { kind: 'latest', machineName: text.slice('latest:'.length) };
  }
  const run = /^last-(passed|failed)(?::(.+))?$/s.exec(text);
  if (run) return { kind: 'run', result: run[1] as 'passed' | 'failed', of: run[2] };
  const process = parseProcessReference(text);
  if (process) return { kind: 'process', process };
  if (text === '-' || isFile(text)) return { kind: 'file', path: text };
  if (looksLikeId(text)) return { kind: 'id', text };
  if (/[/\\]|\.\w+$/.test(text)) return { kind: 'file', path: text };
  const shortId = /^[0-9a-f-]+$/i.test(text) && text.length < minPrefixLength;
  throw new CliError(`"${text}" does not name a snapshot`, {
    code: 'invalid_reference',
    hint: shortId
      ? `The beginning of an id needs at least ${minPrefixLength} characters. envsnap snapshot list shows them.`
      : 'It can be an id or its first 8 characters, latest, latest:MACHINE, last-passed, last-failed:NAME, local, pid:N, shell:login, unit:NAME, container:ID, or a file that capture --output wrote.',
  });
}

/**
 * Whether a text is a reference where it could also be the name of a machine. A machine may be called `ci/linux` or `container`,
 * so neither a slash nor such a word alone makes a reference, and an id is none.
 */
export function isReference(text: string, isFile: (path: string) => boolean): boolean {
  return (
    /^(?:local|latest|last-passed|last-failed|-)$|\.json$/.test(text) ||
    /^(?:latest|last-passed|last-failed|pid|shell|unit|container):./.test(text) ||
    isFile(text)
  );
}

export type StoredReference = Extract<SnapshotReference, { readonly kind: 'latest' | 'id' | 'run' }>;

/** Whether a reference names a stored snapshot: on the server, or among the runs of this machine. */
export function isStored(reference: SnapshotReference): reference is StoredReference {
  return reference.kind === 'latest' || reference.kind === 'id' || reference.kind === 'run';
}
