import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from './collect-files.ts';

/** Each has a title, a file with its text, files beside it, and the packages that are recorded of the first. */
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

describe('Elixir', () => {
  it('reads mix.lock', async () => {
    const text = `%{
  "jason": {:hex, :jason, "1.4.1", "aaaa", [:mix], [{:decimal, "~> 1.0 or ~> 2.0", [hex: :decimal, repo: "hexpm", optional: true]}], "hexpm", "bbbb"},
  "renamed": {:hex, :"real-name", "2.0.0", "aaaa", [:mix], [], "hexpm", "bbbb"},
  "forked": {:git, "https://host.invalid/o/r.git", "0123abc", [branch: "main"]},
}
`;
    expect(await packagesOf('mix.lock', text)).toEqual({
      jason: '1.4.1',
      'real-name': '2.0.0',
      forked: 'https://host.invalid/o/r.git#0123abc',
    });
    expect(await packagesOf('mix.lock', '%{}\n')).toEqual({});
    const { warnings } = await collectFiles({ 'mix.lock': text.slice(0, -3) });
    expect(warnings).toHaveLength(1);
  });
});

describe('OCaml', () => {
  it('reads opam files, and locked ones in their place', async () => {
    const text = `opam-version: "2.0"
# depends: [ "comment" ]
depends: [
  "ocaml" {>= "4.14" & < "5.2"}
  "dune" {= "3.10.0"}
  ("a" {= "1.0" & with-test} | "b")
  "bare"
]
build: ["dune" "build" "-p" name]
`;
    expect(await packagesOf('app.opam', text)).toEqual({
      ocaml: '>= "4.14" & < "5.2"',
      dune: '3.10.0',
      a: '1.0',
      b: '*',
      bare: '*',
    });
    const { dependencies } = await collectFiles({
      'app.opam': text,
      'app.opam.locked': 'depends: "x" {= "1"}\n',
    });
    expect(JSON.stringify(dependencies)).toBe('{"app.opam.locked":{"x":"1"}}');
    const { warnings } = await collectFiles({ 'app.opam': 'depends: [\n "a"\n' });
    expect(warnings).toHaveLength(1);
  });
});

describe('infrastructure', () => {
  it('reads the requirements of a Helm 2 chart, whose lock file is not one of Python', async () => {
    const { dependencies, warnings } = await collectFiles({
      'Chart.yaml': 'name: shop\nversion: 1.0.0\n',
      'requirements.yaml': 'dependencies:\n- name: redis\n  repository: "@stable"\n  version: 4.2.1\n',
      'requirements.lock': 'dependencies:\n- name: redis\n  version: 4.2.1\ndigest: sha256:x\n',
      'roles/requirements.yaml': 'dependencies:\n- python=3.9\n',
    });
    expect(dependencies).toEqual({ 'requirements.yaml': { redis: '4.2.1' } });
    expect(warnings).toEqual([]);
  });

  it('records no image with a user and a password in its address', async () => {
    const text =
      'FROM https://user:hunter2@images.invalid/a:1\nFROM user:hunter2@images.invalid/b:1\nFROM c:2@sha256:abc\n';
    const { dependencies, warnings } = await collectFiles({ Dockerfile: text, 'Dockerfile.eex': text });
    expect(dependencies).toEqual({ Dockerfile: { c: '2@sha256:abc' } });
    expect(warnings).toHaveLength(2);
    expect(JSON.stringify(warnings)).not.toContain('hunter2');
  });

  it('leaves .tool-versions, mise.toml and .nvmrc to the toolchain', async () => {
    const { dependencies, warnings } = await collectFiles({
      '.tool-versions': 'node 20 18\n',
      'mise.toml': '[tools]\nnode = "22"\n',
      '.nvmrc': '20\n',
    });
    expect([Object.keys(dependencies), warnings]).toEqual([[], []]);
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

  it('names the first line in question where a bracket is never closed', async () => {
    const { warnings } = await collectFiles({ 'compose.yaml': compose('    command: [\n"a",') });
    expect(warnings).toEqual([expect.objectContaining({ file: 'compose.yaml', line: 5 })]);
  });
});
