// Whatever is captured, no output of any command in any format contains text that a CI service obeys or that is invisible.
// Commands and formats come from the program's own table, so that new ones are tested without a change here.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ensureBuilt } from '../../scripts/build.ts';
import { findObeyed, planted } from '../support/log-obedience.ts';
import { createSandbox, type Sandbox } from '../support/programs.ts';
import { hiddenName, writePlantedProject } from './planted-environment.ts';

ensureBuilt();
const manifest = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../packages/cli/dist/oclif.manifest.json'), 'utf8'),
) as { commands: Record<string, { flags: Record<string, { options?: string[] }> }> };

const [a, b] = [`${hiddenName}a.json`, `${hiddenName}b.json`];

/** How each command with formats is called; `audit` is about a server, and `every-command.test.ts` calls it. */
const calls: Readonly<Record<string, readonly string[]>> = {
  bisect: [a, b, '--dry-run', '--', 'true'],
  check: ['--all'],
  compare: [a, b, '--all', '--failure', `${hiddenName}output.txt`],
  'snapshot:export': [a, '--all'],
  why: ['--passed', `${hiddenName}passed-*.json`, '--failed', `${hiddenName}failed-*.json`],
};

/** Commands without formats that print captured data without a server. */
const others: readonly (readonly string[])[] = [
  ['capture', '--dry-run'],
  ['issue', '--with', a],
  ['run', '--of', 'x', '--', 'false'],
  ['accept', `env:${hiddenName}`, '--reason', 'x', '--policy', `${hiddenName}.yaml`],
  ['snapshot', 'show', a],
  // As long as the name of a file may be.
  ['run', '--', `${planted.slice(-179)}absent`],
  ['snapshot', 'export', a, '--format', 'shell', '--output', `${hiddenName}out`],
];

const withFormats = Object.entries(manifest.commands).flatMap(([command, { flags }]) =>
  (flags.format?.options ?? []).map((format) => ({ command, format })),
);

/** The program's own annotations are commands; the text in them must not be. */
const withoutOwn = (text: string) => text.replace(/^::(?:error|warning|notice)(?: [^:\n]*)?::/gm, '');

async function outputs(sandbox: Sandbox, args: readonly string[]): Promise<string[]> {
  const summary = path.join(sandbox.home, 'summary.md');
  const { exitCode, stdout, stderr } = await sandbox.run(args, { env: { GITHUB_STEP_SUMMARY: summary } });
  // A call that is refused says nothing about the format; only a planted .nvmrc is refused.
  const codes = args.includes('nvmrc') || args.at(-1)?.includes('absent') ? [4, 127] : [0, 1];
  expect({ args, exitCode, stderr }).toEqual({ args, exitCode: expect.toBeOneOf(codes), stderr });
  return [stdout, stderr, existsSync(summary) ? readFileSync(summary, 'utf8') : ''];
}

async function expectHarmless(args: readonly string[]): Promise<string> {
  const sandbox = createSandbox();
  writePlantedProject(sandbox.cwd);
  const texts = await outputs(sandbox, args);
  for (const text of texts) {
    expect({ args, found: findObeyed(withoutOwn(text)) }).toEqual({ args, found: null });
    // Comments of GitLab and of bots obey a line that begins like this.
    if (args.includes('markdown') || args[0] === 'issue') expect(text).not.toMatch(/^\/\w/m);
  }
  return texts.join('');
}

describe('what leaves the program', () => {
  it('is tried here in every command that has formats', () => {
    const commands = [...new Set(withFormats.map(({ command }) => command))];
    // A webhook's format is that of its deliveries.
    const printing = commands.filter((command) => !/^(?:audit|webhook:.*)$/.test(command));
    expect(printing.sort()).toEqual(Object.keys(calls).sort());
  });

  const titleOfFormat = 'is obeyed by nobody in $command --format $format';
  const formats = withFormats.filter(({ command }) => command in calls);
  // The others print the same rows and sentences.
  const sampled = new Set(['compare', 'bisect']);
  const isSampled = ({ command }: { command: string }) => sampled.has(command);
  it.each(formats.filter(isSampled))(titleOfFormat, { timeout: 60_000 }, isObeyedByNobody);
  const otherFormats = formats.filter((each) => !isSampled(each));
  it.each(otherFormats)(titleOfFormat, { tags: 'release', timeout: 60_000 }, isObeyedByNobody);

  it.each(Object.keys(calls))(
    'acts as a command nowhere in %s --json',
    { tags: 'release', timeout: 60_000 },
    async (command) => {
      const [args, rest] = split(calls[command] ?? []);
      const format = command === 'snapshot:export' ? ['--format', 'shell'] : [];
      await expectHarmless([...command.split(':'), ...args, ...format, '--json', ...rest]);
    },
  );

  it.each(others.map((args) => ({ call: args.join(' '), args })))(
    'is obeyed by nobody in $call',
    { tags: 'release', timeout: 60_000 },
    async ({ args }) => {
      await expectHarmless(args);
    },
  );

  it('shows that something was there', async () => {
    const text = await expectHarmless(['compare', 'a.json', 'b.json', '--all']);
    expect(text).toContain('\\x23#vso[');
    expect(text).toContain('\\u{e0000}');
  });
});

async function isObeyedByNobody({ command, format }: (typeof withFormats)[number]): Promise<void> {
  const [args, rest] = split(calls[command] ?? []);
  const text = await expectHarmless([...command.split(':'), ...args, '--format', format, ...rest]);
  expect(text.length).toBeGreaterThan(0);
}

/** The words before `--`, and from there on. */
function split(args: readonly string[]): readonly [readonly string[], readonly string[]] {
  const place = args.indexOf('--');
  return place < 0 ? [args, []] : [args.slice(0, place), args.slice(place)];
}
