// Scala: build.sbt.lock (sbt-dependency-lock).

import { field, itemsOf, textField } from '@envsnap/shared/plain-object';
import type { PackageList } from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { parseJsonObject } from '../../text/json.ts';

/** build.sbt.lock: modules under `organisation:name`. */
export function parseSbtLock(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  if (!Array.isArray(field(lock, 'dependencies'))) throw new ParseProblem('it has no list of `dependencies`');
  for (const entry of itemsOf(lock, 'dependencies')) {
    const [org, name, version] = ['org', 'name', 'version'].map((key) => textField(entry, key));
    if (!org || !name || !version)
      throw new ParseProblem('one of its dependencies lacks org, name or version');
    list.add(`${org}:${name}`, version);
  }
}
