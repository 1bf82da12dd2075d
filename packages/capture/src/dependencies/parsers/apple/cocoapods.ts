// CocoaPods: Podfile.lock.

import { entriesOf, field, itemsOf, textField } from '@envsnap/shared/plain-object';
import { gitSource, type PackageList, versionOfCommit } from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { parseYamlMap } from '../../text/yaml.ts';

/** Podfile.lock: pods and subspecs (`Pod/Subspec`); those from git with the commit that was checked out. */
export function parsePodfileLock(text: string, list: PackageList): void {
  const lock = parseYamlMap(text);
  if (
    text.trim() !== '' &&
    field(lock, 'PODS') === undefined &&
    field(lock, 'PODFILE CHECKSUM') === undefined
  ) {
    throw new ParseProblem('it has no `PODS`');
  }
  const checkouts = new Map(entriesOf(lock, 'CHECKOUT OPTIONS'));
  list.direct = itemsOf(lock, 'DEPENDENCIES').flatMap((wanted) =>
    typeof wanted === 'string' ? wanted.split(' ', 1) : [],
  );
  for (const item of itemsOf(lock, 'PODS')) {
    // A pod with dependencies of its own is a map with one key.
    const label: unknown = item instanceof Map ? item.keys().next().value : item;
    const pod = typeof label === 'string' ? /^(\S+) \(([^()]+)\)$/.exec(label) : null;
    if (!pod) throw new ParseProblem('one of its `PODS` is not a name and a version');
    const [, name = '', version = ''] = pod;
    const checkout = checkouts.get(name.split('/', 1)[0] as string);
    const commit = textField(checkout, ':commit');
    list.add(name, versionOfCommit(version, '', commit), gitSource(textField(checkout, ':git'), commit));
  }
}
