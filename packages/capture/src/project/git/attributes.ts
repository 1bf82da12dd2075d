// Which attributes git gives a file: the patterns of .gitattributes files, matched as git matches them.
// https://git-scm.com/docs/gitattributes

import { compileGlob, maxPatternLength } from '@envsnap/shared/text/glob';
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

/** Most files of attributes that are read, and most lines in all of them. */
const maxFiles = 1000;
const maxRules = 5000;

/** Reads every file of attributes that is in effect for the work tree; tracked ones are found in the index. */
export async function readAttributes(
  machine: CapturedMachine,
  { workTree, commonFolder }: Repository,
  config: GitConfig,
  entries: readonly IndexEntry[],
): Promise<AttributesOf> {
  const { join } = machine.files.paths;
  const folders = new Set(['']);
  for (const { path } of entries) {
    if (folders.size >= maxFiles) break;
    if (path.endsWith('/.gitattributes')) folders.add(path.slice(0, -'.gitattributes'.length));
  }
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
    for (const line of ((await machine.files.text(file)) ?? '').split(/\r?\n/)) {
      if (rules.length >= maxRules) break;
      readLine(line, prefix, rules, macros);
    }
  }
  return (path) => attributesOf(path, rules, macros);
}

function readLine(line: string, prefix: string, rules: Rule[], macros: Map<string, Rule['settings']>): void {
  const text = line.trim();
  if (text === '' || text.startsWith('#') || text.length > maxPatternLength) return;
  const [, quoted, plain] = /^(?:"((?:[^"\\]|\\.)*)"|(\S+))/.exec(text) ?? [];
  const pattern = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
  const settings = settingsOf(text.slice(quoted === undefined ? pattern.length : quoted.length + 2));
  if (pattern.startsWith('[attr]')) macros.set(pattern.slice('[attr]'.length), settings);
  // A pattern for folders, or one that negates, gives no file an attribute.
  else if (pattern !== '' && !pattern.startsWith('!') && !pattern.endsWith('/'))
    rules.push({
      prefix,
      byName: !pattern.includes('/'),
      test: compileGlob(pattern.replace(/^\//, ''), { syntax: 'git' }),
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
): FileAttributes {
  const found = new Map<string, string | boolean>();
  const name = path.slice(path.lastIndexOf('/') + 1);
  const apply = (settings: Rule['settings']): void => {
    for (const [attribute, value] of settings) {
      if (value === undefined) found.delete(attribute);
      else found.set(attribute, value);
    }
  };
  for (const { prefix, byName, test, settings } of rules) {
    if (!path.startsWith(prefix) || !test(byName ? name : path.slice(prefix.length))) continue;
    for (const setting of settings) {
      if (setting[1] === true) apply(macros.get(setting[0]) ?? []);
      apply([setting]);
    }
  }
  return found;
}
