// The repair of a differing fact, from its row in the catalogue.

import {
  type FactRepair,
  type FactRow,
  type LimitName,
  withScheme,
} from '@envsnap/shared/catalogue/facts/fact';
import { originText } from '@envsnap/shared/catalogue/facts/origin';
import { wordsOnly } from '@envsnap/shared/text/visible';
import { factRowOf } from '../environment/kind.ts';
import type { Entry, EnvironmentComparison } from '../model/model.ts';
import { exportCommands, quoted, quotedArgument } from '../model/shell-quote.ts';
import { amountOf, isNone } from '../relevance/conditions.ts';
import { phrase, type Repair } from './repair.ts';
import { otherOf, type SideNames } from './side-names.ts';

export function factRepair(
  entry: Entry,
  wanted: 'a' | 'b',
  { sections, a, b }: EnvironmentComparison,
  names: SideNames,
): Repair {
  const row = factRowOf(entry.section, entry.key);
  // Having none of these is never right, even on the side where it works.
  const needsSome = typeof row?.counts === 'object' && row.counts.when === 'none on one side';
  const side = needsSome && isNone(entry[wanted]) ? wanted : otherOf(wanted);
  const value = entry[otherOf(side)];
  const os = side === 'a' ? a.os : b.os;
  const isRoot = sections.facts.find(({ key }) => key === 'process.root')?.[side] === 'true';
  const hardest = sections.facts.find(({ key }) => key === `${entry.key}Hard`)?.[side];
  if (
    entry.section === 'facts' &&
    hardest !== undefined &&
    hardest !== null &&
    amountOf(value) > amountOf(hardest)
  )
    return say(
      side,
      `first raise the hard limit, which is ${hardest} (limits.conf, LimitNOFILE= of systemd, or --ulimit of Docker),`,
    );
  const own = repairOfRow(row, value);
  // The row repairs only the flag's other value, because this value breaks nothing.
  if (row?.repair && !own) return rarely(side);
  // The default of a flag can be set; other defaults are words such as "not set".
  const isWord = value === row?.unset && value !== 'true' && value !== 'false';
  const isList = row?.kind === 'set' || row?.kind === 'list';
  const needsValue = isWord && row.kind !== 'limit' && (own?.what.includes('{value}') ?? false);
  const text = own && !needsValue && filled(own, entry, side, isRoot);
  if (text) return { side, ...text };
  if (needsValue && !isList) return rarely(side);
  const applied =
    value === null || row === undefined || row.kind === 'digest'
      ? undefined
      : isWord
        ? unsetRepair(row)
        : (appliedRepair(row, value, os) ?? sysctlRepair(row, value, isRoot));
  if (applied) return { side, ...applied };
  const origin =
    row && originText(row.read, os === 'darwin' ? 'macos' : os === 'win32' ? 'windows' : 'linux');
  const place = origin === undefined ? '' : ` (${origin})`;
  const { at } = names[otherOf(side)];
  const extra = itemsOf(entry[side]).filter((item) => !itemsOf(value).includes(item));
  if (isList && extra.length > 0 && (own || isWord))
    return say(side, phrase`remove ${extra.join(', ')}` + place);
  if (isWord) return say(side, phrase`set ${entry.key} back to ${value}` + place);
  return say(
    side,
    (isLong(value) ? phrase`set ${entry.key} as ${at}` : phrase`set ${entry.key} to ${value}`) + place,
  );
}

const isLong = (value: string | null): value is null => value === null || value.length > 60;

function rarely(side: 'a' | 'b'): Repair {
  return { side, kind: 'ask', what: 'rarely the only cause', commands: [] };
}

function say(side: 'a' | 'b', what: string): Repair {
  return { side, kind: 'configure', what, commands: [] };
}

function repairOfRow(row: FactRow | undefined, value: string | null): FactRepair | undefined {
  const { repair } = row ?? {};
  return repair === undefined || 'kind' in repair ? repair : repair[value === 'true' ? 'true' : 'false'];
}

/** The repair in a fact's row, with the value filled in. Undefined if the row is about a side that lacks something, and
 * this side does not. Root needs no sudo, and containers often have none. */
function filled(
  { kind, what, commands = [] }: FactRepair,
  entry: Entry,
  side: 'a' | 'b',
  isRoot: boolean,
): Omit<Repair, 'side'> | undefined {
  const value = entry[otherOf(side)];
  const present = itemsOf(entry[side]);
  const missing = itemsOf(value).filter((item) => item !== 'none' && !present.includes(item));
  if (what.includes('{missing}') && missing.length === 0) return undefined;
  const word = value === null ? undefined : quotedArgument(value);
  const isRunnable = word !== undefined || commands.every((command) => !command.includes('{value}'));
  return {
    kind,
    what: what
      .replaceAll('{value}', () => (value === null ? 'the value of the other side' : wordsOnly(value)))
      .replaceAll('{missing}', () => wordsOnly(missing.join(', '))),
    commands: isRunnable
      ? commands.map((command) =>
          (isRoot ? command.replace(/^sudo /, '') : command).replaceAll('{value}', () => word ?? ''),
        )
      : [],
  };
}

const itemsOf = (value: string | null) => value?.split(/,\s*/) ?? [];

/** Removes a setting, if one command can do it wherever the setting is. */
function unsetRepair({ apply, read }: FactRow): Omit<Repair, 'side'> | undefined {
  if (apply?.by === 'git-config') {
    const again = writesFiles.test(apply.key) ? [checkOutAgain] : [];
    const command = `git config --unset ${apply.key} || git config --global --unset ${apply.key}`;
    return { kind: 'configure', what: `unset git’s ${apply.key}`, commands: [command, ...again] };
  }
  if (apply?.by === 'variables')
    return { kind: 'configure', what: 'unset them', commands: setOnly(apply.names, '') };
  if (apply?.by !== 'variable' || originText(read, 'linux') !== `variable ${apply.name}`) return undefined;
  return { kind: 'unset', what: apply.name, commands: [`unset ${apply.name}`] };
}

function sysctlRepair(
  { read: { linux } }: FactRow,
  value: string,
  isRoot: boolean,
): Omit<Repair, 'side'> | undefined {
  if (linux === null || typeof linux === 'string' || linux.from !== 'sysctl') return undefined;
  const number = linux.choices ? linux.choices.indexOf(value) : Number(value);
  if (!Number.isInteger(number) || number < 0) return undefined;
  const name = linux.path.replaceAll('/', '.');
  const command = `${isRoot ? '' : 'sudo '}sysctl -w ${name}=${number}`;
  return { kind: 'configure', what: `set ${name} to ${number}`, commands: [command] };
}

/** Settings that git derives from the file system, or that decide how it writes the files of one work tree. */
const ofWorkTree = /^core\.(?:autocrlf|eol|safecrlf|ignorecase|filemode|symlinks|precomposeunicode)$/i;
/** Settings that decide how files are written, so that those in the work tree must be written again. */
const writesFiles = /^core\.(?:autocrlf|eol|symlinks)$/i;
/** Writes every file again; does nothing if something is not committed. */
const checkOutAgain = 'git diff --quiet HEAD && git rm -rq --cached . && git reset -q --hard';

function appliedRepair(
  { apply, kind }: FactRow,
  value: string,
  os: string | null,
): Omit<Repair, 'side'> | undefined {
  const word = apply?.by === 'variable' ? quoted(value) : quotedArgument(value);
  if (word === undefined) return undefined;
  switch (apply?.by) {
    case 'limit':
      return {
        kind: 'configure',
        what: phrase`set the limit ${apply.limit} to ${value}`,
        commands:
          os === 'darwin' ? ulimit(apply.limit, word) : [`prlimit --pid $$ --${apply.limit}=${word}:`],
      };
    case 'umask':
      return { kind: 'configure', what: phrase`set the umask to ${value}`, commands: [`umask ${word}`] };
    case 'git-config':
      return {
        kind: 'configure',
        what: phrase`set git’s ${apply.key} to ${value}`,
        commands: [
          `git config ${ofWorkTree.test(apply.key) ? '' : '--global '}${apply.key} ${word}`,
          ...(writesFiles.test(apply.key) ? [checkOutAgain] : []),
        ],
      };
    case 'variable': {
      const { name } = apply;
      // Each tool separates several values in its own way.
      if (kind === 'set' && value.includes(', ')) return undefined;
      const full = withScheme(name, value);
      return { kind: 'set', what: name, value: full, commands: exportCommands(name, full) };
    }
    case 'variables':
      return { kind: 'configure', what: phrase`set ${value}`, commands: setOnly(apply.names, value) };
    default:
      return undefined;
  }
}

/** Sets the variables of `NAME=value, …`, and unsets the others. */
function setOnly(names: readonly string[], value: string): string[] {
  const entries = itemsOf(value).map((item) => /^(\w+)=(.*)$/s.exec(item) ?? []);
  const exports = entries.flatMap(([, name = '', text = '']) =>
    names.includes(name) ? exportCommands(name, text) : [],
  );
  return [`unset ${names.join(' ')}`, ...exports];
}

/** Limits that every shell's `ulimit` counts in the same unit as a capture. */
function ulimit(limit: LimitName, word: string): string[] {
  const option = { nofile: 'n', nproc: 'u' }[limit as string];
  return option === undefined ? [] : [`ulimit -S -${option} ${word}`];
}
