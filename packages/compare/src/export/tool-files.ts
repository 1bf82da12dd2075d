// A snapshot's runtimes as files of version managers: mise.toml, .tool-versions (asdf), .nvmrc.

import { nameInManager } from '@envsnap/shared/catalogue/tools';
import { stringify } from 'smol-toml';
import type { ComparableEnvironment } from '../model/model.ts';
import { commentText, exportableVariables, isShellName } from './exportable-variables.ts';
import { chooseRuntimes, isPlainVersion, notPinned } from './needed-runtimes.ts';

export class ExportError extends Error {
  override readonly name = 'ExportError';
}

export function exportMise(environment: ComparableEnvironment, all = false): string {
  const { needed, others } = chooseRuntimes(environment, all);
  const { set, withheld } = exportableVariables(environment, { all });
  const written = set.map(
    ([name, value]) => [name, isShellName(name) ? miseValue(value) : undefined] as const,
  );
  const [tools, unknown] = namedIn('mise', needed);
  const env = Object.fromEntries(written.filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
  const parts = [
    ...(tools.length > 0 ? [stringify({ tools: Object.fromEntries(tools) }).trimEnd()] : []),
    ...remarks([
      ...unknown.map(([name, version]) => `${name} ${version}: mise has no such tool`),
      ...notPinned(others),
    ]),
    ...(Object.keys(env).length > 0 ? ['', stringify({ env }).trimEnd()] : []),
    ...remarks([
      ...written
        .filter(([, value]) => value === undefined)
        .map(([name]) => `${name}: its name or value cannot be written here`),
      ...withheld.map(({ name, reason }) => `${name}: ${reason}`),
    ]),
  ];
  return `${parts.join('\n').replace(/^\n/, '')}\n`;
}

type Versions = ReturnType<typeof chooseRuntimes>['needed'];

/** The tools that a manager knows, with its names and versions for them, and the other tools. */
function namedIn(manager: 'mise' | 'asdf', needed: Versions): [known: Versions, unknown: Versions] {
  return [
    needed.flatMap(([name, version]) => {
      const known = nameInManager(name, manager);
      return known === undefined ? [] : [[known, pinned(version)] as const];
    }),
    needed.filter(([name]) => nameInManager(name, manager) === undefined),
  ];
}

/** mise reads values as templates: `{{`, `{%` and `{#` must be marked as plain text. */
function miseValue(value: string): string | undefined {
  if (!/\{[{%#]/.test(value)) return value;
  return /\{%-?\s*endraw/.test(value) ? undefined : `{% raw %}${value}{% endraw %}`;
}

export function exportToolVersions(environment: ComparableEnvironment, all = false): string {
  const { needed, others } = chooseRuntimes(environment, all);
  const [tools, unknown] = namedIn('asdf', needed);
  const lines = [
    ...tools.map(([name, version]) => `${name} ${version}`),
    ...remarks([...unknown.map(([name, version]) => unknownToAsdf(name, version)), ...notPinned(others)]),
  ];
  if (lines.length === 0) throw new ExportError('this snapshot has no runtimes');
  return lines.map((line) => `${line}\n`).join('');
}

function unknownToAsdf(name: string, version: string): string {
  if (name === 'java')
    return `java ${version}: the version also needs a distribution, for example java temurin-${version}`;
  return `${name} ${version}: comes with another tool or has no usual plugin`;
}

export function exportNvmrc(environment: ComparableEnvironment): string {
  const version = environment.runtimeVersions?.node;
  if (version === undefined || !isPlainVersion(version))
    throw new ExportError('this snapshot has no node to put into .nvmrc');
  return `${pinned(version)}\n`;
}

function pinned(version: string): string {
  return commentText(version).trim().replace(/\s.*$/s, '');
}

function remarks(texts: readonly string[]): string[] {
  return texts.map((text) => `# ${commentText(text)}`);
}
