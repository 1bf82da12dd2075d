// One difference as a cause: the sentence that names it, and what to do about it.

import { type DeclaredRequirement, type Entry, toolOfKey } from '../model/model.ts';
import type { CauseText } from './cause.ts';
import { factSentence } from './fact-sentence.ts';
import type { SideNames } from './side-names.ts';
import { showValuesHint } from './terminal-hints.ts';

/** What else is known about a difference. */
export interface CauseContext {
  /** The project's file that mentions a variable. */
  readonly mentionedIn?: string | undefined;
  /** How far B may raise a limit by itself. */
  readonly hardLimit?: string | undefined;
}

/** Puts one difference into words. */
export function causeText(
  entry: Entry,
  names: SideNames,
  { mentionedIn, hardLimit }: CauseContext = {},
): CauseText {
  switch (entry.section) {
    case 'os':
      return attribute(
        'operating system',
        entry,
        names,
        `run ${names.b.name} on ${entry.a ?? 'the same system'}`,
      );
    case 'arch':
      return attribute(
        'architecture',
        entry,
        names,
        `install packages built for ${entry.b ?? names.b.name} ${names.b.at}`,
      );
    case 'system':
      return systemText(entry, names);
    case 'facts':
      return factSentence(entry, names, hardLimit);
    case 'runtimes':
      return runtimeText(entry, names);
    case 'toolchain':
      return toolchainText(entry, names);
    case 'paths':
      return listText(entry, names);
    default:
      return variableText(entry, names, mentionedIn);
  }
}

function attribute(what: string, { a, b }: Entry, names: SideNames, advice: string): CauseText {
  return { what: `the ${what} is ${a ?? 'unknown'} ${names.a.at}, ${b ?? 'unknown'} ${names.b.at}`, advice };
}

/** The file and the variable of a key such as `web/.env.local:API_URL`. */
export function dotenvPlace(key: string): { file: string; name: string } | undefined {
  const [, file, name] = /^((?:[^:]*\/)?\.env[^:/]*):(.+)$/s.exec(key) ?? [];
  return file === undefined || name === undefined ? undefined : { file, name };
}

function variableText(
  { key, status, a, b, secret }: Entry,
  names: SideNames,
  mentionedIn: string | undefined,
): CauseText {
  const mention = mentionedIn === undefined ? '' : ` (${mentionedIn} names it)`;
  // A line of a file is edited, not set in a shell.
  const { file, name } = dotenvPlace(key) ?? {};
  if (status === 'removed')
    return {
      what: `${key} is set ${names.a.at}, not ${names.b.at}${mention}`,
      advice: file ? `add ${name} to ${file} ${names.b.at}` : `set ${key} ${names.b.at}`,
    };
  if (status === 'added')
    return {
      what: `${key} is set ${names.b.at}, not ${names.a.at}${mention}`,
      // Nobody unsets CI on a runner; the other machine shows whether it is the cause.
      advice:
        key === 'CI'
          ? `run it with CI=true ${names.a.at}, and see whether it fails there too`
          : file
            ? `take ${name} out of ${file} ${names.b.at}`
            : `unset ${key} ${names.b.at}`,
    };
  const isKnown = a !== null && b !== null;
  const shown = isKnown && !secret && a.length + b.length <= 60;
  return {
    what: shown
      ? `${key} is ${a || 'empty'} ${names.a.at}, ${b || 'empty'} ${names.b.at}`
      : `${key} has another value ${names.b.at}`,
    advice: `give ${key} the same value ${names.b.at}${isKnown || secret ? '' : showValuesHint}`,
    ...(shown ? {} : { hidesValues: true as const }),
  };
}

function listText(entry: Entry, names: SideNames): CauseText {
  const { key, status } = entry;
  if (status !== 'changed') return variableText(entry, names, undefined);
  return {
    what: `${key} lists ${listPhrase(entry, names.b.at)}`,
    advice:
      entry.a === null
        ? `compare ${key} entry by entry${showValuesHint}`
        : `give ${key} the same ${isReordered(entry) ? 'order' : 'entries'} ${names.b.at}`,
  };
}

/** `2 more, 1 fewer, in another order in B`. */
export function listPhrase(entry: Entry, at = 'in B'): string {
  const { added, removed, moved } = entry.list ?? { added: [], removed: [], moved: [] };
  if (isReordered(entry)) return `the same in another order ${at}`;
  const parts: string[] = [];
  if (added.length > 0) parts.push(`${added.length} more${named(added)}`);
  if (removed.length > 0) parts.push(`${removed.length} fewer${named(removed)}`);
  if (moved.length > 0) parts.push(`${moved.length} in another order`);
  return parts.length === 0 ? `other entries ${at}` : `${parts.join(', ')} ${at}`;
}

/** Whether nothing but the order differs. */
function isReordered({ list }: Entry): boolean {
  return list !== undefined && list.moved.length > 0 && list.added.length + list.removed.length === 0;
}

/** ` (/opt/a, /opt/b)` where the entries are shown and few. */
function named(entries: readonly string[]): string {
  const isShown = entries.length <= 2 && entries.every((entry) => entry !== '' && entry.length <= 60);
  return isShown ? ` (${entries.join(', ')})` : '';
}

function runtimeText({ key, a, b, status, distance }: Entry, names: SideNames): CauseText {
  if (status === 'removed')
    return {
      what: `${key} ${a} is ${names.a.at}, not ${names.b.at}`,
      advice: `install ${key} ${a} ${names.b.at}`,
    };
  if (status === 'added')
    return {
      what: `${key} ${b} is ${names.b.at}, not ${names.a.at}`,
      advice: `check whether ${key} gets in the way ${names.b.at}`,
    };
  const apart = distance === null || distance === 'other' ? '' : ` (${distance})`;
  return {
    what: `${key} is ${a} ${names.a.at}, ${b} ${names.b.at}${apart}`,
    advice: `use ${key} ${a} ${names.b.at}`,
  };
}

function systemText(entry: Entry, names: SideNames): CauseText {
  const { key, a, b, distance } = entry;
  const name = key.split('.')[0] as string;
  const title = name === 'timezone' ? 'the time zone' : name === 'locale' ? 'the language' : key;
  const what = `${title} is ${a ?? 'unknown'} ${names.a.at}, ${b ?? 'unknown'} ${names.b.at}`;
  if (name === 'libc' && distance === 'major')
    return {
      what,
      advice: `install native packages built for ${b} ${names.b.at}, or use an image with ${a}`,
    };
  if (name === 'libc')
    return { what, advice: `use an image with ${a ?? 'the same C library'} for ${names.b.name}` };
  if (name.startsWith('distr'))
    return { what, advice: `use ${a ?? 'the same distribution'} for ${names.b.name}` };
  if (name === 'timezone')
    return { what, advice: a === null ? 'set TZ on both sides' : `set TZ=${a} ${names.b.at}` };
  if (name === 'locale')
    return { what, advice: a === null ? 'set LANG on both sides' : `set LANG=${a} ${names.b.at}` };
  return { what, advice: 'rarely the cause by itself' };
}

function toolchainText(entry: Entry, names: SideNames): CauseText {
  const { a, b } = entry.declared ?? { a: null, b: null };
  const tool = toolOfKey(entry.key);
  if (b?.satisfied === false && a?.satisfied !== false) return unmet(tool, b, names.b.name, names.b.at);
  if (a && b && a.requirement !== b.requirement) {
    return {
      what: `${whereOf(a)} asks for ${tool} ${a.requirement} ${names.a.at}, ${b.requirement} ${names.b.at}`,
      advice: 'check out the same revision on both sides',
    };
  }
  if (a?.satisfied === false) return unmet(tool, a, names.a.name, names.a.at);
  return {
    what: `${tool} ${(a ?? b)?.requirement ?? ''} is declared ${a ? names.a.at : names.b.at} only`,
    advice: 'check out the same revision on both sides',
  };
}

function unmet(tool: string, declared: DeclaredRequirement, name: string, at: string): CauseText {
  return {
    what: `${whereOf(declared)} asks for ${tool} ${declared.requirement}, ${name} has ${declared.present}`,
    advice: `install ${tool} ${declared.requirement} ${at}`,
  };
}

function whereOf({ file }: DeclaredRequirement): string {
  return file || 'the project';
}
