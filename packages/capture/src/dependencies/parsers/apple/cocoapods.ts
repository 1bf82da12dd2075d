// CocoaPods: Podfile.lock.

import { createPackageList, gitSource, type PackageList, versionOfCommit } from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { key, listItems, mapEntries, parseYamlMap, textKey } from '../../text/yaml.ts';

/** Podfile.lock: pods and subspecs (`Pod/Subspec`); those from git with the commit that was checked out. */
export function parsePodfileLock(text: string): PackageList {
  const lock = parseYamlMap(text);
  if (text.trim() !== '' && key(lock, 'PODS') === undefined && key(lock, 'PODFILE CHECKSUM') === undefined) {
    throw new ParseProblem('it has no `PODS`');
  }
  const checkouts = new Map(mapEntries(lock, 'CHECKOUT OPTIONS'));
  const list = createPackageList();
  list.direct = listItems(lock, 'DEPENDENCIES').flatMap((wanted) =>
    typeof wanted === 'string' ? wanted.split(' ', 1) : [],
  );
  for (const item of listItems(lock, 'PODS')) {
    // A pod with dependencies of its own is a map with one key.
    const label: unknown = item instanceof Map ? item.keys().next().value : item;
    const pod = typeof label === 'string' ? /^(\S+) \(([^()]+)\)$/.exec(label) : null;
    if (!pod) throw new ParseProblem('one of its `PODS` is not a name and a version');
    const [, name = '', version = ''] = pod;
    const checkout = checkouts.get(name.split('/', 1)[0] as string);
    const commit = textKey(checkout, ':commit');
    list.add(name, versionOfCommit(version, '', commit), gitSource(textKey(checkout, ':git'), commit));
  }
  return list;
}
