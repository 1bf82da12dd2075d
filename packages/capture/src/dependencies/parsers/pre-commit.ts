// pre-commit: the repositories of hooks and their revisions.

import { itemsOf, textField } from '@envsnap/shared/plain-object';
import type { PackageList } from '../package-list.ts';
import type { ParseContext } from '../parse-context.ts';
import { parseYamlMap } from '../text/yaml.ts';

/** .pre-commit-config.yaml: repositories under their address with the revision; hooks of the project itself have none. */
export function parsePreCommit(text: string, list: PackageList, context: ParseContext): void {
  const config = parseYamlMap(text);
  for (const item of itemsOf(config, 'repos')) {
    const repository = textField(item, 'repo');
    const revision = textField(item, 'rev');
    if (repository === 'local' || repository === 'meta') continue;
    if (repository && revision) list.add(repository, revision);
    else context.warn('one of its repositories has no address or no revision');
  }
}
