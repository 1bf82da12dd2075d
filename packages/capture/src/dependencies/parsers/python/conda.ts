// Conda: environment.yml.

import { field, itemsOf } from '@envsnap/shared/plain-object';
import { anyVersion, type PackageList } from '../../package-list.ts';
import type { ParseContext } from '../../parse-context.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { parseYamlMap } from '../../text/yaml.ts';
import { condaFile, withVariant } from './conda-locks.ts';
import { readRequirement } from './python-requirements.ts';

/**
 * environment.yml: packages of conda (`channel::name=version=build`) and of the nested pip list. Channels are not
 * recorded: their addresses may hold credentials. Other tools' files of such a name (`environment-failure.yaml` of a
 * cluster) are not recorded.
 */
export function parseCondaEnvironment(text: string, list: PackageList, context: ParseContext): void {
  list.isRecorded = text.trim() === '' || /^["']?(?:dependencies|channels|prefix)["']?\s*:/m.test(text);
  if (!list.isRecorded) return;
  const environment = parseYamlMap(text);
  // Objects of Kubernetes have both.
  list.isRecorded = ['apiVersion', 'kind'].some((name) => field(environment, name) === undefined);
  if (!list.isRecorded) return;
  const dependencies = field(environment, 'dependencies');
  if (dependencies !== undefined && dependencies !== '' && !Array.isArray(dependencies)) {
    throw new ParseProblem('its `dependencies` is not a list');
  }
  for (const item of itemsOf(environment, 'dependencies')) {
    if (typeof item === 'string') addSpec(list, item, context);
    for (const requirement of itemsOf(item, 'pip')) {
      if (typeof requirement !== 'string' || requirement.startsWith('-')) continue;
      const found = readRequirement(requirement);
      if (found) list.add(found.name, found.version, 'pypi');
      else context.warn('an item of its pip list is not a requirement that pip understands');
    }
  }
}

/** Longest specification, in characters. */
const maxSpec = 1024;

function addSpec(list: PackageList, spec: string, context: ParseContext): void {
  const whole = spec.length <= maxSpec ? spec.trim() : '';
  // The channel before `::` may be an address: `https://user:password@host/me::numpy`.
  const channelEnd = whole.lastIndexOf('::');
  const bare = channelEnd === -1 ? whole : whole.slice(channelEnd + 2);
  const [, plain = '', bracket = ''] = /^([^[]*)(?:\[(.*)\])?$/s.exec(bare) ?? [];
  // The address of a package file says both in the file's name.
  const file = /[\\/]/.test(plain) ? condaFile(plain.trim()) : undefined;
  if (file) {
    list.add(file.name, withVariant(file.version, file.build));
    return;
  }
  const match = /[\\/]/.test(plain) ? null : /^([\w.-]+)\s*(.*)$/s.exec(plain.trim());
  if (!match) {
    context.warn('one of its dependencies is not a package specification');
    return;
  }
  const [, name = '', rest = ''] = match;
  // `=1.0=build`, `==1.0`, ` 1.0 build`.
  const exact = /^(?:={1,2}\s*|(?=[\d*]))([^=\s,|<>!~]+)(?:[=\s]+([^=\s]\S*))?$/.exec(rest);
  const inBracket = /(?:^|,)\s*version\s*=\s*(?:"([^"]*)"|'([^']*)'|([^,\s]+))/.exec(bracket);
  const version = inBracket?.[1] ?? inBracket?.[2] ?? inBracket?.[3];
  list.add(
    name,
    exact?.[1] ? withVariant(exact[1], exact[2]) : rest.replaceAll(/\s+/g, '') || version || anyVersion,
  );
}
