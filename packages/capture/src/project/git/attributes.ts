// Which attributes git gives a file: the patterns of .gitattributes files, matched as git matches them.
// https://git-scm.com/docs/gitattributes

import { compileGlob, maxPatternLength } from '@envsnap/shared/text/glob';
import type { Spend } from '@envsnap/shared/work-budget';
import { fileSteps } from '../../system/effort.ts';
import type { CapturedMachine } from '../../system/machine.ts';
import { type GitConfig, userFile } from './config.ts';
import type { IndexEntry } from './index-file.ts';
import type { Repository } from './repository.ts';

/** Attributes by name: `true` where set, `false` where unset with a minus, else the value. Unmentioned ones are absent. */
export type FileAttributes = ReadonlyMap<string, string | boolean>;

/** Returns the attributes in effect for a path relative to the work tree, with `/`. */
export type AttributesOf = (path: string) => FileAttributes;

type Settings = readonly (readonly [name: string, value: string | boolean | undefined])[];

interface Rule {
  /** Folder of the file that holds the line, with `/` at the end; empty for the work tree's own. */
  readonly prefix: string;
  readonly byName: boolean;
  readonly test: (text: string) => boolean;
  readonly settings: Settings;
}

/** Steps that a rule, each of its settings, and testing a rule on a path cost. */
const [keptSteps, ruleSteps] = [3000, 10];

/**
 * Reads every file of attributes that is in effect for the work tree; tracked ones are found in the index. Throws
 * `TooMuchWorkError`; so does the function that it returns.
 */
export async function readAttributes(
  machine: CapturedMachine,
  { workTree, commonFolder }: Repository,
  config: GitConfig,
  entries: readonly IndexEntry[],
): Promise<AttributesOf> {
  const { spend, files } = machine;
  const { join } = files.paths;
  const own = entries.filter(({ path }) => path.endsWith('/.gitattributes')).map(({ path }) => path);
  const prefixes = new Set(['', ...own.map((path) => path.slice(0, -'.gitattributes'.length))]);
  // Later files win: the system's, the user's, the folders from the top, the repository's own.
  const places: (readonly [prefix: string, file: string])[] = [
    ['', '/etc/gitattributes'],
    ['', userFile(machine, config.get('core.attributesfile'), 'attributes')],
    ...[...prefixes].sort().map((prefix) => [prefix, join(workTree, prefix, '.gitattributes')] as const),
    ['', join(commonFolder, 'info', 'attributes')],
  ];
  const rules: Rule[] = [];
  const macros = new Map([['binary', settingsOf('-diff -merge -text')]]);
  for (const [prefix, file] of places) {
    const text = (await files.text(file)) ?? '';
    spend(fileSteps + text.length * 10);
    for (const each of text.split(/\r?\n/)) {
      const line = each.trim();
      if (line === '' || line.startsWith('#') || line.length > maxPatternLength) continue;
      const [start = '', quoted, plain] = /^(?:"((?:[^"\\]|\\.)*)"|(\S+))/.exec(line) ?? [];
      const pattern = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
      const settings = settingsOf(line.slice(start.length));
      spend((1 + settings.length) * keptSteps);
      if (pattern.startsWith('[attr]')) macros.set(pattern.slice('[attr]'.length), settings);
      // A pattern for folders, or one that negates, gives no file an attribute.
      else if (pattern !== '' && !pattern.startsWith('!') && !pattern.endsWith('/')) {
        const test = compileGlob(pattern.replace(/^\//, ''), { syntax: 'git', spend });
        rules.push({ prefix, byName: !pattern.includes('/'), test, settings });
      }
    }
  }
  return (path) => attributesOf(path, rules, macros, spend);
}

function settingsOf(text: string): Settings {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.map((word) => {
    if (word.startsWith('-')) return [word.slice(1), false] as const;
    if (word.startsWith('!')) return [word.slice(1), undefined] as const;
    const equals = word.indexOf('=');
    return equals < 0 ? ([word, true] as const) : ([word.slice(0, equals), word.slice(equals + 1)] as const);
  });
}

function attributesOf(
  path: string,
  rules: readonly Rule[],
  macros: ReadonlyMap<string, Settings>,
  spend: Spend,
): FileAttributes {
  const found = new Map<string, string | boolean>();
  const name = path.slice(path.lastIndexOf('/') + 1);
  const apply = (settings: Settings): void => {
    spend(settings.length);
    for (const [attribute, value] of settings)
      if (value === undefined) found.delete(attribute);
      else found.set(attribute, value);
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
