// Writes an acceptance into the text of a policy, and leaves the rest of the text as it is: comments, layout, line endings.

import { parsePolicy } from '@envsnap/compare/policy';
import type { Acceptance } from '@envsnap/compare/workspace';
import {
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  type Scalar,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { CliError } from '../../errors/cli-error.ts';
import { describePolicyError } from './load-policy.ts';

type Item = Readonly<Record<string, string>>;

/** Entries with the same key get the new reason and day, and keep `a` and `b`. If there is none, an entry is added. */
export function acceptInPolicy(
  text: string,
  acceptance: Acceptance,
  name: string,
): { source: string; replaced: boolean } {
  // Earlier mistakes are reported with their lines, and nothing is written.
  check(text, name);
  // The library takes quadratic time for these.
  if (/\r(?!\n)/.test(text))
    throw new CliError(`${name} has carriage returns without line feeds`, {
      code: 'invalid_policy',
      hint: 'Convert its line endings to line feeds, then accept the difference.',
    });
  const { key, reason, until } = acceptance;
  const item = { key, reason, ...(until !== undefined && { until }) };
  const renewed = renew(text, item);
  const source = renewed ?? add(text, item);
  check(source, name);
  return { source: likeBefore(text, source), replaced: renewed !== undefined };
}

/** Fails like a comparison that reads this policy. */
function check(text: string, name: string): void {
  try {
    parsePolicy(text, name);
  } catch (error) {
    throw describePolicyError(error, false);
  }
}

/** The source to write, with the byte order mark and the line endings of the text. */
function likeBefore(text: string, source: string): string {
  const mark = text.startsWith('\uFEFF') && !source.startsWith('\uFEFF') ? '\uFEFF' : '';
  const hasCrlfAlone = text.includes('\r\n') && !/(?<!\r)\n/.test(text);
  return mark + (hasCrlfAlone ? source.replace(/\r?\n/g, '\r\n') : source);
}

/** Parses as for policies: every value is text, so that `0022` stays the same. */
function parsed(text: string) {
  const document = parseDocument(text, { schema: 'failsafe' });
  const root = document.contents;
  const listed = isMap(root) ? pairOf(root, 'accepted') : undefined;
  return { document, root, listed, list: listed?.value };
}

/** The text with the entries of this key changed; undefined if there is none. */
function renew(text: string, item: Item): string | undefined {
  const { list } = parsed(text);
  const entries = isSeq(list)
    ? list.items.filter((each): each is YAMLMap => isMap(each) && keyOf(each) === item.key)
    : [];
  if (entries.length === 0) return undefined;
  let renewed = text;
  // From the last one, so that earlier positions stay valid.
  for (const entry of entries.toReversed()) {
    for (const [field, value] of Object.entries(item)) {
      entry.set(field, value);
      // Removes quotes and folding that the old text needed.
      delete (entry.get(field, true) as Scalar).type;
    }
    if (item.until === undefined) entry.delete('until');
    renewed = written(renewed, entry);
  }
  return renewed;
}

/** The text with one more entry, in the layout of the list that it has. */
function add(text: string, item: Item): string {
  const { document, root, listed, list } = parsed(text);
  const isBlock = isMap(root) && !root.flow;
  if (root === null || (isBlock && !listed)) {
    const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    return `${before}${stringify({ accepted: [item] }, { lineWidth: 0 })}`;
  }
  if (isSeq(list)) {
    const below = list.flow ? undefined : belowLast(text, list.items.at(-1), item);
    if (below !== undefined) return below;
    list.add(document.createNode(item));
    return written(text, list);
  }
  const isEmpty = isScalar(list) && list.range && list.range[0] === list.range[1];
  if (listed && isBlock && isEmpty) return belowKey(text, listed.key, item);
  document.setIn(['accepted'], document.createNode([item]));
  return document.toString({ lineWidth: 0 });
}

/** After the last entry, with the same indentation; undefined if that entry is not on lines that belong to it alone. */
function belowLast(text: string, last: unknown, item: Item): string | undefined {
  if (!isMap(last) || last.flow || !last.range) return undefined;
  const end = text.slice(0, last.range[1]).trimEnd().length;
  const lineStart = text.lastIndexOf('\n', last.range[0]) + 1;
  const indent = /^[ ]*(?=-)/.exec(text.slice(lineStart))?.[0];
  if (indent === undefined) return undefined;
  const lines = stringify([item], { lineWidth: 0 }).trimEnd().split('\n');
  return withLines(
    text,
    end,
    lines.map((line) => indent + line),
  );
}

/** Below the line of `accepted:`, whose comments stay. */
function belowKey(text: string, { range }: Scalar, item: Item): string {
  const [keyStart, keyEnd] = range ?? [0, 0];
  const indent = ' '.repeat(keyStart - text.lastIndexOf('\n', keyStart - 1) - 1);
  const [, ...lines] = stringify({ accepted: [item] }, { lineWidth: 0 })
    .trimEnd()
    .split('\n');
  return withLines(
    text,
    keyEnd,
    lines.map((line) => indent + line),
  );
}

/** The text with lines below the one that has this position. */
function withLines(text: string, position: number, lines: readonly string[]): string {
  const lineEnd = text.indexOf('\n', position) < 0 ? text.length : text.indexOf('\n', position);
  const added = lines.map((line) => `\n${line}`).join('');
  return text.slice(0, lineEnd) + added + (text.slice(lineEnd) || '\n');
}

/** The text with only the changed node rewritten. */
function written(text: string, node: YAMLMap | YAMLSeq): string {
  // Comments before and after it are outside its range.
  node.comment = node.commentBefore = null;
  const [start, end] = node.range ?? [0, text.length];
  const indent = ' '.repeat(start - text.lastIndexOf('\n', start - 1) - 1);
  const lines = stringify(node, { lineWidth: 0, schema: 'failsafe' })
    .trimEnd()
    .replaceAll(/\n(?!\n)/g, `\n${indent}`);
  return (
    text.slice(0, start) + (text.slice(start, end).endsWith('\n') ? `${lines}\n` : lines) + text.slice(end)
  );
}

function pairOf(map: YAMLMap, key: string): Pair<Scalar, unknown> | undefined {
  return map.items.find((pair) => (pair.key as Scalar).value === key) as Pair<Scalar, unknown> | undefined;
}

function keyOf(map: YAMLMap): string | undefined {
  const value = pairOf(map, 'key')?.value as Scalar | undefined;
  return value === undefined ? undefined : String(value.source ?? value.value);
}
