// Helm: Chart.lock and Chart.yaml.

import { anyVersion, createPackageList, type PackageList } from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { key, listItems, parseYamlMap, textKey } from '../../text/yaml.ts';

/** Chart.lock: charts under their name. */
export function parseChartLock(text: string): PackageList {
  const lock = parseYamlMap(text);
  if (text.trim() !== '' && key(lock, 'dependencies') === undefined)
    throw new ParseProblem('it has no `dependencies`');
  const list = createPackageList();
  for (const item of listItems(lock, 'dependencies')) {
    const name = textKey(item, 'name');
    if (!name) throw new ParseProblem('one of its dependencies has no name');
    list.add(name, textKey(item, 'version') ?? anyVersion);
  }
  return list;
}

/** Chart.yaml and requirements.yaml: requirements as they are written. Other tools' files of the latter name hold none. */
export function parseChart(text: string): PackageList {
  const list = createPackageList();
  for (const item of listItems(parseYamlMap(text), 'dependencies')) {
    const name = textKey(item, 'name');
    if (name !== undefined) list.add(name, textKey(item, 'version') ?? anyVersion);
  }
  return list;
}
