import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParseContext } from '../../../packages/capture/src/dependencies/fields.ts';
import { createPackageList } from '../../../packages/capture/src/dependencies/package-list.ts';
import { NothingLeft, ParseProblem } from '../../../packages/capture/src/dependencies/parse-problem.ts';
import { loadParser } from '../../../packages/capture/src/dependencies/parser.ts';
import { ecosystems } from '../../../packages/shared/src/catalogue/ecosystems.ts';
import { formatOf, formats } from '../../../packages/shared/src/catalogue/formats.ts';
import { orderVersions } from '../../../packages/versions/src/version-order.ts';
import { anyCharacter, rounds } from '../../support/generated.ts';
import { readTestData } from '../../support/test-data.ts';
import { collectFiles } from './collect-files.ts';
import soundFiles from './samples.json' with { type: 'json' };

const { nul, accepted, cyclic, nonsense, otherPrograms, harmless } = readTestData<{
  nul: [string, string, Record<string, string>][];
  accepted: string[];
  cyclic: string;
  nonsense: string[];
  otherPrograms: string[];
  harmless: string[];
}>(import.meta);

/** Parses as a capture does; returns the record or the problem. Any other error fails the test. */
async function parse(
  file: string,
  text: string,
  mostNames?: number,
): Promise<Record<string, string> | ParseProblem> {
  const format = formatOf(path.posix.basename(file), path.posix.basename(path.posix.dirname(file)));
  if (!format) throw new Error(`${file} has no format`);
  const context: ParseContext = { path: file, warn: () => {}, include: async (_, read) => read(text, file) };
  try {
    const list = createPackageList(mostNames);
    await (await loadParser(format))(text, list, context);
    // Some formats only say where packages come from, or what belongs to the project.
    return {
      ...list.toRecord((versions) => orderVersions(versions, ecosystems[format.ecosystem].scheme)),
      ...list.toSources(format.ecosystem),
      ...(list.size === 0 && list.members?.[0] && { '#member': list.members[0] }),
    };
  } catch (error) {
    if (error instanceof ParseProblem) return error;
    throw error;
  }
}

/** File name, with its folder if that matters, to a small valid content from which mutations start. */
const samples: Record<string, string> = soundFiles;
const files = Object.keys(samples);

/** Pieces that have a meaning in formats. */
const pieces = fc.constantFrom(
  ...'" \' \\ { } [ ] ( ) < > / /* */ // # @ : ; , = == & | <!-- --> <![CDATA[ <! <? &#0; &#x110000; ---\n'.split(
    ' ',
  ),
  ...'|\n %{ => ${ $( __proto__ constructor null 1e999 [[ ]] \n \r\n \r \t \0 \ufeff \u2028 \ud800'.split(
    ' ',
  ),
  ' ',
  '  ',
  '- ',
  '? ',
  '!!binary ',
  '&a ',
  '*a',
  '<<: ',
);
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.nat({ max: 12 }),
  insert: fc.oneof(pieces, fc.string({ maxLength: 8, unit: anyCharacter })),
});

function mutate(text: string, mutations: { at: number; remove: number; insert: string }[]): string {
  return mutations.reduce((current, { at, remove, insert }) => {
    const start = Math.floor(at * current.length);
    return current.slice(0, start) + insert + current.slice(start + remove);
  }, text);
}

describe('every format', () => {
  it('has a sample, and every sample is sound', async () => {
    const covered = new Set(
      files.map((file) => formatOf(path.posix.basename(file), path.posix.dirname(file))),
    );
    expect(formats.filter((format) => format.parser !== undefined && !covered.has(format))).toEqual([]);
    for (const file of files) {
      const result = await parse(file, samples[file] as string);
      expect([
        file,
        result instanceof ParseProblem ? result.message : Object.keys(result).length > 0,
      ]).toEqual([file, true]);
    }
  });

  it.each(files)(
    '%s: damage gives packages or a problem with a sane position, never another error',
    async (file) => {
      await fc.assert(
        fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
          const text = mutate(samples[file] as string, mutations);
          const result = await parse(file, text);
          if (!(result instanceof ParseProblem)) {
            for (const [name, version] of Object.entries(result)) {
              expect(name).not.toBe('');
              expect(version).not.toBe('');
              expect(`${name}${version}`).not.toContain('\0');
              expect(`${name}${version}`.isWellFormed()).toBe(true);
            }
          } else if (result.line !== undefined) {
            expect(result.line).toBeGreaterThanOrEqual(1);
            expect(result.line).toBeLessThanOrEqual(text.split(/\r\n|\r|\n/).length + 1);
            expect(result.message).not.toBe('');
          }
        }),
        { numRuns: rounds(150) },
      );
    },
  );

  it('ends at the first package that its list has no room for', async () => {
    const silent: string[] = [];
    for (const file of files) {
      const packages = Object.keys(await parse(file, samples[file] as string)).filter(
        (name) => !name.startsWith('#'),
      );
      if (packages.length === 0) continue;
      const end = await parse(file, samples[file] as string, 0).catch((error: Error) => error);
      if (!(end instanceof NothingLeft)) silent.push(file);
    }
    expect(silent).toEqual([]);
  });

  it.each(files)('%s: every truncation gives packages or a problem', async (file) => {
    const text = samples[file] as string;
    const step = text.length / rounds(text.length);
    for (let end = 0; end < text.length; end += step) await parse(file, text.slice(0, end));
  });
});

/** A sample as no tool writes it: cut in the middle, its sections numbers, nested without end, its values in a circle. */
function misshapen(file: string): string[] {
  const text = samples[file] as string;
  const levels = rounds(100_000);
  const nested = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const deep = [nested, `{"lockfileVersion":3,"packages":${nested},"dependencies":${nested}}`];
  if (/\.ya?ml$/.test(file))
    return [...deep, cyclic, text.replace(/^([\w-]+): *\n(?:[ -].*\n|\n)+/gm, '$1: 7\n')];
  if (!text.startsWith('{') || /,\s*\}|\/\//.test(text)) return deep;
  const sections = Object.entries(JSON.parse(text) as object);
  const numbers = sections.map(([name, value]) => [name, typeof value === 'object' ? 7 : value]);
  return [...deep, text.slice(0, text.length / 2), JSON.stringify(Object.fromEntries(numbers))];
}

it.each(files)(
  '%s of another shape gives packages or a warning, never a list without packages',
  async (file) => {
    for (const text of misshapen(file)) {
      const { dependencies, sources, warnings } = await collectFiles({
        'go.mod': 'module x\n',
        [file]: text,
      });
      const isLock = formatOf(path.posix.basename(file), path.posix.dirname(file))?.kind === 'lock';
      const found = { ...dependencies[file], ...sources[file], ...warnings };
      const isSilent = Object.keys(found).length === 0 && (isLock || dependencies[file] !== undefined);
      expect(isSilent, text.slice(0, 200)).toBe(false);
    }
  },
);

it.each(files.filter((file) => !otherPrograms.includes(file)))(
  '%s with the text of something else is recorded as a digest or named as unread',
  async (file) => {
    for (const text of nonsense) {
      const { sources, warnings } = await collectFiles({ 'go.mod': 'module x\n', [file]: text });
      // A comparison sees that some are not the same, without knowing what they are.
      const isMarked = Object.keys(sources[file] ?? {}).length > 0;
      expect(warnings.length > 0 || isMarked, text).toBe(true);
    }
  },
);

/** A sample with each of its values replaced by one of another type. */
function* damaged(text: string): Iterable<string> {
  const isYaml = /^\s*(?:- )?[\w-]+:(?: |$)/m.test(text) && !/^\[/m.test(text);
  const value = isYaml
    ? /(?<=^[ \t]*(?:- )?[^\s#:][^:\n]*: )\S.*$|(?<=^[ \t]*- )[^\s:]*$/gm
    : /(?<=[=:] ?)(?:"[^"\n]*"|\[[^[\]]*\]|\{[^{}]*\}) *(?=[,}\]]|$)|(?<=[[,] ?)"[^"\n]*"(?! ?:)/gm;
  for (const { 0: old, index } of text.matchAll(value))
    yield text.slice(0, index) + (isYaml ? '[[7]]' : '7') + text.slice(index + old.length);
}

it.each(files)('%s with a damaged value loses no package without a warning', async (file) => {
  const collect = (text: string) => collectFiles({ 'go.mod': 'module x\n', [file]: text });
  const names = Object.keys((await collect(samples[file] as string)).dependencies[file] ?? {});
  const silent: string[] = [];
  for (const text of damaged(samples[file] as string)) {
    const { dependencies, warnings } = await collect(text);
    const kept = Object.keys(dependencies[file] ?? {}).length;
    if (kept < names.length && warnings.length === 0) silent.push(text);
  }
  expect(harmless.includes(file) ? [] : silent).toEqual([]);
});

describe('hostile names', () => {
  it('are data: prototype members, control characters, numbers, very long ones', async () => {
    const names = [...accepted, 'x'.repeat(1024)];
    const packages = [...names, '', 'nul\0', 'y'.repeat(1025)].map(
      (name) => `${JSON.stringify(`node_modules/${name}`)}:{"version":"1.0.0"}`,
    );
    const { dependencies, warnings } = await collectFiles({
      'package-lock.json': `{"lockfileVersion":3,"packages":{${packages.join(',')}}}`,
    });
    const text = JSON.stringify(dependencies['package-lock.json']);
    expect(Object.keys(JSON.parse(text) as object).sort()).toEqual([...names].sort());
    expect(Object.getPrototypeOf(dependencies['package-lock.json'])).toBeNull();
    expect(warnings).toEqual([expect.objectContaining({ message: expect.stringContaining('3 entries') })]);
  });

  it.each(nul)(
    'refuses NUL in settings and sources, and keeps the others apart: %s',
    async (file, text, expected) => {
      const { dependencies, warnings } = await collectFiles({ [file]: text });
      expect({ ...dependencies[file] }).toEqual(expected);
      expect(warnings).toEqual([expect.objectContaining({ message: expect.stringContaining('1 entr') })]);
    },
  );
});
