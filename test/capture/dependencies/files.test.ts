// What a capture records of dependency files: files.yaml, formats.fixture, and cases that need more than text.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutJsonExtras } from '../../../packages/capture/src/dependencies/text/json.ts';
import { readTestData } from '../../support/test-data.ts';
import { words } from '../../support/words.ts';
import { collectFiles, packagesOf } from './collect-files.ts';

interface Case {
  readonly it: string;
  readonly files: Record<string, string>;
  readonly change?: readonly [from: string, to: string];
  readonly manifests?: boolean;
  readonly recorded?: readonly string[];
  readonly packages?: Record<string, Record<string, string>>;
  readonly direct?: Record<string, string[]>;
  readonly warnings?: readonly Record<string, unknown>[];
  readonly without?: string;
}

const { cases } = readTestData<{ cases: Case[] }>(import.meta);

it.each(cases)(
  '$it',
  async ({
    files,
    change = ['', ''],
    manifests,
    recorded,
    packages = {},
    warnings = [],
    without,
    direct,
  }) => {
    const changed = Object.entries(files).map(([name, text]) => [name, text.replace(...change)]);
    const found = await collectFiles(Object.fromEntries(changed), { manifests: manifests ?? false });
    if (recorded) expect(Object.keys(found.dependencies)).toEqual(recorded);
    for (const [file, expected] of Object.entries(packages))
      expect({ ...found.dependencies[file] }).toEqual(expected);
    if (direct) expect(found.direct).toEqual(direct);
    const reported = warnings.map(({ message, ...part }) => {
      const [, pattern] = /^\/(.*)\/$/.exec(String(message)) ?? [];
      const expectedMessage = pattern === undefined ? message : expect.stringMatching(pattern);
      return { ...part, ...(message !== undefined && { message: expectedMessage }) };
    });
    expect(found.warnings).toHaveLength(warnings.length);
    expect(found.warnings).toMatchObject(reported);
    if (without !== undefined) expect(JSON.stringify(found)).not.toContain(without);
  },
);

/** Each has a title, a file with its text, files beside it, and the recorded packages of the first. */
const examples = readFileSync(new URL('formats.fixture', import.meta.url), 'utf8')
  .split(/^#### /m)
  .slice(1)
  .map((example) => {
    const [title = '', ...parts] = example.split(/^==> (.*)\n/m);
    const files = parts.flatMap((name, at): [string, string][] => {
      const text = parts[at + 1] ?? '';
      const isWhole = !name.endsWith(' (no line end)');
      if (at % 2 !== 0 || name === 'packages') return [];
      return [[name.replace(/ \(no line end\)$/, ''), isWhole ? text : text.slice(0, -1)]];
    });
    const packages = (parts.at(-1) ?? '').trimEnd().split('\n');
    return {
      title: title.trim(),
      files,
      packages: packages.filter(Boolean).map((each) => each.split(' → ')),
    };
  });

it.each(examples)('$title', async ({ files, packages }) => {
  const [[name, text] = ['', ''], ...others] = files;
  expect(await packagesOf(name, text, Object.fromEntries(others))).toEqual(Object.fromEntries(packages));
});

describe('package-lock.json', () => {
  it('keeps names such as __proto__ and constructor as data', async () => {
    const text =
      '{"lockfileVersion":3,"packages":{"node_modules/__proto__":{"version":"1.0.0"},"node_modules/constructor":{"version":"2.0.0"}}}';
    const { dependencies } = await collectFiles({ 'package-lock.json': text });
    expect(JSON.stringify(dependencies)).toBe(
      '{"package-lock.json":{"__proto__":"1.0.0","constructor":"2.0.0"}}',
    );
  });
});

describe('bun.lock', () => {
  it('becomes plain JSON, and plain JSON stays unchanged', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(withoutJsonExtras(json)).toBe(json);
      }),
    );
  });

  it('in binary form is reported as unread with the command that helps, and the manifest replaces it', async () => {
    const { dependencies, warnings } = await collectFiles({
      'bun.lockb': Buffer.from([0x23, 0, 1, 2, 0xff]),
      'package.json': '{"dependencies":{"x":"1"}}',
    });
    expect(Object.keys(dependencies)).toEqual(['package.json']);
    expect(warnings).toEqual([
      expect.objectContaining({
        file: 'bun.lockb',
        message: expect.stringContaining('bun install --save-text-lockfile'),
      }),
    ]);
  });
});

const dependency = (group: string, artifact: string, version = '', more = '') =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>${
    version && `<version>${version}</version>`
  }${more}</dependency>`;

/** A placeholder, as a project file writes it. */
const use = (property: string) => `\${${property}}`;

const pom = (content: string) => `<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment with <dependency> -->
<project xmlns="http://maven.invalid/POM/4.0.0">
  <groupId>g</groupId><artifactId>app</artifactId><version>1.0</version>
  ${content}
</project>`;

describe('pom.xml', () => {
  it('reads other encodings by their declaration', async () => {
    const text = pom(`<name>Zoë</name><dependencies>${dependency('a', 'b', '1.0')}</dependencies>`);
    const latin = Buffer.from(text.replace('UTF-8', 'ISO-8859-1'), 'latin1');
    const utf16 = Buffer.from(`\u{feff}${text.replace('UTF-8', 'UTF-16')}`, 'utf16le');
    expect(await packagesOf('pom.xml', latin)).toEqual({ 'a:b': '1.0' });
    expect(await packagesOf('pom.xml', utf16)).toEqual({ 'a:b': '1.0' });
    const marked = `\u{feff}${text.replace('UTF-8', 'ISO-8859-1')}`;
    expect(await packagesOf('pom.xml', marked)).toEqual({ 'a:b': '1.0' });
  });

  it('survives properties that refer to each other, or that multiply', async () => {
    const bomb = Array.from({ length: 30 }, (_, n) => `<p${n}>${`\${p${n + 1}}`.repeat(10)}</p${n}>`).join(
      '',
    );
    const text = pom(`<properties><a>\${b}</a><b>\${a}</b>${bomb}</properties>
      <dependencies>${dependency('x', 'circle', use('a'))}${dependency('x', 'bomb', use('p0'))}</dependencies>`);
    const packages = (await packagesOf('pom.xml', text)) as Record<string, string>;
    expect(packages['x:circle']).toMatch(/^\$\{[ab]\}$/);
    expect(packages['x:bomb']?.length).toBeLessThanOrEqual(4096);
  });
});

describe('requirements.txt', () => {
  it.each([
    ['UTF-16 with a mark', Buffer.from('\u{feff}a==1\r\nb==2\r\n', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('a==1\r\nb==2\r\n', 'utf16le')],
    ['big-endian UTF-16', Buffer.from('\u{feff}a==1\r\nb==2\r\n', 'utf16le').swap16()],
    ['UTF-8 with a mark', Buffer.from('\u{feff}a==1\r\nb==2')],
  ])('reads %s', async (_, bytes) => {
    expect(await packagesOf('requirements.txt', bytes)).toEqual({ a: '1', b: '2' });
  });

  it('is recognised under the names that people give it', async () => {
    const names = words`
      requirements-dev.txt dev-requirements.txt requirements_test.txt requirements.prod.txt
      requirements/base.txt`;
    const { dependencies } = await collectFiles(
      Object.fromEntries([...names, 'notes.txt', 'myrequirements.txt.bak'].map((name) => [name, 'a==1'])),
    );
    expect(Object.keys(dependencies)).toEqual([...names].sort());
  });
});

const compose = (more: string) => `services:
  db:
    image: postgres:16.2
${more}
  cache:
    image: redis:7.2
`;
const images = { postgres: '16.2', redis: '7.2' };

describe('YAML that other readers accept', () => {
  it.each([
    ['a list closed below its key', '    command: [\n      "a",\n    ]'],
    ['items and brackets that begin further to the left', '    command: [\n"a",\n"b", {\nc: 1\n}\n]'],
    ['a quoted text that goes on further to the left', '    command: "a\n  b"'],
    [
      'two hundred such lists',
      Array.from({ length: 200 }, (_, n) => `    x-${n}: [\n      a\n    ]`).join('\n'),
    ],
    ['such a list beside a block of text', '    a: |\n      }\n      x\n    b: [\n      1\n    ]'],
    ['tags of types', '    mem_limit: !!int 5\n    x: !!set {a, b}\n    y: !reset []'],
  ])('reads %s', async (_, more) => {
    expect(await packagesOf('compose.yaml', compose(more))).toEqual(images);
  });
});
