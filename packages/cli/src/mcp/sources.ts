// Where the tools for agents read from: as the commands do, but nothing is written, not even what would make the next capture
// faster.

import { captureMachine } from '../actions/capture-machine.ts';
import { projectFolder } from '../actions/project-folder.ts';
import { ownFingerprintKey, projectFingerprintKey } from '../connection/fingerprint-key.ts';
import { captureProcess } from '../references/capture-process.ts';
import type { SnapshotStore } from '../runs/snapshot-store.ts';
import type { AgentSources } from './answers.ts';

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

/** The key of what is stored; none is made, and none is remembered. */
async function keyOf(open: () => Promise<SnapshotStore>, stored: boolean) {
  const own = ownFingerprintKey();
  if (own.fingerprintKey || !stored) return own;
  const store = await open();
  if ('client' in store) return projectFingerprintKey(store.client);
  const [run] = store.local.list();
  return run ? { fingerprintKey: store.local.fingerprintKey() } : {};
}
