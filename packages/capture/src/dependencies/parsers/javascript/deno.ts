// Deno: deno.lock of versions 2 to 5, deno.json.

import { entriesOf, field, isPlainObject, textField } from '@envsnap/shared/plain-object';
import { anyVersion, type PackageList, withoutCredentials } from '../../package-list.ts';
import type { ParseContext } from '../../parse-context.ts';
import { parseJsoncObject, parseJsonObject } from '../../text/json.ts';
import { splitDescriptor } from './npm.ts';

/** deno.lock: packages of npm and JSR, and modules by address (`https://host/std@0.200.0/…` as one name and version). */
export function parseDenoLock(text: string, list: PackageList, context: ParseContext): void {
  const lock = parseJsonObject(text);
  // Version 3 holds both registries below `packages`, version 2 npm's packages one level deeper.
  const holder = isPlainObject(field(lock, 'packages')) ? field(lock, 'packages') : lock;
  const npm = field(holder, 'npm');
  const npmHolder = textField(lock, 'version') === '2' ? { npm: field(npm, 'packages') } : holder;
  for (const [key, entry] of entriesOf(npmHolder, 'npm')) addKey(list, key, entry, context);
  const npmNames = new Set(list.names());
  for (const [key, entry] of entriesOf(holder, 'jsr')) addKey(list, key, entry, context, npmNames);
  for (const [address, hash] of entriesOf(lock, 'remote')) {
    const match = /^(https?:\/\/[^?#]*?)@v?(\d[^/?#]*)(?:[/?#]|$)/.exec(address);
    if (match)
      list.add(
        withoutCredentials(match[1] as string),
        match[2] as string,
        undefined,
        typeof hash === 'string' ? `${address} ${hash}` : [],
      );
    else if (typeof hash === 'string') list.add(withoutCredentials(address), hash);
  }
}

/** `name@1.0.0`, in npm's part with peers behind `_`. `npmNames` are given for JSR's part alone. */
function addKey(
  list: PackageList,
  key: string,
  entry: unknown,
  context: ParseContext,
  npmNames?: ReadonlySet<string>,
): void {
  const descriptor = splitDescriptor(key);
  const integrity = textField(entry, 'integrity');
  if (!descriptor) context.warn('an entry has no version');
  else if (npmNames === undefined)
    list.add(descriptor.name, descriptor.range.replace(/_.*$/s, ''), undefined, integrity);
  else {
    // The registries are two: a name that npm has too is told apart.
    const name = npmNames.has(descriptor.name) ? `jsr:${descriptor.name}` : descriptor.name;
    list.add(name, descriptor.range, 'jsr', integrity);
  }
}

/** deno.json: packages that its imports name (`jsr:@std/fs@^1`, `npm:zod@4`), and those of its scopes. */
export function parseDenoJson(text: string, list: PackageList): void {
  const manifest = parseJsoncObject(text);
  const maps = [manifest, ...entriesOf(manifest, 'scopes').map(([, imports]) => ({ imports }))];
  for (const map of maps) {
    for (const [, target] of entriesOf(map, 'imports')) {
      const match =
        typeof target === 'string' && /^(jsr|npm):\/?((?:@[^/@]+\/)?[^/@]+)(?:@([^/]+))?/.exec(target);
      if (match) list.add(match[2] as string, match[3] ?? anyVersion, match[1] === 'npm' ? 'npm' : undefined);
    }
  }
}
