// Which attributes git gives a file: the patterns of .gitattributes files, matched as git matches them.
// https://git-scm.com/docs/gitattributes

import { compileGlob, maxPatternLength } from '@envsnap/shared/text/glob';
import type { Spend } from '@envsnap/shared/work-budget';
import { fileSteps } from '../../system/effort.ts';
import type { CapturedMachine } from '../../system/machine.ts';
import { type GitConfig, userFile } from './config.ts';
import type { IndexEntry } from './index-file.ts';
import type { Repository } from './repository.ts';

/** FileAttributes by name: `true` where set, `false` where unset with a minus, else the value. Unmentioned ones are absent. */
export type FileAttributes = ReadonlyMap<string, string | boolean>;

/** Answers which attributes are in effect for a path relative to the work tree, with `/`. */
export type AttributesOf = (path: string) => FileAttributes;

interface Rule {
  /** Folder of the file that holds the line, with `/` at the end; empty for the work tree's own. */
  readonly prefix: string;
  readonly byName: boolean;
  readonly test: (text: string) => boolean;
  readonly settings: readonly (readonly [name: string, value: string | boolean | undefined])[];
}

/** Steps that a rule costs, and each of its settings, which are kept; and that it costs to try a rule on a path. */
const [keptSteps, ruleSteps] = [3000, 10];

/**
 * Reads every file of attributes that is in effect for the work tree; tracked ones are found in the index. Throws `TooMuchWorkError`,
 * and so does what it answers.
 */
export async function readAttributes(
  machine: CapturedMachine,
  { workTree, commonFolder }: Repository,
  config: GitConfig,
  entries: readonly IndexEntry[],
): Promise<AttributesOf> {
  const { join } = machine.files.paths;
  const folders = new Set(['']);
  for (const { path } of entries)
    if (path.endsWith('/.gitattributes')) folders.add(path.slice(0, -'.gitattributes'.length));
  // Later files win: the system's, the user's, the folders from the top, the repository's own.
  const files: (readonly [prefix: string, file: string])[] = [
    ['', '/etc/gitattributes'],
    ['', userFile(machine, config.get('core.attributesfile'), 'attributes')],
    ...[...folders].sort().map((prefix) => [prefix, join(workTree, prefix, '.gitattributes')] as const),
    ['', join(commonFolder, 'info', 'attributes')],
  ];
  const rules: Rule[] = [];
  const macros = new Map<string, Rule['settings']>([['binary', settingsOf('-diff -merge -text')]]);
  for (const [prefix, file] of files) {
    const text = (await machine.files.text(file)) ?? '';
    machine.spend(fileSteps + text.length * 10);
    for (const line of text.split(/\r?\n/)) readLine(line, prefix, rules, macros, machine.spend);
  }
  return (path) => attributesOf(path, rules, macros, machine.spend);
}

function readLine(
  line: string,
  prefix: string,
  rules: Rule[],
  macros: Map<string, Rule['settings']>,
  spend: Spend,
): void {
  const text = line.trim();
  if (text === '' || text.startsWith('#') || text.length > maxPatternLength) return;
  const [, quoted, plain] = /^(?:"((?:[^"\\]|\\.)*)"|(\S+))/.exec(text) ?? [];
  const pattern = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
  const settings = settingsOf(text.slice(quoted === undefined ? pattern.length : quoted.length + 2));
  spend((1 + settings.length) * keptSteps);
  if (pattern.startsWith('[attr]')) macros.set(pattern.slice('[attr]'.length), settings);
  // A pattern for folders, or one that negates, gives no file an attribute.
  else if (pattern !== '' && !pattern.startsWith('!') && !pattern.endsWith('/'))
    rules.push({
      prefix,
      byName: !pattern.includes('/'),
      test: compileGlob(pattern.replace(/^\//, ''), { syntax: 'git', spend }),
      settings,
    });
}

function settingsOf(text: string): Rule['settings'] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => {
      if (word.startsWith('-')) return [word.slice(1), false] as const;
      if (word.startsWith('!')) return [word.slice(1), undefined] as const;
      const equals = word.indexOf('=');
      return equals < 0
        ? ([word, true] as const)
        : ([word.slice(0, equals), word.slice(equals + 1)] as const);
    });
}

function attributesOf(
  path: string,
  rules: readonly Rule[],
  macros: ReadonlyMap<string, Rule['settings']>,
  spend: Spend,
): FileAttributes {
  const found = new Map<string, string | boolean>();
  const name = path.slice(path.lastIndexOf('/') + 1);
  const apply = (settings: Rule['settings']): void => {
    spend(settings.length);
    for (const [attribute, value] of settings) {
      if (value === undefined) found.delete(attribute);
      else found.set(attribute, value);
    }
  };
  for (const { prefix, byName, test, settings } of rules) {
    spend(ruleSteps);
    if (!path.startsWith(prefix) || !test(byName ? name : path.slice(prefix.length))) continue;
    for (const setting of settings) {
      if (setting[1] === true) apply(macros.get(setting[0]) ?? []);
      apply([setting]);
    }
  }
  return found;
}
