// Commands and flags that the documentation names exist.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ensureBuilt } from '../../scripts/build.ts';

const root = path.resolve(import.meta.dirname, '../..');

interface Manifest {
  readonly commands: Readonly<
    Record<string, { readonly flags: Readonly<Record<string, { char?: string; allowNo?: boolean }>> }>
  >;
}

function markdownFiles(): string[] {
  const below = (folder: string) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => path.join(folder, name));
  const packages = readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}/README.md`);
  return ['README.md', 'CONTRIBUTING.md', ...below('docs'), ...packages];
}

/** Command lines that begin with a program, from blocks and from words in the text: up to a pipe, a redirection or a comment. */
function commandLines(markdown: string, program: string): string[] {
  const code = [...markdown.matchAll(/```[a-z]*\n([\s\S]*?)```|`([^`\n]+)`/g)].flatMap(
    ([, block, inline]) => block?.replaceAll('\\\n', ' ').split('\n') ?? [inline ?? ''],
  );
  const line = new RegExp(String.raw`(?:^|[\s"'(&])${program} ([a-z][^|#;&>)\n]*)`);
  // Output of the server, and a user of that name in a cron line.
  const noCommand = /^(?:listening on|set -a)/;
  return code.flatMap((text) => line.exec(text)?.[1] ?? []).filter((text) => !noCommand.test(text));
}

it('of envsnap', () => {
  ensureBuilt();
  const file = path.join(root, 'packages/cli/dist/oclif.manifest.json');
  const { commands } = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  const topics = new Set(Object.keys(commands).map((id) => id.split(':')[0]));
  const wrong: string[] = [];
  let checked = 0;
  for (const name of markdownFiles()) {
    for (const line of commandLines(readFileSync(path.join(root, name), 'utf8'), 'envsnap')) {
      const [words = '', ...rest] = line.split(/ (?=-)/);
      const [first = '', second = ''] = words.split(' ');
      const id = commands[`${first}:${second}`] ? `${first}:${second}` : first;
      const command = commands[id];
      if (!command) {
        // A topic alone, or alternatives (`snapshot list|show`).
        if (!topics.has(first)) wrong.push(`${name}: envsnap ${line}`);
        continue;
      }
      checked += 1;
      const flags = new Set(
        Object.entries(command.flags).flatMap(([flag, { char, allowNo }]) => [
          `--${flag}`,
          ...(char ? [`-${char}`] : []),
          ...(allowNo ? [`--no-${flag}`] : []),
        ]),
      );
      flags.add('--help');
      const end = rest.findIndex((part) => /^-- /.test(`${part} `));
      for (const part of end === -1 ? rest : rest.slice(0, end)) {
        const [flag = ''] = /^--?[\w-]+/.exec(part) ?? [];
        if (flag !== '' && !flags.has(flag)) wrong.push(`${name}: envsnap ${line}: ${flag}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(checked).toBeGreaterThan(60);
});

it('of envsnap-server', () => {
  const sources = ['cli.ts', 'operator/commands.json', 'operator/quota-limits.ts']
    .map((name) => readFileSync(path.join(root, 'packages/server/src', name), 'utf8'))
    .join('\n');
  const known = new Set(
    [...sources.matchAll(/"usage": "([a-z]+)\b|\.command\('(start)'\)/g)].map(
      (match) => match[1] ?? match[2],
    ),
  );
  const wrong: string[] = [];
  let checked = 0;
  for (const name of markdownFiles())
    for (const line of commandLines(readFileSync(path.join(root, name), 'utf8'), 'envsnap-server')) {
      const [first = ''] = line.split(/[ |]/);
      checked += 1;
      if (!known.has(first)) wrong.push(`${name}: envsnap-server ${line}`);
      for (const [flag] of line.matchAll(/(?<=\s|\[)--[a-z-]+/g))
        if (!sources.includes(flag)) wrong.push(`${name}: envsnap-server ${line}: ${flag}`);
    }
  expect(wrong).toEqual([]);
  expect(checked).toBeGreaterThan(20);
});
