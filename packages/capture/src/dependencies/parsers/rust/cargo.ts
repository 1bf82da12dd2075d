// Rust: Cargo.lock of all versions, and Cargo.toml.

import { entriesOf, field, isPlainObject, itemsOf, textField } from '@envsnap/shared/plain-object';
import { anyVersion, type PackageList, registrySource, versionOfCommit } from '../../package-list.ts';
import type { ParseContext } from '../../parse-context.ts';
import { ParseProblem, positionAt } from '../../parse-problem.ts';
import { parseToml } from '../../text/toml.ts';

/**
 * Cargo.lock. Packages without a source are the workspace's own members (or folders beside it, which the file does not
 * tell from members) and are left out.
 */
export function parseCargoLock(text: string, list: PackageList): void {
  const lock = parseToml(text);
  const packages = field(lock, 'package');
  if (packages !== undefined && !Array.isArray(packages)) {
    throw new ParseProblem('its `package` is not a list of tables');
  }
  if (packages === undefined && field(lock, 'version') === undefined && field(lock, 'root') === undefined) {
    throw new ParseProblem('it has no `[[package]]`');
  }
  const sums = field(lock, 'metadata');
  for (const [index, entry] of itemsOf(lock, 'package').entries()) {
    const [name, version, source] = ['name', 'version', 'source'].map((key) => textField(entry, key));
    if (!name || !version) {
      const [heading] = [...text.matchAll(/^\[\[package\]\]/gm)].slice(index);
      const problem = `its package ${name ?? 'without a name'} has no version`;
      throw new ParseProblem(problem, heading && { line: positionAt(text, heading.index).line });
    }
    if (source === undefined) continue;
    const checksum =
      textField(entry, 'checksum') ?? textField(sums, `checksum ${name} ${version} (${source})`);
    if (isRepository(source)) list.add(name, versionOfCommit(version, source, source.split('#')[1]), source);
    else list.add(name, version, registrySource(source, usualIndexes), checksum);
  }
}

const usualIndexes = /^https:\/\/(?:github\.com\/rust-lang\/crates\.io-index|index\.crates\.io)$/;

function isRepository(source: string): source is `git+${string}` {
  return source.startsWith('git+');
}

const sections = [
  'dependencies',
  'dev-dependencies',
  'build-dependencies',
  'dev_dependencies',
  'build_dependencies',
];

/** Cargo.toml: requirements as they are written, with those inherited from the workspace's manifest. */
export async function parseCargoToml(text: string, list: PackageList, context: ParseContext): Promise<void> {
  const manifest = parseToml(text);
  const tables: [string, unknown][] = [];
  for (const holder of [manifest, ...entriesOf(manifest, 'target').map(([, target]) => target)]) {
    for (const section of sections) for (const entry of entriesOf(holder, section)) tables.push(entry);
  }
  const own = field(manifest, 'workspace');
  const inherited = tables.some(([, wanted]) => field(wanted, 'workspace') === true)
    ? own !== undefined
      ? new Map(entriesOf(own, 'dependencies'))
      : await workspaceDependencies(context)
    : undefined;
  for (const [name, wanted] of tables) {
    addRequirement(
      list,
      name,
      field(wanted, 'workspace') === true ? (inherited?.get(name) ?? wanted) : wanted,
    );
  }
  for (const [name, wanted] of entriesOf(own, 'dependencies')) addRequirement(list, name, wanted);
  // What replaces packages whoever asks for them.
  const patches = [...entriesOf(manifest, 'patch'), ['', field(manifest, 'replace')] as const];
  for (const [registry, table] of patches)
    if (isPlainObject(table))
      list.set(`patch ${registry}`.trim(), JSON.stringify(table).slice(0, maxPatches));
}

/** Longest text of one table of patches, in characters. */
const maxPatches = 2000;

/** Dependencies that the nearest workspace manifest above declares for its members. */
async function workspaceDependencies(
  context: ParseContext,
): Promise<ReadonlyMap<string, unknown> | undefined> {
  const depth = context.path.split('/').length - 1;
  for (let up = 1; up <= depth; up += 1) {
    const found = await context.include(`${'../'.repeat(up)}Cargo.toml`, readWorkspace);
    if (found) return found;
  }
  return undefined;
}

/** Undefined where a manifest is not a workspace's. */
function readWorkspace(text: string): ReadonlyMap<string, unknown> | undefined {
  try {
    const workspace = field(parseToml(text), 'workspace');
    return workspace === undefined ? undefined : new Map(entriesOf(workspace, 'dependencies'));
  } catch {
    // That manifest gets its own warning.
    return new Map();
  }
}

function addRequirement(list: PackageList, name: string, wanted: unknown): void {
  if (!isPlainObject(wanted)) {
    if (typeof wanted === 'string') list.add(name, wanted);
    return;
  }
  const realName = textField(wanted, 'package') ?? name;
  const version = textField(wanted, 'version');
  const git = textField(wanted, 'git');
  const path = textField(wanted, 'path');
  const reference = textField(wanted, 'rev') ?? textField(wanted, 'tag') ?? textField(wanted, 'branch');
  if (version) list.add(realName, version);
  else if (git) list.add(realName, reference ? `git+${git}#${reference}` : `git+${git}`);
  else if (path) list.add(realName, `path:${path}`);
  else list.add(realName, anyVersion);
}
