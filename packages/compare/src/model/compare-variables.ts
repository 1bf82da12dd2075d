// Compares variables. A value may be readable, a fingerprint (`hmac:…`), `[redacted]`, or absent.

import { isListVariable } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { mergeKeys, sortedKeys, statusOf } from '@envsnap/shared/compare';
import { isHiddenValue, redactedMark } from '@envsnap/shared/opaque-value';
import type { Environment } from '../environment/environment.ts';
import type { CaptureNotes } from '../environment/metadata-parts.ts';
import type { ComparisonNote, Entry, ListChange, Unverified } from './model.ts';
import { compareLists, splitList } from './ordered-list.ts';

interface ComparedVariables {
  readonly env: Entry[];
  readonly paths: Entry[];
  readonly notes: ComparisonNote[];
}

export function compareVariables(
  left: Environment,
  right: Environment,
  showValues: boolean,
): ComparedVariables {
  const env: Entry[] = [];
  const paths: Entry[] = [];
  const unverified = new Map<Unverified, string[]>();
  const [omittedA, omittedB] = [left.capture.omitted, right.capture.omitted];
  if (omittedA ?? omittedB) return { env, paths, notes: [omittedNote(omittedA, omittedB)] };
  mergeKeys(sortedKeys(left.variables), sortedKeys(right.variables), (key, inA, inB) => {
    const valueA = inA ? (left.variables[key] as string) : null;
    const valueB = inB ? (right.variables[key] as string) : null;
    const outcome: Outcome =
      valueA !== null && valueB !== null ? compareValues(key, valueA, valueB, left, right) : { equal: false };
    if (outcome.unverified) {
      const names = unverified.get(outcome.unverified);
      if (names) names.push(key);
      else unverified.set(outcome.unverified, [key]);
    }
    const isList = isListVariable(key, left.os);
    const list = outcome.list && (showValues ? outcome.list : withoutEntries(outcome.list));
    (isList ? paths : env).push({
      section: isList ? 'paths' : 'env',
      key,
      status: statusOf(inA, inB, outcome.equal),
      a: showValues && !left.capture.namesOnly ? valueA : null,
      b: showValues && !right.capture.namesOnly ? valueB : null,
      distance: null,
      ...(outcome.unverified ? { unverified: outcome.unverified } : {}),
      ...([valueA, valueB].some((value) => value !== null && isHiddenValue(value)) && {
        secret: true as const,
      }),
      ...(list ? { list } : {}),
      ...(!outcome.equal &&
        inA &&
        inB && {
          ...(valueA === '' && { empty: 'a' as const }),
          ...(valueB === '' && { empty: 'b' as const }),
        }),
    });
  });
  return { env, paths, notes: notesOf(unverified) };
}

interface Outcome {
  readonly equal: boolean;
  readonly unverified?: Unverified;
  readonly list?: ListChange;
}

function compareValues(name: string, a: string, b: string, left: Environment, right: Environment): Outcome {
  const [captureA, captureB] = [left.capture, right.capture];
  if (captureA.namesOnly || captureB.namesOnly) return { equal: true, unverified: 'names-only' };
  const hiddenA = isHiddenValue(a);
  const hiddenB = isHiddenValue(b);
  if (!hiddenA && !hiddenB) {
    if (a === b) return { equal: true };
    // A single Windows path is a list of one.
    const isFile = left.os === 'win32' && [a, b].every(isWindowsPath);
    const isList = isListVariable(name, left.os);
    if (!isFile && !isList) return { equal: false };
    const list = compareLists(splitList(a, left.os), splitList(b, right.os), left.os);
    return { equal: list === undefined, ...(isList && list && { list }) };
  }
  if (hiddenA !== hiddenB) {
    // One value is a secret, and the other (captured with `safe`) is not, so they differ.
    const readable = hiddenA ? captureB : captureA;
    return readable.safe && captureA.toolVersion === captureB.toolVersion
      ? { equal: false }
      : { equal: true, unverified: 'one-side' };
  }
  if (a === redactedMark || b === redactedMark) return { equal: true, unverified: 'redacted' };
  return captureA.fingerprintKey === captureB.fingerprintKey
    ? { equal: a === b }
    : { equal: true, unverified: 'other-key' };
}

/** One path alone; options and fields after it are handled separately. */
function isWindowsPath(value: string): boolean {
  return /^[a-z]:[\\/][^;="]*$/i.test(value) && !/\s[-/]/.test(value);
}

function omittedNote(a: CaptureNotes['omitted'], b: CaptureNotes['omitted']): ComparisonNote {
  const sides = a && b ? 'A and B were' : `${a ? 'A' : 'B'} was`;
  if (a !== 'reduced' && b !== 'reduced')
    return { code: 'not_recorded', message: `${sides} captured without variables, so none are compared.` };
  const reduced = a === b ? sides : `${a === 'reduced' ? 'A' : 'B'} was`;
  return {
    code: 'reduced_environment',
    message: `${reduced} captured with a reduced environment, such as that of cron or a tool host: variables, paths and language are not compared. Capture in your own shell, or name a process: pid:N.`,
  };
}

function withoutEntries(list: ListChange): ListChange {
  const blank = (entries: readonly string[]) => entries.map(() => '');
  return { added: blank(list.added), removed: blank(list.removed), moved: blank(list.moved) };
}

function notesOf(unverified: ReadonlyMap<Unverified, readonly string[]>): ComparisonNote[] {
  const notes: ComparisonNote[] = [];
  const add = (kind: Unverified, code: ComparisonNote['code'], text: string) => {
    const names = unverified.get(kind);
    if (names) notes.push({ code, message: `${listNames(names)}: ${text}` });
  };
  add('redacted', 'redacted_same', 'redacted, so counted as the same although the values may differ.');
  add(
    'other-key',
    'fingerprint_keys_differ',
    'fingerprinted with different keys, so the values cannot be compared; capture both sides for one project, or with one ENVSNAP_FINGERPRINT_KEY.',
  );
  add('one-side', 'values_one_side', 'readable on one side only, so the values cannot be compared.');
  if (unverified.has('names-only')) {
    notes.push({
      code: 'names_only',
      message: 'One side was captured without values of variables, so only their names are compared.',
    });
  }
  return notes;
}

function listNames(names: readonly string[]): string {
  if (names.length <= 4) return names.join(', ');
  return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
}
