// Conda: environment.yml.

import type { ParseContext } from './format.ts';
import { anyVersion, createPackageList, type PackageList } from './package-list.ts';
import { ParseProblem } from './parse-problem.ts';
import { readRequirement } from './python-requirements.ts';
import { key, listItems, parseYamlMap } from './yaml.ts';

/** environment.yml: packages of conda (`channel::name=version=build`) and of the nested pip list. */
export function parseCondaEnvironment(text: string, context: ParseContext): PackageList {
  const environment = parseYamlMap(text);
  const list = createPackageList();
  const dependencies = key(environment, 'dependencies');
  if (dependencies !== undefined && dependencies !== '' && !Array.isArray(dependencies)) {
    throw new ParseProblem('its `dependencies` is not a list');
  }
  for (const item of listItems(environment, 'dependencies')) {
    if (typeof item === 'string') addSpec(list, item, context);
    for (const requirement of listItems(item, 'pip')) {
      if (typeof requirement !== 'string' || requirement.startsWith('-')) continue;
      const found = readRequirement(requirement);
      if (found) list.add(found.name, found.version);
      else context.warn('an item of its pip list is no requirement that pip understands');
    }
  }
  return list;
}

function addSpec(list: PackageList, spec: string, context: ParseContext): void {
  const match =
    spec.length <= 1024 && /^(?:[^\s:]+::)?([\w.-]+)\s*(.*)$/s.exec(spec.trim().replace(/\[.*\]$/s, ''));
  if (!match) {
    context.warn('one of its dependencies is no package specification');
    return;
  }
  const [, name = '', rest = ''] = match;
  // `=1.0=build`, `==1.0`, ` 1.0 build`: the build string is no version.
  const exact = /^(?:={1,2}\s*|(?=[\d*]))([^=\s,|<>!~]+)(?:[=\s]+\S+)?$/.exec(rest);
  list.add(name, exact?.[1] ?? (rest.replaceAll(/\s+/g, '') || anyVersion));
}
