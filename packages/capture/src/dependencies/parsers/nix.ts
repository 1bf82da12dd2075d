// Nix: flake.lock.

import { createPackageList, type PackageList } from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { entriesOf, field, isObject, parseJsonObject, textField } from '../text/json.ts';

/** flake.lock: inputs under the names that the file gives them, as `type:owner/repository/revision` and the like. */
export function parseFlakeLock(text: string): PackageList {
  const lock = parseJsonObject(text);
  if (!isObject(field(lock, 'nodes'))) throw new ParseProblem('it has no `nodes`');
  const list = createPackageList();
  for (const [name, node] of entriesOf(lock, 'nodes')) {
    const locked = field(node, 'locked');
    // The root node is the flake itself.
    if (!isObject(locked)) continue;
    const [type, owner, repo, url, path, rev, hash] = [
      'type',
      'owner',
      'repo',
      'url',
      'path',
      'rev',
      'narHash',
    ].map((key) => textField(locked, key));
    const place = owner && repo ? `${owner}/${repo}` : (url ?? path ?? '');
    const revision = rev ?? hash;
    list.add(name, `${type ?? 'input'}:${place}${revision ? `/${revision}` : ''}`);
  }
  return list;
}
