// A snapshot's runtimes as files of version managers: mise.toml, .tool-versions (asdf), .nvmrc.

import { nameInManager } from '@envsnap/shared/catalogue/tools';
import { stringify } from 'smol-toml';
import type { ComparableEnvironment } from '../model/model.ts';
import { commentText, exportableVariables } from './exportable-variables.ts';
import { chooseRuntimes, isPlainVersion, notPinned } from './needed-runtimes.ts';

export class ExportError extends Error {
  override readonly name = 'ExportError';
}

export function exportMise(environment: ComparableEnvironment, all = false): string {
  const { needed, others } = chooseRuntimes(environment, all);
  const known = needed.filter(([name]) => nameInManager(name, 'mise') !== undefined);
  const { set, withheld } = exportableVariables(environment, { all });
  const usable = set.filter(([name, value]) => isMiseName(name) && miseValue(value) !== undefined);
  const unusable = set.filter(([name, value]) => !(isMiseName(name) && miseValue(value) !== undefined));
  const tools = Object.fromEntries(
    known.map(([name, version]) => [nameInManager(name, 'mise') ?? name, pinned(version)]),
  );
  const env = Object.fromEntries(usable.map(([name, value]) => [name, miseValue(value) as string]));
  const parts = [
    ...(known.length > 0 ? [stringify({ tools }).trimEnd()] : []),
    ...remarks([
      ...needed
        .filter(([name]) => nameInManager(name, 'mise') === undefined)
        .map(([name, version]) => `${name} ${version}: no tool of mise`),
      ...notPinned(others),
    ]),
    ...(usable.length > 0 ? ['', stringify({ env }).trimEnd()] : []),
    ...remarks([
      ...unusable.map(([name]) => `${name}: its name or value cannot be written here`),
      ...withheld.map(({ name, reason }) => `${name}: ${reason}`),
    ]),
  ];
  return `${parts.join('\n').replace(/^\n/, '')}\n`;
}

function isMiseName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** mise reads values as templates: `{{`, `{%` and `{#` must be marked as plain text. */
function miseValue(value: string): string | undefined {
  if (!/\{[{%#]/.test(value)) return value;
  return /\{%-?\s*endraw/.test(value) ? undefined : `{% raw %}${value}{% endraw %}`;
}

export function exportToolVersions(environment: ComparableEnvironment, all = false): string {
  const { needed, others } = chooseRuntimes(environment, all);
  const known = needed.filter(([name]) => nameInManager(name, 'asdf') !== undefined);
  const lines = [
    ...known.map(([name, version]) => `${nameInManager(name, 'asdf') ?? name} ${pinned(version)}`),
    ...remarks([
      ...needed
        .filter(([name]) => nameInManager(name, 'asdf') === undefined)
        .map(([name, version]) => unknownToAsdf(name, version)),
      ...notPinned(others),
    ]),
  ];
  if (lines.length === 0) throw new ExportError('this snapshot has no runtimes');
  return lines.map((line) => `${line}\n`).join('');
}

function unknownToAsdf(name: string, version: string): string {
  if (name === 'java')
    return `java ${version}: needs the distribution too, for example java temurin-${version}`;
  return `${name} ${version}: comes with another tool or has no usual plugin`;
}

export function exportNvmrc(environment: ComparableEnvironment): string {
  const version = environment.runtimeVersions?.node;
  if (version === undefined || !isPlainVersion(version))
    throw new ExportError('this snapshot has no node, so there is nothing to put into .nvmrc');
  return `${pinned(version)}\n`;
}

/** A version without line breaks or blanks, which would end it. */
function pinned(version: string): string {
  return commentText(version).trim().replace(/\s.*$/s, '');
}

function remarks(texts: readonly string[]): string[] {
  return texts.map((text) => `# ${commentText(text)}`);
}
