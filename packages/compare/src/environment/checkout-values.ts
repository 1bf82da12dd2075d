// Reads the changes of a work tree for the section `checkout` as text: `changed/src/index.js`, `branch`.

import { field, recordOf, type StringMap, textEntriesOf, textItemsOf } from '@envsnap/shared/plain-object';

/** The most that a capture records. Each is searched for in every line of a failure's output. */
const mostIgnored = 200;

/** `namesIgnored`: every file that git ignores is among the values. */
export function repositoryIn({ git, checkout }: Readonly<Record<string, unknown>>) {
  const ignored = field(checkout, 'ignored');
  const named = textEntriesOf(field(ignored, 'files')).length;
  return {
    isPresent: git !== undefined,
    isRead: checkout !== undefined,
    namesIgnored: field(ignored, 'count') === named && named <= mostIgnored,
  };
}

/** Undefined if nothing was read. A folder outside of a repository still has outputs and a place. */
export function checkoutValues(metadata: Readonly<Record<string, unknown>>): StringMap | undefined {
  const { checkout, git, project } = metadata;
  if (checkout === undefined && field(project, 'root') === undefined) return undefined;
  const changed = field(checkout, 'changed');
  const [count, files] = [field(changed, 'count'), field(changed, 'files')];
  const unnamed = typeof count === 'number' ? count - Object.keys(recordOf(files)).length : 0;
  const [untracked, tags, operation] = ['untracked', 'tags', 'operation'].map((name) =>
    field(checkout, name),
  );
  const named = (subject: string, values: unknown) =>
    textEntriesOf(values).map(([name, value]): [string, string] => [`${subject}/${name}`, value]);
  return Object.fromEntries([
    ...named('changed', files),
    ...named('ignored', field(field(checkout, 'ignored'), 'files')).slice(0, mostIgnored),
    ...named('submodule', field(checkout, 'submodules')),
    ...named('output', field(project, 'outputs')),
    ...named('above', field(project, 'above')),
    ...textItemsOf(field(field(checkout, 'pointers'), 'files')).map((name) => [
      `pointer/${name}`,
      'not fetched',
    ]),
    ...(unnamed > 0 ? [['changed', String(unnamed)]] : []),
    ...textEntriesOf(git).filter(([name]) => name === 'commit' || name === 'branch'),
    ...(typeof untracked === 'number' ? [['untracked', String(untracked)]] : []),
    ...['sparse', 'shallow'].filter((name) => field(checkout, name) === true).map((name) => [name, 'yes']),
    ...(typeof tags === 'boolean' ? [['tags', tags ? 'present' : 'none']] : []),
    ...(typeof operation === 'string' ? [['operation', operation]] : []),
  ]);
}
