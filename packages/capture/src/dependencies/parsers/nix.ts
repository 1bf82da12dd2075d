// Nix: flake.lock.

import { entriesOf, field, isPlainObject, textField } from '@envsnap/shared/plain-object';
import { type PackageList, withoutCredentials } from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { parseJsonObject } from '../text/json.ts';

/** flake.lock: inputs under the names that the file gives them, as `type:owner/repository/revision` and the like. */
export function parseFlakeLock(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  if (!isPlainObject(field(lock, 'nodes'))) throw new ParseProblem('it has no `nodes`');
  for (const [name, node] of entriesOf(lock, 'nodes')) {
    const locked = field(node, 'locked');
    // The root node is the flake itself.
    if (!isPlainObject(locked)) continue;
    const [type, owner, repo, url, path, rev, hash] = [
      'type',
      'owner',
      'repo',
      'url',
      'path',
      'rev',
      'narHash',
    ].map((key) => textField(locked, key));
    // The revision stands behind the address, so what may not stand in that goes first.
    const place = owner && repo ? `${owner}/${repo}` : withoutCredentials(url ?? path ?? '');
    const revision = rev ?? hash;
    const version = `${type ?? 'input'}:${place}${revision ? `/${revision}` : ''}`;
    list.add(name, version, undefined, hash);
  }
}
