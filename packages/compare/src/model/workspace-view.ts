// Reduces a snapshot to one package of a workspace: its own files, and those in folders above that govern it.

import { recordOf } from '@envsnap/shared/plain-object';
import type { ComparableEnvironment } from './model.ts';

/** A snapshot with only what belongs to the package in `folder` (relative to the snapshot's root, with `/`). Lock files
 * in folders above stay whole, because one lock file governs all packages below it. */
export function workspaceView<T extends ComparableEnvironment>(environment: T, folder: string): T {
  const keeps = (file: string): boolean => {
    const slash = file.lastIndexOf('/');
    const above = slash < 0 ? '' : file.slice(0, slash);
    return (
      file.startsWith('/') ||
      above === '' ||
      `${folder}/`.startsWith(`${above}/`) ||
      file.startsWith(`${folder}/`)
    );
  };
  const only = <V>(files: Readonly<Record<string, V>>): Record<string, V> =>
    Object.fromEntries(Object.entries(files).filter(([file]) => keeps(file)));
  const metadata = { ...environment.metadata };
  for (const name of ['installed', 'sources', 'contents', 'direct'] as const) {
    if (metadata[name] !== undefined) metadata[name] = only(recordOf(metadata[name]));
  }
  for (const name of ['notInstalled', 'withoutDevelopment'] as const) {
    const files = metadata[name];
    if (Array.isArray(files))
      metadata[name] = files.filter((file) => typeof file === 'string' && keeps(file));
  }
  if (metadata.checkout !== undefined) metadata.checkout = checkoutOf(recordOf(metadata.checkout), only);
  metadata.project = { ...recordOf(metadata.project), workspace: folder };
  return { ...environment, dependencies: only(environment.dependencies ?? {}), metadata };
}

function checkoutOf(
  checkout: Record<string, unknown>,
  only: <V>(files: Readonly<Record<string, V>>) => Record<string, V>,
): Record<string, unknown> {
  const files = only(recordOf(recordOf(checkout.changed).files));
  const { untracked: _, ...rest } = checkout;
  return { ...rest, changed: { count: Object.keys(files).length, files } };
}
