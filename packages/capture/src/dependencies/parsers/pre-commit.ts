// pre-commit: the repositories of hooks and their revisions.

import { createPackageList, type PackageList } from '../package-list.ts';
import type { ParseContext } from '../parser.ts';
import { listItems, parseYamlMap, textKey } from '../text/yaml.ts';

/** .pre-commit-config.yaml: repositories under their address with the revision; hooks of the project itself have none. */
export function parsePreCommit(text: string, context: ParseContext): PackageList {
  const config = parseYamlMap(text);
  const list = createPackageList();
  for (const item of listItems(config, 'repos')) {
    const repository = textKey(item, 'repo');
    const revision = textKey(item, 'rev');
    if (repository === 'local' || repository === 'meta') continue;
    if (repository && revision) list.add(repository, revision);
    else context.warn('one of its repositories has no address or no revision');
  }
  return list;
}
