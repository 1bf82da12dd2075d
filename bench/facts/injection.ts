// The differences of injections.yaml, which says what each field means, as commands of a shell.

import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { z } from 'zod';

/** One difference that is made on purpose, and the keys of the comparison that show it. */
export interface Injection {
  readonly name: string;
  readonly seen: readonly string[];
  readonly also?: readonly string[];
  readonly setup?: string;
  readonly namespaces?: readonly string[];
  readonly run?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const text = z.string();
const words = z.union([z.array(text), text.transform((line) => line.split(' '))]);

const rowSchema = z.strictObject({
  name: text.optional(),
  seen: z.union([z.array(text), text.transform((key) => [key])]),
  also: z.array(text).default([]),
  setup: z
    .union([text, z.array(text).transform((parts) => parts.map((part) => part.trim()).join('; '))])
    .optional(),
  over: text.optional(),
  inProject: text.optional(),
  file: text.optional(),
  add: text.optional(),
  replace: text.optional(),
  by: text.optional(),
  run: words.optional(),
  env: z.record(text, text).optional(),
  unshare: words.optional(),
});
type Row = z.infer<typeof rowSchema>;

/** Other things that may differ if the project was changed. */
const besideProject = [
  'checkout:untracked',
  'checkout:changed/*',
  'dependencies:*',
  'installed:package-lock.json/own',
];

function setupOf({ setup, over, inProject, file, add, replace, by }: Row): string | undefined {
  if (inProject !== undefined) return `cd "$PROJECT"; ${inProject}`;
  if (file !== undefined) return `mkdir -p "$(dirname "${file}")"; printf '%s\\n' '${add}' >>"${file}"`;
  if (replace !== undefined) return `${by} >"$WORK/file"; mount --bind "$WORK/file" ${replace}`;
  if (over === undefined) return setup;
  return `mkdir -p "$WORK/upper" "$WORK/work"; mount -t overlay overlay -o lowerdir=${over},upperdir="$WORK/upper",workdir="$WORK/work" ${over}; ${setup}`;
}

function injectionOf(row: Row): Injection {
  const { name = `${row.file}: ${row.add?.replaceAll('\n', ' ').slice(0, 40)}`, seen, run, env } = row;
  const setup = setupOf(row);
  const also = [...(row.inProject === undefined ? [] : besideProject), ...row.also];
  return {
    name,
    seen,
    ...(also.length > 0 && { also }),
    ...(setup !== undefined && { setup }),
    ...(run && { run }),
    ...(env && { env }),
    ...(row.unshare && { namespaces: row.unshare }),
  };
}

const { repetitions: repeated = [], ...sets } = z
  .record(text, z.array(rowSchema))
  .parse(load(readFileSync(new URL('injections.yaml', import.meta.url), 'utf8')));

/** Changes that happen on every machine: another boot, session or time. None of them may show as a difference. */
export const repetitions = repeated.map(injectionOf);

/** The sets of differences by name. */
export const injectionSets = Object.entries(sets).map(([name, rows]) => ({
  name,
  injections: rows.map(injectionOf),
}));
