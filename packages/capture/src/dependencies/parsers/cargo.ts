// Rust: Cargo.lock of all versions, and Cargo.toml.

import { field, isPlainObject, textField } from '@envsnap/shared/plain-object';
import {
  entriesIn,
  entriesUnder,
  itemsUnder,
  optionsOf,
  type ParseContext,
  requirementOf,
  textFields,
} from '../fields.ts';
import { type PackageList, registrySource, versionOfCommit } from '../package-list.ts';
import { ParseProblem, positionAt } from '../parse-problem.ts';
import { parseToml } from '../text/toml.ts';

/**
 * Cargo.lock. Packages without a source are members of the workspace, or folders next to it, which look the same in the
 * file. They are left out.
 */
export function parseCargoLock(text: string, list: PackageList): void {
  const lock = parseToml(text);
  const packages = field(lock, 'package');
  if (packages !== undefined && !Array.isArray(packages))
    throw new ParseProblem('its `package` is not a list of tables');
  if (![packages, field(lock, 'version'), field(lock, 'root')].some((mark) => mark !== undefined))
    throw new ParseProblem('it has no `[[package]]`');
  const sums = field(lock, 'metadata');
  for (const [index, entry] of itemsUnder(lock, 'package').entries()) {
    const [name, version, source] = textFields(entry, 'name', 'version', 'source');
    if (!name || !version) {
      const [heading] = [...text.matchAll(/^\[\[package\]\]/gm)].slice(index);
      const problem = `its package ${name ?? 'without a name'} has no version`;
      throw new ParseProblem(problem, heading && { line: positionAt(text, heading.index).line });
    }
    if (source === undefined) list.rejected += Number(field(entry, 'source') !== undefined);
    if (source === undefined) continue;
    const checksum =
      textField(entry, 'checksum') ?? textField(sums, `checksum ${name} ${version} (${source})`);
    const commit = source.startsWith('git+') ? source.split('#')[1] : undefined;
    if (source.startsWith('git+'))
      list.add(name, versionOfCommit(version, source, commit), source as `git+${string}`);
    else list.add(name, version, registrySource(source, usualIndexes), checksum);
  }
}

const usualIndexes = /^https:\/\/(?:github\.com\/rust-lang\/crates\.io-index|index\.crates\.io)$/;
const sections = `dependencies dev-dependencies build-dependencies dev_dependencies build_dependencies`.split(
  ' ',
);

/** Cargo.toml: requirements as they are written, with those inherited from the workspace's manifest. */
export async function parseCargoToml(text: string, list: PackageList, context: ParseContext): Promise<void> {
  const manifest = parseToml(text);
  const holders = [manifest, ...entriesUnder(manifest, 'target').map(([, target]) => target)];
  const tables = holders.flatMap((holder) => entriesIn(holder, ...sections));
  const own = field(manifest, 'workspace');
  const isInherited = ([, wanted]: [string, unknown]) => field(wanted, 'workspace') === true;
  const shared =
    own === undefined && tables.some(isInherited) ? await workspaceDependencies(context) : undefined;
  const inherited = new Map(own === undefined ? shared : entriesUnder(own, 'dependencies'));
  const requirements = tables.map((entry): [string, unknown] =>
    isInherited(entry) ? [entry[0], inherited.get(entry[0]) ?? entry[1]] : entry,
  );
  for (const [name, wanted] of [...requirements, ...entriesUnder(own, 'dependencies')])
    if (typeof wanted === 'string') list.add(name, wanted);
    // A version means more than the repository that replaces it.
    else if (isPlainObject(wanted))
      list.add(textField(wanted, 'package') ?? name, textField(wanted, 'version') || requirementOf(wanted));
    else list.rejected += 1;
  list.set('features', optionsOf([...tables, ...entriesUnder(own, 'dependencies')]));
  list.setAll(manifest, 'package.edition workspace.package.edition profile');
  // Replacements of packages for all dependents.
  for (const [registry, table] of [
    ...entriesUnder(manifest, 'patch'),
    ['', field(manifest, 'replace')] as const,
  ])
    if (isPlainObject(table)) list.set(`patch ${registry}`.trim(), table);
}

/** Dependencies that the nearest workspace manifest above declares for its members. */
async function workspaceDependencies(context: ParseContext) {
  const depth = context.path.split('/').length - 1;
  for (let up = 1; up <= depth; up += 1) {
    const found = await context.include(`${'../'.repeat(up)}Cargo.toml`, readWorkspace);
    if (found) return found;
  }
  return undefined;
}

/** Undefined if a manifest is not a workspace's. */
function readWorkspace(text: string): ReadonlyMap<string, unknown> | undefined {
  try {
    const workspace = field(parseToml(text), 'workspace');
    return workspace === undefined ? undefined : new Map(entriesUnder(workspace, 'dependencies'));
  } catch {
    // That manifest gets its own warning.
    return new Map();
  }
}
