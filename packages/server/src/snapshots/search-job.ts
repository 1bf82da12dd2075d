// Searches the newest snapshots of machines for names of tools, packages and variables.

import type { SearchHit, SearchResults } from '@envsnap/console/stored';
import { printAddress } from '@envsnap/shared/address';
import { readStored, type StoredJob } from './snapshot-rows.ts';

export interface SearchInput {
  /** Text to find in names, ignoring case; the empty text finds all tools and variables. */
  readonly q: string;
  readonly heads: readonly { readonly id: string; readonly machineName: string }[];
}

/** The result without the machines by name, which the database finds. */
export type SearchAnswer = Pick<SearchResults, 'tools' | 'packages' | 'variables' | 'isCut'>;

/** Maximum number of names of a kind, and of machines of a version, to show. */
const mostHits = 50;
const mostMachines = 20;
const mostKept = 1000;

type Found = Map<string, Map<string | null, string[]>>;

export const searchSnapshots: StoredJob<SearchInput, SearchAnswer> = async ({ q, heads }, ask) => {
  const query = q.toLowerCase();
  const tools: Found = new Map();
  const packages: Found = new Map();
  const variables: Found = new Map();
  let isCut = false;
  const note = (found: Found, key: string, version: string | null, machineName: string) => {
    if (!found.has(key) && found.size >= mostKept) {
      isCut = true;
      return;
    }
    const versions = found.get(key) ?? new Map<string | null, string[]>();
    found.set(key, versions);
    const machines = versions.get(version) ?? [];
    versions.set(version, machines);
    machines.push(machineName);
  };
  const columns = [
    'runtime_versions',
    'env_names',
    ...(query === '' ? [] : (['dependencies'] as const)),
  ] as const;
  const ids = heads.map(({ id }) => id);
  for await (const [place, row] of readStored(ask, ids, columns)) {
    if (!row) continue;
    const { machineName } = heads[place] as SearchInput['heads'][number];
    // Most snapshots do not contain the text, which is found out without parsing them.
    const holds = (json: string) => json.toLowerCase().includes(JSON.stringify(query).slice(1, -1));
    const matches = (name: string) => name.toLowerCase().includes(query);
    if (holds(row.runtime_versions))
      for (const [name, version] of Object.entries(
        JSON.parse(row.runtime_versions) as Record<string, string>,
      ))
        if (matches(name)) note(tools, printAddress({ section: 'runtimes', name }), version, machineName);
    if (holds(row.env_names))
      for (const name of JSON.parse(row.env_names) as string[])
        if (matches(name)) note(variables, printAddress({ section: 'env', name }), null, machineName);
    if (query === '' || !holds(row.dependencies)) continue;
    const files = JSON.parse(row.dependencies) as Record<string, Record<string, string>>;
    for (const [file, versions] of Object.entries(files))
      for (const [name, version] of Object.entries(versions))
        if (matches(name))
          note(
            packages,
            printAddress({ section: 'dependencies', name: `${file}/${name}` }),
            version,
            machineName,
          );
  }
  const [toolHits, packageHits, variableHits] = [tools, packages, variables].map((found) =>
    hitsOf(found, query),
  );
  return {
    tools: toolHits as SearchHit[],
    packages: packageHits as SearchHit[],
    variables: variableHits as SearchHit[],
    isCut: isCut || [tools, packages, variables].some(({ size }) => size > mostHits),
  };
};

function hitsOf(found: Found, wanted: string): SearchHit[] {
  const nameOf = (key: string) => key.slice(key.search(/[.:]/) + 1).toLowerCase();
  return [...found]
    .sort(
      ([x], [y]) =>
        Number(nameOf(y).startsWith(wanted)) - Number(nameOf(x).startsWith(wanted)) ||
        x.length - y.length ||
        (x < y ? -1 : 1),
    )
    .slice(0, mostHits)
    .map(([key, versions]) => ({
      key,
      versions: [...versions].slice(0, mostMachines).map(([version, machines]) => ({
        version,
        machines: machines.slice(0, mostMachines),
        count: machines.length,
      })),
    }));
}
