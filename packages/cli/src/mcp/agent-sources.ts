// Where the answers for agents get environments from: this machine, its processes, and what is stored.

import { captureMachine, projectFolder } from '../actions/capture-machine.ts';
import type { SnapshotSources } from '../actions/references/resolve-snapshot.ts';
import { ownFingerprintKey, projectFingerprintKey } from '../connection/fingerprint-key.ts';
import { captureProcess } from '../references/capture-process.ts';
import type { SnapshotStore } from '../runs/snapshot-store.ts';

export interface AgentSources {
  readonly store: () => Promise<SnapshotStore>;
  /** Sources of sides; `stored` says whether this machine is compared with what is stored. */
  readonly sources: (stored: boolean) => SnapshotSources;
  /** The connection flags, for planned commands. */
  readonly flags: readonly string[];
}

/** The sources over a store, and the flags that led to it. */
export function agentSources(store: () => Promise<SnapshotStore>, flags: readonly string[]): AgentSources {
  const here = async () => (await projectFolder({ dir: undefined, workspace: undefined })).folder;
  return {
    store,
    flags,
    sources: (stored) => ({
      store,
      captureLocal: async () => {
        const request = { dir: await here(), ...(await keyOf(store, stored)) };
        return (await captureMachine(request, { kind: 'own' })).snapshot;
      },
      captureProcess: async (reference) => {
        const where = reference.kind === 'shell' ? await here() : undefined;
        return (await captureProcess(reference, await keyOf(store, stored), where)).snapshot;
      },
    }),
  };
}

/** The key of the stored runs. It is neither created nor stored here. */
async function keyOf(open: () => Promise<SnapshotStore>, stored: boolean) {
  const own = ownFingerprintKey();
  if (own.fingerprintKey || !stored) return own;
  const store = await open();
  if ('client' in store) return projectFingerprintKey(store.client);
  const [run] = store.local.list();
  return run ? { fingerprintKey: store.local.fingerprintKey() } : {};
}

/** The project's root relative to the working folder; undefined if that folder is the root. */
export async function projectAbove(): Promise<string | undefined> {
  return (await projectFolder({ dir: undefined, workspace: undefined })).found;
}
