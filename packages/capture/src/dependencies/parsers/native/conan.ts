// Conan (C and C++): conan.lock of versions 1 and 2, conanfile.txt.

import { entriesOf, field, isPlainObject, itemsOf, textField } from '@envsnap/shared/plain-object';
import type { PackageList } from '../../package-list.ts';
import type { ParseContext } from '../../parse-context.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { parseJsonObject } from '../../text/json.ts';
import { forEachLine } from '../../text/lines.ts';

/** conan.lock: required packages, those for building and in Python included. */
export function parseConanLock(text: string, list: PackageList, context: ParseContext): void {
  const lock = parseJsonObject(text);
  const add = (reference: string) => {
    // `name/version@user/channel#revision%timestamp`
    const match = /^([^/@#%\s]+)\/([^/@#%\s]+)(?:[@#%:].*)?$/s.exec(reference);
    if (match) list.add(match[1] as string, match[2] as string);
    else context.warn('one of its references is not `name/version`');
  };
  const graph = field(lock, 'graph_lock');
  const lists = ['requires', 'build_requires', 'python_requires', 'config_requires'];
  if (isPlainObject(graph)) {
    for (const [, node] of entriesOf(graph, 'nodes')) {
      const reference = textField(node, 'ref') ?? textField(node, 'pref');
      // The consumer's own recipe has a path.
      if (reference && textField(node, 'path') === undefined) add(reference);
    }
  } else if (!lists.some((name) => Array.isArray(field(lock, name)))) {
    throw new ParseProblem('it has neither `graph_lock` nor `requires`');
  }
  for (const name of lists) for (const item of itemsOf(lock, name)) if (typeof item === 'string') add(item);
}

const requireSections = new Set(['requires', 'build_requires', 'tool_requires', 'test_requires']);

/** conanfile.txt: requirements; a range (`[>=1.0 <2]`) as it is written, without its brackets. */
export function parseConanfile(text: string, list: PackageList, context: ParseContext): void {
  let section = '';
  forEachLine(text, (line, number) => {
    const content = line.replace(/(^|\s)#.*$/s, '').trim();
    const header = /^\[(\w+)\]$/.exec(content);
    if (header) section = header[1] as string;
    else if (content !== '' && requireSections.has(section)) {
      const match = /^([^/@#\s]+)\/(?:\[([^\]]+)\]|([^/@#%\s]+))/.exec(content);
      // Options follow a range: `[~1.2, include_prerelease=True]`.
      const range = match?.[2]?.replace(/,\s*\w+\s*=.*$/s, '');
      if (match) list.add(match[1] as string, range ?? (match[3] as string));
      else context.warn('a requirement is not `name/version`', number);
    }
  });
}
