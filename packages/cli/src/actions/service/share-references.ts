// Shares a snapshot or a comparison: what is not on the server yet is stored there first.

import type { ComparableEnvironment } from '@envsnap/compare/workspace';
import type { EnvSnap } from '@envsnap/sdk';
import type { PairSide } from '../comparison/compare-references.ts';
import { snapshotIds } from '../references/id-spaces.ts';
import { resolveId } from '../references/resolve-id.ts';
import { resolveSnapshot, type SnapshotSources } from '../references/resolve-snapshot.ts';
import { isStored } from '../references/snapshot-reference.ts';

/** A share, and what was stored for it. */
export interface MadeShare {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: string;
  /** The sides that were not on the server: as they were written, and their ids there. */
  readonly stored: readonly { readonly reference: string; readonly id: string }[];
}

/** Makes the share of one side, or of two. Exit code 4 when a reference names nothing. */
export async function shareReferences(
  client: EnvSnap,
  sides: readonly PairSide[],
  { sources, expiresIn }: { readonly sources: SnapshotSources; readonly expiresIn: number },
): Promise<MadeShare> {
  const stored: MadeShare['stored'][number][] = [];
  const idOf = async ({ text, reference }: PairSide): Promise<string> => {
    if (reference.kind === 'id') return resolveId(reference.text, snapshotIds(client));
    const environment = await resolveSnapshot(reference, sources);
    if (isStored(reference)) return environment.id as string;
    const { id } = await client.snapshots.create(contentOf(environment));
    stored.push({ reference: text, id });
    return id;
  };
  // One after the other, as they were written: a side that cannot be found stops the rest.
  const ids: string[] = [];
  for (const side of sides) ids.push(await idOf(side));
  const [a = '', b] = ids;
  const made = await client.shares.create(
    b === undefined
      ? { kind: 'snapshot', snapshotId: a, expiresIn }
      : { kind: 'comparison', a, b, expiresIn },
  );
  return { ...made, stored };
}

function contentOf(environment: ComparableEnvironment) {
  const { machineName, os, arch, runtimeVersions, dependencies, envVars, metadata } = environment;
  return { machineName, os, arch, runtimeVersions, dependencies, envVars, metadata };
}
