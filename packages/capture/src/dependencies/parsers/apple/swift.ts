// Swift: Package.resolved of versions 1 to 3.

import { field, itemsOf, textField } from '@envsnap/shared/plain-object';
import { type PackageList, versionOfCommit } from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { parseJsonObject } from '../../text/json.ts';

/** Package.resolved: packages at their version, or at a branch (or nothing) with the commit. */
export function parsePackageResolved(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  const holder = field(lock, 'object') ?? lock;
  if (!Array.isArray(field(holder, 'pins'))) throw new ParseProblem('it has no list of `pins`');
  for (const pin of itemsOf(holder, 'pins')) {
    const name = textField(pin, 'identity') ?? textField(pin, 'package');
    const state = field(pin, 'state');
    const version = textField(state, 'version');
    const revision = textField(state, 'revision');
    if (!name || (!version && !revision))
      throw new ParseProblem(`its pin ${name ?? 'without a name'} has no state`);
    const place = textField(pin, 'location') ?? textField(pin, 'repositoryURL') ?? '';
    const source = place === '' ? undefined : (`git+${place}` as const);
    list.add(name, version ?? versionOfCommit(textField(state, 'branch'), place, revision), source);
  }
}
