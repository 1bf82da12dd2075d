// Rust: Cargo.lock of all versions, and Cargo.toml.

import { entriesOf, field, isPlainObject, itemsOf, textField } from '@envsnap/shared/plain-object';
import { anyVersion, type PackageList, type PackageSource, versionOfCommit } from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';
import type { ParseContext } from '../../parser.ts';

import { type CargoPackage, scanCargoLock } from './cargo-scanner.ts';

/**
 * Cargo.lock. Packages without a source are the workspace's own members (or folders beside it, which the file does not
 * tell from members) and are left out.
 */
export async function parseCargoLock(text: string, list: PackageList): Promise<void> {
  for (const { name, version, source, line } of scanCargoLock(text) ?? (await readAsToml(text))) {
    if (!name || !version)
      throw new ParseProblem(`its package ${name ?? 'without a name'} has no version`, { line });
    if (source === undefined) continue;
    const commit = source.startsWith('git+') ? source.split('#')[1] : undefined;
    list.add(name, versionOfCommit(version, source, commit), sourceOf(source));
  }
}

/** A repository; packages of registries need no source. */
function sourceOf(source: string): PackageSource | undefined {
  return source.startsWith('git+') ? `git+${source.slice('git+'.length)}` : undefined;
}

/** Any other layout of TOML; throws `ParseProblem` where it is none. */
async function readAsToml(text: string): Promise<CargoPackage[]> {
  const { parseToml } = await import('../../text/toml.ts');
  const lock = parseToml(text);
  const packages = field(lock, 'package');
  if (packages !== undefined && !Array.isArray(packages)) {
    throw new ParseProblem('its `package` is not a list of tables');
  }
  if (packages === undefined && field(lock, 'version') === undefined && field(lock, 'root') === undefined) {
    throw new ParseProblem('it has no `[[package]]`');
  }
  return itemsOf(lock, 'package').map((entry) => {
    const [name, version, source] = ['name', 'version', 'source'].map((key) => textField(entry, key));
    return {
      ...(name && { name }),
      ...(version && { version }),
      ...(source === undefined ? {} : { source }),
    };
  });
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
  const { parseToml } = await import('../../text/toml.ts');
  const manifest = parseToml(text);
  const tables: [string, unknown][] = [];
  for (const holder of [manifest, ...entriesOf(manifest, 'target').map(([, target]) => target)]) {
    for (const section of sections) for (const entry of entriesOf(holder, section)) tables.push(entry);
  }
  const own = field(manifest, 'workspace');
  const inherited = tables.some(([, wanted]) => field(wanted, 'workspace') === true)
    ? own !== undefined
      ? entriesOf(own, 'dependencies')
      : await workspaceDependencies(context)
    : [];
  const byName = new Map(inherited);
  for (const [name, wanted] of tables) {
    addRequirement(list, name, field(wanted, 'workspace') === true ? (byName.get(name) ?? wanted) : wanted);
  }
  for (const [name, wanted] of entriesOf(own, 'dependencies')) addRequirement(list, name, wanted);
}

/** Dependencies that the nearest workspace manifest above declares for its members. */
async function workspaceDependencies(context: ParseContext): Promise<[string, unknown][]> {
  const { parseToml } = await import('../../text/toml.ts');
  const depth = context.path.split('/').length - 1;
  for (let up = 1; up <= depth; up += 1) {
    const text = await context.readText(`${'../'.repeat(up)}Cargo.toml`);
    if (text === undefined) continue;
    try {
      const workspace = field(parseToml(text), 'workspace');
      if (workspace !== undefined) return entriesOf(workspace, 'dependencies');
    } catch {
      // That manifest gets its own warning.
      return [];
    }
  }
  return [];
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
