// No regular expression of the packages takes more than linear time, on any text: texts come from untrusted repositories, servers
// and snapshots.

import { describe, expect, it } from 'vitest';
import { rowGroups } from '../../packages/capture/src/declared/version-rows.ts';
import isolationMarks from '../../packages/capture/src/machine/isolation-marks.json' with { type: 'json' };
import toolFolders from '../../packages/capture/src/runtimes/tool-folders.json' with { type: 'json' };
import { expressionIn, ownProbes, toolTable } from '../../packages/capture/src/runtimes/tool-table.ts';
import tokenPatterns from '../../packages/capture/src/variables/token-patterns.json' with { type: 'json' };
import { reportingTools } from '../../packages/compare/src/failure/reporting-tools.ts';
import { formats } from '../../packages/shared/src/catalogue/formats.ts';
import { logCommands } from '../../packages/shared/src/catalogue/log-commands.ts';
import { codeVariables } from '../../packages/shared/src/catalogue/variables/code-variables.ts';
import { operations } from '../../packages/shared/src/operations.ts';
import { findExpressions } from './expressions/find-expressions.ts';
import { superLinear } from './expressions/super-linear.ts';

const { literals, made } = findExpressions();

/** Expressions that are created at run time, with examples, or the reason why no foreign text gets into them. */
const madeAtRunTime: Readonly<Record<string, readonly RegExp[] | string>> = {
  'capture/src/declared/version-rows.ts': rowGroups.flatMap(({ pattern = [], rows }) =>
    [pattern, rows.map(({ expression }) => expression)].flat(),
  ),
  'capture/src/dependencies/parsers/beam.ts': [
    /\{\s*<<"((?:[^"\\]|\\.)*)"(?:\/utf8)?>>\s*,\s*\{\s*pkg\s*,\s*<<"((?:[^"\\]|\\.)*)"(?:\/utf8)?>>\s*,\s*<<"((?:[^"\\]|\\.)*)"(?:\/utf8)?>>/g,
  ],
  'capture/src/machine/isolation.ts': Object.values(isolationMarks).flatMap((marks) =>
    Object.values(marks).map((mark) => new RegExp(mark)),
  ),
  'capture/src/runtimes/tool-manager.ts': Object.values(toolFolders).map((path) => new RegExp(path, 'i')),
  'capture/src/runtimes/tool-table.ts': [
    ...toolTable.flatMap(({ pattern }) => pattern ?? []),
    ...Object.values(ownProbes).flatMap(({ files = [] }) =>
      files.flat().flatMap((cell) => expressionIn(cell) ?? []),
    ),
  ],
  'capture/src/system/home-path.ts': [
    /(?:(?<![\w./~-])|(?<=:\/\/\/?)|(?<=(?:^|[\s"'])-{1,2}[A-Za-z]))(?:\/home\/dev|\/root)(?![\w~-]|\.\w)/g,
    /(?<![\w./~-])(?:\/mnt)?\/[a-z]\/Users\/(?!(?:Shared|All Users)(?![\w.-]))[^\s/:;"'\\]+(?:(?:\\? [^\s/\\:;"',<>|=$@+*?-][^\s/\\:;",<>|=]*){1,3}(?=\/))?/g,
    /(?<![\w.~-])(?<![\w.~-][\\/])(?:C:[\\/]+Users[\\/]+dev)(?![\w~-]|\.\w)/gi,
  ],
  'capture/src/variables/token-patterns.ts': Object.values(tokenPatterns).map((shape) => new RegExp(shape)),
  'cli/src/actions/bisect/bisect-exit-codes.ts': 'what the person at the command line wrote in --fails-if',
  'compare/src/failure/reporting-tools.ts': reportingTools.map(({ form }) => form),
  'compare/src/relevance/project-needs.ts': 'the rows beside it as one, each of which is checked by itself',
  'shared/src/catalogue/formats.ts': formats.flatMap(({ pattern }) => pattern ?? []),
  'shared/src/catalogue/variables/code-variables.ts': codeVariables.flatMap(({ harmless }) =>
    harmless === undefined ? [] : new RegExp(harmless),
  ),
  'shared/src/text/visible.ts': logCommands.flatMap(({ character }) => [
    new RegExp(character, 'giu'),
    new RegExp(`[\\r\\n][^\\S\\r\\n]*(?:${character})`, 'iu'),
  ]),
  'server/src/app.ts': Object.values(operations).map(
    ({ path }) => new RegExp(`^${path.replace(/:[A-Za-z]+/g, '[^/]+')}/?$`, 'i'),
  ),
};

/** Expressions that read only our own tables in the same sources. */
const ofOwnTables: readonly string[] = [
  'server/src/infra/db/migrations/0001-schema.ts: / +--.*/',
  String.raw`shared/src/catalogue/facts/fact-table.ts: /^@(\w+) (.*?)(?: = (.*))?$/`,
];

describe('the regular expressions of the packages', () => {
  it('are linear in the text', () => {
    const known = new Map<string, string | undefined>();
    const verdict = (pattern: string, flags: string) => {
      const key = `/${pattern}/${flags}`;
      if (!known.has(key)) known.set(key, superLinear(pattern, flags));
      return known.get(key);
    };
    const wrong = literals.flatMap(({ pattern, flags, place }) => {
      const why = verdict(pattern, flags);
      return why === undefined
        ? []
        : [{ why, place, expression: `${place.split(':')[0]}: /${pattern}/${flags}` }];
    });
    expect(wrong.filter(({ expression }) => !ofOwnTables.includes(expression))).toEqual([]);
    expect(ofOwnTables.filter((own) => !wrong.some(({ expression }) => expression === own))).toEqual([]);
    expect(literals.length).toBeGreaterThan(1000);
    const examples = Object.values(madeAtRunTime).filter((each) => typeof each !== 'string');
    expect(examples.flat().filter(({ source, flags }) => superLinear(source, flags))).toEqual([]);
  });

  it('are made when the program runs only where this test has examples of them', () => {
    expect([...new Set(made.map(({ file }) => file))].sort()).toEqual(Object.keys(madeAtRunTime).sort());
  });
});

describe('the check', () => {
  it.each([
    /\s+$/,
    /#.*$/,
    /\w+=/g,
    /(a+)+$/,
    /(?:a|a)*b/,
    /(?:a*)*$/,
    /^a*a*$/,
    /^(?:\w+\s?)*$/,
    /a(?:.*b)?/g,
    /(?=.*x)y/,
    /a{0,300}a{0,300}b/,
    /^(\d+)(?:\.(\d+))?[\w.]*$/,
    /<a>(.*?)<\/a>/gs,
    /(?<!x)\s+$/,
  ])('finds that %s is not', ({ source, flags }) => {
    expect(superLinear(source, flags)).toBeDefined();
  });

  it.each([
    /\d+/g,
    /foo (\d+)/,
    /^\s*(\w+)/,
    /^[^#]*#.*$/s,
    /(\w+)(?:\s+(\w+))?/g,
    /\b\w+=/,
    /(?<!\s)\s+$/,
    /^(["'])\w*\1$/,
    /^x{0,300}$/,
    /^[ \t]*(\w+)[ \t]*=[ \t]*([^\n]*)$/gm,
    /sk-[A-Za-z0-9_-]{20,}/,
  ])('lets %s pass', ({ source, flags }) => {
    expect(superLinear(source, flags)).toBeUndefined();
  });
});
