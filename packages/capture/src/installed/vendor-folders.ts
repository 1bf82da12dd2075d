// Vendored sources: Go's `vendor/modules.txt` and the folder that Cargo's configuration names, compared with what is locked.
// https://go.dev/ref/mod#vendoring, https://doc.rust-lang.org/cargo/commands/cargo-vendor.html

import { addVersion, type Drift, type LockPlace, versionsOf } from './drift.ts';

/** For go.mod: modules that are vendored in another version, and vendored packages without sources. */
export async function goVendorDrift({ files, at, path, locked }: LockPlace): Promise<Drift | undefined> {
  const text = await files.text(at('vendor/modules.txt'));
  if (text === undefined) return undefined;
  const drift = new Map<string, string>();
  // The requested version of a replaced module; the replacement is recorded.
  const required = ((await files.text(path)) ?? '').matchAll(/^(?:require)?[ \t]+(\S+)[ \t]+(v\S+)/gm);
  const replaced = new Map([...required].map(([, module = '', version = '']) => [module, version]));
  let name = '';
  for (const line of text.split('\n')) {
    // `# module version`, with `=> replacement` after it, which go.mod has too.
    const [, module, version] = /^# (\S+) (v\S+)(?: =>.*)?$/.exec(line) ?? [];
    if (module !== undefined && version !== undefined) {
      name = module;
      const recorded = Object.hasOwn(locked, module) ? (locked[module] ?? '') : '';
      const expected = line.includes(' => ') ? replaced.get(module) : recorded;
      if (expected !== undefined && /^v\d/.test(expected) && expected !== version) drift.set(module, version);
    } else if (/^[^#\s]/.test(line) && !line.includes('..') && !drift.has(name)) {
      const sources = await files.names(at('vendor', line.trim()));
      if (!sources.some((source) => source.endsWith('.go'))) drift.set(name, '');
    }
  }
  return drift;
}

/** For Cargo.lock: crates that the vendored folder lacks, or has only in other versions. */
export async function cargoVendorDrift(place: LockPlace): Promise<Drift | undefined> {
  const { files, at, root, locked, path } = place;
  const { join, resolve } = files.paths;
  const config = (await files.text(at('.cargo/config.toml'))) ?? (await files.text(at('.cargo/config')));
  const folder = /^directory *= *["']([^"'\n]+)/m.exec(config ?? '')?.[1];
  if (folder === undefined) return undefined;
  const vendored = new Map<string, Set<string>>();
  const base = resolve(root, folder);
  for (const name of (await files.names(base)).slice(0, maxCrates)) {
    const manifest = (await files.text(join(base, name, 'Cargo.toml'))) ?? '';
    const crate = /^name\s*=\s*"([^"\n]+)"/m.exec(manifest)?.[1];
    const version = /^version\s*=\s*"([^"\n]+)"/m.exec(manifest)?.[1];
    if (crate && version) vendored.set(crate, (vendored.get(crate) ?? new Set()).add(version));
  }
  const fromRegistry = registryCrates((await files.text(path)) ?? '');
  const drift = new Map<string, string>();
  for (const [name, text] of Object.entries(locked)) {
    if (!fromRegistry.has(name)) continue;
    const present = vendored.get(name);
    if (present === undefined) drift.set(name, '');
    else if (versionsOf(text).some((version) => /^\d/.test(version) && !present.has(version)))
      for (const version of present) addVersion(drift, name, version);
  }
  return drift;
}

/** Maximum number of vendored crates that are checked. */
const maxCrates = 5000;

/** Names with a source: a workspace's own crates have none and are never vendored. */
function registryCrates(lock: string): ReadonlySet<string> {
  const parts = lock.split('[[package]]').filter((part) => /^source = "/m.test(part));
  return new Set(parts.flatMap((part) => /^name = "([^"\n]+)"/m.exec(part)?.slice(1) ?? []));
}
