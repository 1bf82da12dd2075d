// How a differing fact is repaired, as its row says.

import type { FactApplier, FactRepair, FactRow, LimitName } from '@envsnap/shared/catalogue/facts/fact';
import { originText } from '@envsnap/shared/catalogue/facts/origin';
import { factRowOf } from '../environment/kind.ts';
import type { Entry, EnvironmentComparison } from '../model/model.ts';
import { exportCommands, quoted, quotedArgument } from '../model/shell-quote.ts';
import { amountOf, isNone } from '../relevance/conditions.ts';
import type { Repair } from './repair.ts';
import { otherOf, type SideNames } from './side-names.ts';

export function factRepair(
  entry: Entry,
  wanted: 'a' | 'b',
  { sections, a, b }: EnvironmentComparison,
  names: SideNames,
): Repair {
  const row = factRowOf(entry.section, entry.key);
  // None at all of these is never right, even on the side where it works.
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
      `raise the hard limit first (it is ${hardest}), in limits.conf, as LimitNOFILE= of systemd, or with --ulimit of a container,`,
    );
  const own = repairOfRow(row, value);
  if (own) return { side, ...filled(own, value, isRoot) };
  // The flag's row repairs only the other value, because this one breaks nothing.
  if (row?.repair) return { side, kind: 'ask', what: 'rarely the only cause', commands: [] };
  const { apply } = row ?? {};
  // A flag's default can be set like any other value; other defaults are words for "not set".
  const isWord = value === row?.unset && value !== 'true' && value !== 'false';
  if (value !== null && apply && !isWord && row?.kind !== 'digest') {
    const repair = appliedRepair(apply, value, os);
    if (repair) return { side, ...repair };
  }
  const file = row && originText(row.read, 'linux');
  const source = file && /^[~/](?!proc)/.test(file) ? `, in ${file},` : '';
  const phrase =
    value === null || row?.kind === 'digest' || isWord || value.length > 60
      ? `make ${entry.key} the same as ${names[otherOf(side)].at}${source}`
      : `make ${entry.key} ${value}${source}`;
  return say(side, phrase);
}

function say(side: 'a' | 'b', what: string): Repair {
  return { side, kind: 'configure', what, commands: [] };
}

function repairOfRow(row: FactRow | undefined, value: string | null): FactRepair | undefined {
  const { repair } = row ?? {};
  return repair === undefined || 'kind' in repair ? repair : repair[value === 'true' ? 'true' : 'false'];
}

/** A row's repair with the value in it. Root needs no sudo, and a container often has none. */
function filled(
  { kind, what, commands = [] }: FactRepair,
  value: string | null,
  isRoot: boolean,
): Omit<Repair, 'side'> {
  const word = value === null ? undefined : quotedArgument(value);
  const isRunnable = word !== undefined || commands.every((command) => !command.includes('{value}'));
  return {
    kind,
    what: what.replaceAll('{value}', () => value ?? 'the value of the other side'),
    commands: isRunnable
      ? commands.map((command) =>
          (isRoot ? command.replace(/^sudo /, '') : command).replaceAll('{value}', () => word ?? ''),
        )
      : [],
  };
}

/** Settings that git asks the file system for, or that decide how it writes the files of one work tree. */
const ofWorkTree = /^core\.(?:autocrlf|eol|safecrlf|ignorecase|filemode|symlinks|precomposeunicode)$/i;
/** Decide how files are written, so that those of the work tree have to be written again. */
const writesFiles = /^core\.(?:autocrlf|eol|symlinks)$/i;
/** Writes every file again; does nothing where something is not committed. */
const checkOutAgain = 'git diff --quiet HEAD && git rm -rq --cached . && git reset -q --hard';

function appliedRepair(
  apply: FactApplier,
  value: string,
  os: string | null,
): Omit<Repair, 'side'> | undefined {
  const word = apply.by === 'variable' ? quoted(value) : quotedArgument(value);
  if (word === undefined) return undefined;
  switch (apply.by) {
    case 'limit':
      return {
        kind: 'configure',
        what: `set the limit ${apply.limit} to ${value}`,
        commands:
          os === 'darwin' ? ulimit(apply.limit, word) : [`prlimit --pid $$ --${apply.limit}=${word}:`],
      };
    case 'umask':
      return { kind: 'configure', what: `set the umask to ${value}`, commands: [`umask ${word}`] };
    case 'git-config':
      return {
        kind: 'configure',
        what: `set git’s ${apply.key} to ${value}`,
        commands: [
          `git config ${ofWorkTree.test(apply.key) ? '' : '--global '}${apply.key} ${word}`,
          ...(writesFiles.test(apply.key) ? [checkOutAgain] : []),
        ],
      };
    case 'variable':
      return { kind: 'set', what: apply.name, value, commands: exportCommands(apply.name, value) };
    default:
      return undefined;
  }
}

/** Limits that `ulimit` of every shell counts as captures do. */
function ulimit(limit: LimitName, word: string): string[] {
  const option = { nofile: 'n', nproc: 'u' }[limit as string];
  return option === undefined ? [] : [`ulimit -S -${option} ${word}`];
}
