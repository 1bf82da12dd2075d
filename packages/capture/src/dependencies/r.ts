// R: renv.lock.

import { entriesOf, field, isObject, parseJsonObject, textField } from './json.ts';
import { anyVersion, createPackageList, type PackageList, versionOfCommit } from './package-list.ts';
import { ParseProblem } from './parse-problem.ts';

/** renv.lock: packages; those from a forge with their commit. */
export function parseRenvLock(text: string): PackageList {
  const lock = parseJsonObject(text);
  if (!isObject(field(lock, 'Packages')) && !isObject(field(lock, 'R')))
    throw new ParseProblem('it has no `Packages`');
  const list = createPackageList();
  for (const [key, entry] of entriesOf(lock, 'Packages')) {
    const source = textField(entry, 'Source') ?? '';
    const fromForge = /^(?:github|gitlab|bitbucket|git|git2r|xgit)$/i.test(source);
    const commit = fromForge ? textField(entry, 'RemoteSha') : undefined;
    list.add(
      textField(entry, 'Package') ?? key,
      versionOfCommit(textField(entry, 'Version') ?? anyVersion, '', commit),
    );
  }
  return list;
}
