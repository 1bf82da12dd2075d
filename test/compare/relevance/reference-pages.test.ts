// Compares the pages of docs/reference with the comparison: each row's claim is tested with differences made for it.

import { readFileSync } from 'node:fs';
import { type ComparableEnvironment, compareEnvironments } from '@envsnap/compare';
import type { FactKind, FactRow } from '@envsnap/shared/catalogue/facts/fact';
import { factCatalogue } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { systemFactCatalogue } from '@envsnap/shared/catalogue/facts/system';
import { formats } from '@envsnap/shared/catalogue/formats';
import { tools } from '@envsnap/shared/catalogue/tools';
import { variableCatalogue } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { describe, expect, it } from 'vitest';
import { readTestData } from '../../support/test-data.ts';

const { values, conditions } = readTestData<{
  values: Readonly<Record<string, { counts: [string, string]; passes?: [string, string] }>>;
  conditions: Readonly<Record<string, Partial<Examples>>>;
}>(import.meta);

/** Rows of a page's tables with a column of this name, as cells by column name. */
function rowsWith(page: string, column: string): Record<string, string>[] {
  const lines = readFileSync(new URL(`../../../docs/reference/${page}.md`, import.meta.url), 'utf8').split(
    '\n',
  );
  const found: Record<string, string>[] = [];
  let head: string[] | undefined;
  let title = '';
  for (const line of lines) {
    if (line.startsWith('## ')) title = line.slice(3);
    if (!line.startsWith('|')) head = undefined;
    else {
      const cells = line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim());
      if (!head) head = cells;
      else if (!cells[0]?.startsWith('---') && head.includes(column))
        found.push({ title, ...Object.fromEntries(head.map((name, place) => [name, cells[place] ?? ''])) });
    }
  }
  return found;
}

/** The text after the condition of rows that count only if the project mentions them or a failure is being explained. */
const personal = /(?:^|, )(?:but )?only if the project mentions it or a failure is being explained$/;

const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);

type Part = Partial<ComparableEnvironment>;

function counted(section: string, key: string, a: Part, b: Part, explains = true): boolean {
  const machine = { machineName: 'm', os: 'linux', arch: 'x64' };
  const { counting } = compareEnvironments({ ...machine, ...a }, { ...machine, ...b }, { explains });
  return [...counting].some((entry) => entry.section === section && entry.key === key);
}

/** Two values of a fact, with other data of the two machines. */
interface Example {
  readonly a: unknown;
  readonly b: unknown;
  readonly alsoA?: Part;
  readonly alsoB?: Part;
}

const differing: Readonly<Record<FactKind, readonly [unknown, unknown]>> = {
  text: ['one', 'two'],
  flag: [true, false],
  version: ['1.0.0', '2.0.0'],
  number: [1, 2],
  limit: [4000, 400],
  set: [['x'], ['y']],
  list: [['x'], ['y']],
  digest: ['5 sha256:aa', '6 sha256:bb'],
};

interface Examples {
  readonly counts: readonly Example[];
  readonly passes: readonly Example[];
}

/** Differences that count and differences that do not, according to a condition on the page. */
function examplesOf(condition: string, kind: FactKind): Examples {
  const [x, y] = differing[kind];
  const matched = (pattern: RegExp) => pattern.exec(condition)?.[1] ?? '';
  const words = matched(/^if (?:B lacks|an item with) (.*?)(?: differs)?$/).split(/, | or /);
  const [, { counts = [], passes = [] } = {}] =
    Object.entries(conditions).find(([begin]) => condition.startsWith(begin)) ?? [];
  if (counts.length + passes.length > 0) {
    const value = (text: unknown) => (text === 'X' ? x : text === 'Y' ? y : text);
    const filled = (examples: readonly Example[]) =>
      examples.map((example) => ({ ...example, a: value(example.a), b: value(example.b) }));
    return { counts: filled(counts), passes: filled(passes) };
  }
  if (condition.startsWith('if B has less than A')) {
    const bound = Number(matched(/less than (\d+)$/) || 1_000_000);
    const less = [{ a: bound / 2, b: bound }, ...(kind === 'limit' ? [{ a: bound, b: bound * 0.95 }] : [])];
    return {
      counts: [{ a: bound * 2, b: bound / 2 }],
      passes: /\d/.test(condition) ? [...less, { a: bound * 4, b: bound * 2 }] : less,
    };
  }
  if (condition.startsWith('if B lacks'))
    return {
      counts: words.map((word) => ({ a: [word], b: [] })),
      passes: [...words.map((word) => ({ a: [], b: [word] })), { a: ['other'], b: [] }],
    };
  if (condition.startsWith('if an item with'))
    return {
      counts: words.map((word) => ({ a: [], b: [`${word}=x`] })),
      passes: [{ a: [], b: ['other=x'] }],
    };
  if (condition.startsWith('if A or B has')) {
    const value = matched(/has (.*)$/);
    return {
      counts: [
        { a: value, b: 'y' },
        { a: 'x', b: value },
      ],
      passes: [{ a: 'x', b: 'y' }],
    };
  }
  if (condition.startsWith('unless both are among')) {
    const usual = matched(/among (.*)$/).split(', ');
    return { counts: [{ a: usual[0], b: '0077' }], passes: [{ a: usual[0], b: usual[1] }] };
  }
  if (condition.startsWith('if the project asks for')) {
    const [tool = ''] = matched(/asks for (.*)$/).split(/, | or /);
    const project = (tools: string[]) => ({ metadata: { project: { ecosystems: ['npm'], tools } } });
    return {
      counts: [{ a: x, b: y, alsoA: project([tool]), alsoB: project([tool]) }],
      passes: [{ a: x, b: y, alsoA: project([]), alsoB: project([]) }],
    };
  }
  if (condition.startsWith('if B has a different C library')) {
    const releases = Number(matched(/(\d+) releases/));
    return {
      counts: [
        { a: 'glibc 2.36', b: 'musl 1.2' },
        { a: `glibc 2.${30 + releases}`, b: 'glibc 2.30' },
      ],
      passes: [
        { a: `glibc 2.${29 + releases}`, b: 'glibc 2.30' },
        { a: 'glibc 2.30', b: 'glibc 2.39' },
      ],
    };
  }
  if (condition === 'unless they differ only in memory or jobs')
    return { counts: [{ a: kind === 'set' ? ['without=test'] : '--inspect', b: 'none' }], passes: [] };
  throw new Error(`No example for the condition “${condition}”.`);
}

function merged(part: Part, name: string, value: unknown, section: 'facts' | 'system', lock: string): Part {
  const metadata: Record<string, unknown> = { facts: {}, ...part.metadata };
  if (section === 'facts') metadata.facts = { [name]: value };
  else if (['locale', 'timezone', 'shell'].includes(name)) metadata[name] = value;
  else metadata.system = name.split('.').reduceRight<unknown>((inner, each) => ({ [each]: inner }), value);
  return { dependencies: { [lock]: { zod: '4.0.0' } }, ...part, metadata };
}

const lockOf = (ecosystem: string) => {
  const format = formats.find((each) => each.ecosystem === ecosystem && each.kind === 'lock');
  return (format?.names ?? format?.examples ?? [])[0] as string;
};

describe('docs/reference/facts.md', () => {
  const rows = rowsWith('facts', 'a difference counts');
  const catalogue: Readonly<Record<string, FactRow>> = { ...factCatalogue, ...systemFactCatalogue };

  it('has a row for each fact, and no others', () => {
    expect(rows.map((row) => namesIn(row.name)[0])).toEqual(Object.keys(catalogue));
  });

  it.each(rows.map((row) => [namesIn(row.name)[0] as string, row] as const))(
    'says when a difference in %s counts',
    (name, row) => {
      const [, inProjects = '', rest = ''] =
        /^(?:in projects of ((?:[a-z]+(?:, )?)+?)(?:, |$))?((?:if|with|on|only|but|unless|yes|no)\b.*)?$/.exec(
          row['a difference counts'] ?? '',
        ) ?? [];
      const onOneArchitecture = /(?:^|, )on the same architecture$/.test(rest);
      const condition = rest.replace(personal, '').replace(/(?:^|, )on the same architecture$/, '') || 'yes';
      const kind = row.kind?.split(' ')[0] as FactKind;
      const section = row.title === 'The system' ? 'system' : 'facts';
      const { counts, passes } = examplesOf(condition, kind);
      const ecosystems = inProjects === '' ? [] : inProjects.split(', ');
      const tryOut = ({ a, b, alsoA = {}, alsoB = {} }: Example, lock: string, explains = true) =>
        counted(
          section,
          name,
          merged(alsoA, name, a, section, lock),
          merged(alsoB, name, b, section, lock),
          explains,
        );
      for (const lock of inProjects === '' ? ['go.mod'] : ecosystems.map(lockOf)) {
        for (const example of counts) expect([example, tryOut(example, lock)]).toEqual([example, true]);
        for (const example of passes) expect([example, tryOut(example, lock)]).toEqual([example, false]);
      }
      if (personal.test(rest))
        for (const example of counts)
          expect(tryOut(example, lockOf(ecosystems[0] ?? 'go'), false)).toBe(false);
      for (const example of counts) {
        if (inProjects !== '') expect(tryOut(example, lockOf('hex'))).toBe(false);
        if (onOneArchitecture)
          expect(tryOut({ ...example, alsoB: { ...example.alsoB, arch: 'arm64' } }, 'go.mod')).toBe(false);
      }
    },
  );
});

describe('docs/reference/tools.md', () => {
  const rows = rowsWith('tools', 'another version counts');

  it('has a row for each tool, and no others', () => {
    expect(rows.map((row) => namesIn(row.name)[0]).sort()).toEqual(tools.map(({ name }) => name).sort());
  });

  it.each(rows.map((row) => [namesIn(row.name)[0] as string, row] as const))(
    'says when a difference in %s counts',
    (name, row) => {
      const differ = (a: Record<string, string>, b: Record<string, string>, asked = name) =>
        counted(
          'runtimes',
          name,
          { runtimeVersions: a, metadata: { project: { tools: [asked] } } },
          { runtimeVersions: b },
        );
      const level = /^if the (minor|major) version/.exec(row['another version counts'] ?? '')?.[1];
      expect(differ({ [name]: '1.2.0' }, { [name]: '2.0.0' })).toBe(level !== undefined);
      expect(differ({ [name]: '1.2.0' }, { [name]: '1.3.0' })).toBe(level === 'minor');
      expect(differ({ [name]: '1.2.0' }, { [name]: '1.2.1' })).toBe(false);
      expect(differ({ [name]: '1.2.0' }, {})).toBe(true);
      expect(differ({ [name]: '1.2.0' }, {}, name === 'zig' ? 'nim' : 'zig')).toBe(false);
      for (const other of namesIn(row['can replace']))
        expect(differ({ [name]: '1.2.0' }, { [other]: '1.0.0' })).toBe(false);
    },
  );
});

describe('docs/reference/variables.md', () => {
  const classes = new Map(
    rowsWith('variables', 'class').map((row) => [
      namesIn(row.class)[0],
      row['a difference counts'] as string,
    ]),
  );
  const rows = rowsWith('variables', 'names');

  it('has each name of the catalogue, and no others', () => {
    const onPage = rows.flatMap((row) => namesIn(row.names).map((name) => `${row.title} ${name}`));
    const known = variableCatalogue.map((row) => `${row.class} ${row.pattern}`);
    expect([...new Set(onPage)].sort()).toEqual([...new Set(known)].sort());
  });

  it.each(rows.map((row) => [row.title as string, namesIn(row.names)[0] as string, row] as const))(
    'says when a difference in a variable of the class %s counts: %s',
    (title, pattern, row) => {
      const name = pattern.replaceAll('*', 'QZ7');
      const scope = /^only on (.*)$/.exec(row['set or read by'] ?? '')?.[1];
      const ecosystems = row['in projects of']?.split(', ').filter(Boolean) ?? [];
      const { counts, passes } = values[row.counts?.replace(personal, '') ?? ''] ?? {
        counts: ['one', 'two'] as [string, string],
      };
      const differ = (
        pair: [string, string],
        used: readonly string[],
        mentioned = false,
        explains = true,
      ) => {
        const metadata = {
          project: { ecosystems: used, variables: mentioned ? { [name]: '.env.example' } : {} },
          ...(scope && { ci: { provider: scope } }),
        };
        const proxy = row.counts?.startsWith('if a proxy is set') ? { ALL_PROXY: 'http://proxy' } : {};
        const side = (value: string): Part => ({ envVars: { ...proxy, [name]: value }, metadata });
        const [a, b] = [side(pair[0]), side(pair[1])];
        const section = name === 'PATH' || name === 'Path' ? 'paths' : 'env';
        return counted(section, name, a, b, explains) || counted('paths', name, a, b, explains);
      };
      const used = ecosystems.length > 0 ? ecosystems : ['hex'];
      if (name.toLowerCase() === 'path') {
        expect(differ(['/a:/b:/c:/d', '/a:/b:/c:/e'], used)).toBe(true);
        return;
      }
      if (personal.test(row.counts ?? '')) expect(differ(counts, used, false, false)).toBe(false);
      switch (classes.get(title)) {
        case 'yes':
          expect(differ(counts, used)).toBe(true);
          break;
        case 'no':
          expect(differ(counts, used)).toBe(false);
          expect(differ(counts, used, true)).toBe(row.counts === 'if the project mentions it');
          break;
        case 'if a file of the project mentions it':
          expect(differ(counts, used)).toBe(false);
          expect(differ(counts, used, true)).toBe(true);
          break;
        default:
          expect(differ(counts, used)).toBe(row.counts !== 'only if the project mentions it');
          expect(differ(counts, used, true)).toBe(true);
          if (ecosystems.length > 0) expect(differ(counts, ['crystal'])).toBe(false);
          if (passes) expect(differ(passes, used)).toBe(false);
      }
    },
  );
});
