// Finds the repair of a cause: the side that differs from what the project declares, and the repair in the row.

import { dotenvPlace } from '../environment/dotenv-variable.ts';
import { checkoutPlace, checkoutRepair, differingSide } from '../model/compare-checkout.ts';
import { lackingIn, leftOut } from '../model/compare-installed.ts';
import { copySample, fileOfSample } from '../model/dotenv-sample.ts';
import { installCommands, ownEnvironment } from '../model/install-tool.ts';
import { commandFor, declaredManager, developmentKey } from '../model/installed-findings.ts';
import { type Entry, type EnvironmentComparison, toolOfKey } from '../model/model.ts';
import { exportCommands, quoted } from '../model/shell-quote.ts';
import { expectationOn } from '../policy/check-policy.ts';
import type { PolicyCheck } from '../policy/policy.ts';
import { activationRepair } from './active-environment.ts';
import { factRepair } from './fact-repair.ts';
import type { Group } from './group.ts';
import { platformCommands } from './platform-repair.ts';
import { alternativeToWeakening } from './protections.ts';
import { ask, configure, phrase, type Repair } from './repair.ts';
import { isReordered } from './sentence.ts';
import { otherOf, type SideNames } from './side-names.ts';
import { systemPackageRepair } from './system-package-repair.ts';

type Side = 'a' | 'b';

interface RepairContext {
  readonly comparison: EnvironmentComparison;
  readonly names: SideNames;
  readonly checks: readonly PolicyCheck[];
  readonly words: string | undefined;
}

/** What the policy asks for, if copying A would not help B to meet it; otherwise what makes the sides equal. */
export function findRepair(kind: Group['kind'], entries: readonly Entry[], context: RepairContext): Repair {
  const repair = equalizingRepair(kind, entries, context);
  const check = entries[0] && expectationOn(entries[0], context.checks);
  if (check?.outcome !== 'violated' || (check.metByA && repair.kind !== 'ask')) return repair;
  // The policy's value of a variable is secret like the variable's own, so the cause does not name it.
  return configure('b', check.rule === 'env' ? phrase`set ${check.key} as the policy says` : check.advice);
}

function equalizingRepair(kind: Group['kind'], entries: readonly Entry[], context: RepairContext): Repair {
  const { comparison, names } = context;
  const [leader] = entries as [Entry, ...Entry[]];
  const activation = kind === 'environment' ? activationRepair(entries, comparison) : undefined;
  if (activation) return activation;
  if (kind === 'platform') return platformRepair(context);
  if (kind === 'dotenv file' && entries.length > 1) return missingFileRepair(leader, context);
  if (kind === 'family' && entries.length > 1 && leader.key.startsWith('program.'))
    return configure('b', `install the tools of ${names.a.name}, or write scripts that work with both,`);
  switch (leader.section) {
    case 'os':
      return configure(
        'b',
        phrase`run it on ${leader.a ?? 'the same system'}`,
        context.words === undefined ? [] : platformCommands(comparison, context.words),
      );
    case 'arch':
      return configure(
        'b',
        phrase`install packages built for ${leader.b ?? names.b.name}`,
        platformCommands(comparison, context.words),
      );
    case 'system':
      return systemRepair(leader, context);
    case 'facts':
      return (
        alternativeToWeakening(leader, wantedSide(leader, context)) ??
        factRepair(leader, wantedSide(leader, context), comparison, names)
      );
    case 'runtimes':
      return runtimeRepair(leader, context);
    case 'toolchain':
      return toolchainRepair(leader, context);
    case 'dependencies':
      return kind === 'system packages'
        ? systemPackageRepair(leader, entries, context)
        : lockFileRepair(leader, context);
    case 'installed':
      return installedRepair(leader, entries, context.comparison);
    case 'checkout':
      return checkoutRepairOf(leader, names);
    case 'env':
    case 'paths': {
      const repair = variableRepair(leader, context);
      // The language or time zone in effect reveals the hidden value of a variable.
      const effect = entries.find(({ section }) => section === 'system');
      const isOpen = repair.kind !== 'unset' && repair.value === undefined && !dotenvPlace(leader.key);
      return isOpen && effect ? systemRepair(effect, context, leader.key) : repair;
    }
  }
}

function platformRepair({ comparison, names, words }: RepairContext): Repair {
  const { a, b } = comparison;
  const both = phrase`install packages built for ${b.os} ${b.arch} ${names.b.at}, or run both on ${a.os} ${a.arch}`;
  const commands = platformCommands(comparison, words);
  return commands.length > 0 ? configure('b', both, commands) : ask(both);
}

function wantedSide(entry: Entry, context: RepairContext): Side {
  const { section, key } = entry;
  const { comparison, checks } = context;
  const check = expectationOn(entry, checks);
  if (check?.outcome === 'met') return 'b';
  if (check?.outcome === 'violated') return 'a';
  const declared = comparison.sections.toolchain.filter(
    (entry) => section === 'runtimes' && toolOfKey(entry.key) === key,
  );
  return declared.some(({ declared: sides }) => sides?.b?.satisfied === true && sides.a?.satisfied === false)
    ? 'b'
    : 'a';
}

/** The variable that decides: LC_ALL if the side has it, otherwise the given one. */
function decidingVariable(name: string, side: Side, { sections }: EnvironmentComparison): string {
  const isSet = (variable: string) =>
    sections.env.some(
      ({ key, status }) => key === variable && status !== (side === 'b' ? 'removed' : 'added'),
    );
  return /^(?:LANG|LC_(?!ALL))/.test(name) && isSet('LC_ALL') ? 'LC_ALL' : name;
}

function variableRepair(entry: Entry, context: RepairContext): Repair {
  const { key, secret } = entry;
  const wanted = wantedSide(entry, context);
  const weak = alternativeToWeakening(entry, wanted);
  if (weak) return weak;
  const side = otherOf(wanted);
  const isWanted = entry.status !== (wanted === 'a' ? 'added' : 'removed');
  const value = secret ? null : entry[wanted];
  const place = dotenvPlace(key);
  if (place) {
    if (!isWanted) return configure(side, phrase`remove ${place.name} from ${place.file}`);
    const word = value === null ? undefined : quoted(`${place.name}=${value}`);
    const file = quoted(place.file);
    // If a name had two lines, readers could choose different ones.
    const canAppend = entry.status !== 'changed' && word !== undefined && file !== undefined;
    return configure(
      side,
      entry.status === 'changed'
        ? phrase`set ${place.name} in ${place.file}`
        : phrase`add ${place.name} to ${place.file}`,
      canAppend ? [`printf '%s\\n' ${word} >> ${file}`] : [],
    );
  }
  if (!isWanted)
    return { side, kind: 'unset', what: key, commands: /^[A-Za-z_]\w*$/.test(key) ? [`unset ${key}`] : [] };
  if (entry.section === 'paths' && entry.status === 'changed')
    return configure(
      side,
      phrase`give ${key} the same ${isReordered(entry) ? 'order' : 'entries'} as ${context.names[wanted].at}`,
    );
  const name = decidingVariable(key, side, context.comparison);
  if (value === null && entry.status === 'changed')
    return configure(side, phrase`give ${name} the same value`);
  if (value === null) return { side, kind: 'set', what: name, commands: [] };
  return { side, kind: 'set', what: name, value, commands: exportCommands(name, value) };
}

function missingFileRepair(leader: Entry, { comparison, names }: RepairContext): Repair {
  const { file = '', name = '' } = dotenvPlace(leader.key) ?? {};
  if (leader.status === 'added') return configure('b', phrase`move ${file} out of the way`);
  const sample = comparison.needs.variables.get(name);
  const copy = sample && fileOfSample(sample) && copySample(sample, file);
  if (copy) return configure('b', phrase`write ${file}`, [copy]);
  return configure('b', phrase`use the ${file} of ${names.a.name}`);
}

function systemRepair(entry: Entry, context: RepairContext, variable?: string): Repair {
  const { key, a, b, distance } = entry;
  const { comparison } = context;
  const [name = ''] = key.split('.');
  if (name === 'libc' && distance === 'major')
    return configure(
      'b',
      phrase`use an image with ${a}, or install native packages built for ${b},`,
      platformCommands(comparison, context.words),
    );
  if (name === 'libc') return configure('b', phrase`use an image with ${a ?? 'the same C library'}`);
  if (name.startsWith('distr')) return configure('b', phrase`use ${a ?? 'the same distribution'}`);
  if (name !== 'timezone' && name !== 'locale') return ask('rarely the only cause');
  const wanted = wantedSide(entry, context);
  const side = otherOf(wanted);
  // LANGUAGE chooses translations only, and only if the locale allows it.
  const own = variable === 'LANGUAGE' ? undefined : variable;
  const what = decidingVariable(own ?? (name === 'timezone' ? 'TZ' : 'LANG'), side, comparison);
  const value = entry[wanted];
  return value === null
    ? { side: 'both', kind: 'set', what, commands: [] }
    : { side, kind: 'set', what, value, commands: exportCommands(what, value) };
}

function runtimeRepair(entry: Entry, context: RepairContext): Repair {
  const wanted = wantedSide(entry, context);
  const value = entry[wanted];
  const side = otherOf(wanted);
  if (value === null)
    return ask(
      `run it without ${entry.key} ${context.names[side].at}, which ${context.names[wanted].name} does not have`,
    );
  const kind = entry[side] === null ? 'install' : 'use';
  return {
    side,
    kind,
    what: entry.key,
    value,
    commands: installTool(entry.key, value, side, context.comparison),
  };
}

function installTool(
  tool: string,
  version: string,
  side: Side,
  { sections }: EnvironmentComparison,
): string[] {
  const missing = side === 'b' ? 'removed' : 'added';
  const active = sections.env.find(({ key }) => key === 'VIRTUAL_ENV')?.[side];
  const has = (variable: string) =>
    sections.env.some(({ key, status }) => key === variable && status !== missing);
  return installCommands(
    tool,
    version,
    ({ rootVariable }) => has(rootVariable),
    ownEnvironment(tool, active),
  );
}

function toolchainRepair({ key, declared }: Entry, context: RepairContext): Repair {
  const { a = null, b = null } = declared ?? {};
  const tool = toolOfKey(key);
  const [side, unmet, met] =
    b?.satisfied === false && a?.satisfied !== false
      ? (['b', b, a] as const)
      : a?.satisfied === false && b?.satisfied !== false
        ? (['a', a, b] as const)
        : (['both', a ?? b, null] as const);
  const isDeclaredAlike = a !== null && b !== null && a.requirement === b.requirement;
  if (unmet?.satisfied !== false || (side === 'both' && !isDeclaredAlike))
    return configure('both', 'check out the same revision');
  const present = isDeclaredAlike && met?.satisfied === true ? met.present : null;
  const exact = present ?? (/^\d+(?:\.\d+){2}$/.test(unmet.requirement) ? unmet.requirement : null);
  return {
    side,
    kind: 'install',
    what: tool,
    value: present ?? unmet.requirement,
    commands: exact === null || side === 'both' ? [] : installTool(tool, exact, side, context.comparison),
  };
}

const isLacking = /not find|not found|cannot find|missing|not installed|no matching/i;

function lockFileRepair({ file = '', b }: Entry, { comparison, names, words }: RepairContext): Repair {
  const command = commandFor(file, { manager: managerOf(file, comparison) });
  // The lock file of B is the newer one, and its packages are not installed.
  if (command && b !== null && words?.includes(b) && isLacking.test(words))
    return { side: 'b', kind: 'restore', what: phrase`install what ${file} locks`, commands: [command] };
  return ask(phrase`use the ${file} of ${names.a.name} ${names.b.at}` + (command ? `, then ${command}` : ''));
}

function managerOf(file: string, { sections }: EnvironmentComparison): string | undefined {
  const declared = sections.toolchain.flatMap(({ key, declared: { a = null, b = null } = {} }) => {
    const source = (a ?? b)?.file;
    return source === undefined ? [] : [{ tool: toolOfKey(key), file: source }];
  });
  return declaredManager(file, declared);
}

function installedRepair(
  leader: Entry,
  entries: readonly Entry[],
  comparison: EnvironmentComparison,
): Repair {
  const { a, b } = comparison;
  const { file = '', name } = leader;
  const sides = new Set(entries.map(({ drift }) => drift?.sides ?? 'both'));
  const [only = 'both'] = sides;
  const side = name === undefined ? lackingIn(leader).side : sides.size === 1 ? only : 'both';
  const isLeftOut = leader.a === leftOut || leader.b === leftOut;
  const version = (side === 'a' ? leader.a : leader.b) ?? '';
  const drifted = isLeftOut
    ? { name: developmentKey }
    : name === undefined
      ? undefined
      : { name, version, folder: leader.drift?.folder, os: (side === 'a' ? a : b).os };
  const command = commandFor(file, { ...drifted, manager: managerOf(file, comparison) });
  if (command === null) return configure(side, phrase`install what ${file} locks`);
  return { side, kind: 'restore', what: phrase`install what ${file} locks`, commands: [command] };
}

function checkoutRepairOf(entry: Entry, names: SideNames): Repair {
  const { subject, name } = checkoutPlace(entry.key);
  const side = differingSide(entry);
  const lacking = entry.a === 'none' ? 'a' : 'b';
  switch (subject) {
    case 'commit': {
      const commit = entry.a ?? '';
      const commands = /^[0-9a-f]{7,40}$/.test(commit) ? [`git checkout ${commit.slice(0, 8)}`] : [];
      return { side: 'b', kind: 'restore', what: `check out ${commit.slice(0, 8)}`, commands };
    }
    case 'branch':
      return configure('both', 'check out the same revision');
    case 'ignored':
      if (entry.a === 'none') return configure('b', phrase`move ${name} out of the way`);
      return configure(
        'b',
        entry.b === 'none'
          ? phrase`copy ${name} from ${names.a.name}, or create it,`
          : phrase`use the ${name} of ${names.a.name}`,
      );
    case 'untracked':
      return ask(`look at “git status” ${names.b.at}`);
    case 'operation':
      return ask(`look at “git status” ${names[side].at}, which says how to finish or undo it`);
    case 'repository':
      return configure(lacking, 'copy or mount .git too, or clone the repository,');
  }
  const repair = checkoutRepair(entry.key, entry[side] ?? '');
  if (repair) return { side: subject === 'tags' ? lacking : side, ...repair };
  return side === 'a'
    ? ask(`commit it ${names.a.at}, or copy it to ${names.b.name}`)
    : ask(`look at “git diff HEAD -- ${name === '' ? '.' : (quoted(name) ?? '.')}” ${names.b.at}`);
}
