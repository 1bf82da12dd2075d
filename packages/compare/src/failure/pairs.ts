// Finds pairs of compared values in an output: lines of a diff, `Expected:` and `Received:`, `'a' != 'b'`.

import type { Evidence } from '../causes/score.ts';
import type { Entry } from '../model/model.ts';

export interface HeldPair {
  readonly values: readonly [string, string];
  readonly words: string;
}

export interface Pairs {
  readonly add: (line: string) => void;
  readonly end: () => void;
}

const first =
  /^(?:expected(?: value)?(?: to (?:equal|be|match))?|want(?:ed)?|left|should be)\s{0,9}[:=]|^expected [\w ]{1,60}:$/i;
const second = /^(?:received|actual|got|(?:but )?was|right|found)\s{0,9}[:=]/i;
const between =
  /[,;]? (?:but (?:was|got)(?:: ?| )|(?:got|want|(?:did|does) not equal|to (?:(?:deeply |strictly )?equal|be)|[!=]==?|≠|is not) )/;
const mostLines = 12;

export function createPairs(onPair: (a: string, b: string, line?: string) => void): Pairs {
  let removed: string[] = [];
  let added: string[] = [];
  let label: { readonly isFirst: boolean } | undefined;
  let firstHalf: { readonly isFirst: boolean; readonly value: string } | undefined;
  let age = 0;
  const endDiff = () => {
    if (removed.length > 0 && added.length > 0) {
      onPair(removed.join('\n'), added.join('\n'));
      if (removed.length === added.length && removed.length > 1)
        for (const [at, line] of removed.entries()) onPair(line, added[at] ?? '');
    }
    [removed, added] = [[], []];
  };
  const hold = (isFirst: boolean, value: string) => {
    const isPair = firstHalf && firstHalf.isFirst !== isFirst && age < mostLines;
    if (firstHalf && isPair) onPair(unquoted(firstHalf.value), unquoted(value));
    firstHalf = isPair ? undefined : { isFirst, value };
    age = 0;
  };
  return {
    add(line) {
      age += 1;
      const text = line.trim().replace(/^[\d\s]*│(?=[-+])/, '');
      if (/^-(?!-)./.test(text) && removed.length < mostLines) {
        if (added.length > 0) endDiff();
        removed.push(text.slice(1).replace(/^ /, ''));
      } else if (/^\+(?!\+)./.test(text) && added.length < mostLines)
        added.push(text.slice(1).replace(/^ /, ''));
      else endDiff();
      if (label && text !== '') {
        hold(label.isFirst, text);
        label = undefined;
      }
      const bare = text.replace(/^[-+*>|]\s+/, '');
      const match = first.exec(bare) ?? second.exec(bare);
      if (match) {
        const isFirst = first.test(bare);
        const value = bare.slice(match[0].length).trim();
        if (value !== '') hold(isFirst, value);
        else label = { isFirst };
      }
      const middle = between.exec(line);
      if (middle)
        onPair(
          lastValue(line.slice(0, middle.index)),
          firstValue(line.slice(middle.index + middle[0].length)),
          line,
        );
    },
    end: endDiff,
  };
}

const opening = `'"\`<[(‘“«`;
const closing = `'"\`>])’”»`;

function lastValue(text: string): string {
  const end = text.trimEnd().replace(/[,;:]$/, '');
  const quote = closing.indexOf(end.at(-1) ?? ' ');
  const from = quote < 0 ? -1 : end.lastIndexOf(opening[quote] ?? '', end.length - 2);
  return from < 0 ? end.slice(end.lastIndexOf(' ') + 1) : end.slice(from + 1, -1);
}

function firstValue(text: string): string {
  const start = text.trimStart();
  const quote = opening.indexOf(start[0] ?? ' ');
  const to = quote < 0 ? -1 : start.indexOf(closing[quote] ?? '', 1);
  return to < 0 ? (start.split(/[\s;]|,(?!\d)/)[0] ?? '') : start.slice(1, to);
}

function unquoted(text: string): string {
  return text.replace(/^['"`<]|['"`>,;]{1,2}$/g, '');
}

export function pairOf(
  { a, b, secret }: Entry,
  { pairs }: { readonly pairs: readonly HeldPair[] },
): Evidence | undefined {
  if (a === null || b === null || a === b || secret || Math.min(a.length, b.length) < 3) return undefined;
  const found = pairs.find(({ values: [x, y] }) => {
    const turned = x.includes(a) ? x.replaceAll(a, b) : x.replaceAll(b, a);
    return turned !== x && turned === y;
  });
  return found && { words: found.words, kind: 'named' };
}
