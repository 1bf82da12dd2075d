// Helm: Chart.lock and Chart.yaml.

import { field, itemsOf, textField } from '@envsnap/shared/plain-object';
import { anyVersion, type PackageList, type PackageSource, registrySource } from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { parseYamlMap } from '../../text/yaml.ts';

/** Chart.lock: charts under their name. */
export function parseChartLock(text: string, list: PackageList): void {
  const lock = parseYamlMap(text);
  if (text.trim() !== '' && field(lock, 'dependencies') === undefined)
    throw new ParseProblem('it has no `dependencies`');
  for (const item of itemsOf(lock, 'dependencies')) {
    const name = textField(item, 'name');
    if (!name) throw new ParseProblem('one of its dependencies has no name');
    list.add(name, textField(item, 'version') ?? anyVersion, repositoryOf(item));
  }
}

function repositoryOf(item: unknown): PackageSource | undefined {
  return registrySource(textField(item, 'repository'), /^(?:file:|@|alias:)/);
}

/** Chart.yaml and requirements.yaml: requirements as they are written. Other tools' files of the latter name hold none. */
export function parseChart(text: string, list: PackageList): void {
  for (const item of itemsOf(parseYamlMap(text), 'dependencies')) {
    const name = textField(item, 'name');
    if (name !== undefined) list.add(name, textField(item, 'version') ?? anyVersion, repositoryOf(item));
  }
}
