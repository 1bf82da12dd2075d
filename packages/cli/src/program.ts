// The program's name, its version, and the arrangement of its commands: oclif's settings.

import type { Worker } from 'node:worker_threads';

declare const ENVSNAP_VERSION: string | undefined;

export const version = typeof ENVSNAP_VERSION === 'string' ? ENVSNAP_VERSION : '0.0.0';

/** How the program was packed; set once, at its start. */
let packed: { readonly buildId: () => string; readonly captureThread?: () => Worker } = {
  buildId: () => version,
};

export function rememberPacking(how: typeof packed): void {
  packed = how;
}

/** A thread that waits for a capture request; undefined if the program is a single file. */
export function captureThread(): Worker | undefined {
  return packed.captureThread?.();
}

/** Identifies the build, because builds of one version differ in a checkout. The version if unknown. */
export function buildId(): string {
  try {
    return packed.buildId();
  } catch {
    return version;
  }
}

export const packageDescription = {
  name: 'envsnap',
  version,
  description: "Capture a machine's environment and compare it with another.",
  type: 'module',
  oclif: {
    bin: 'envsnap',
    topicSeparator: ' ',
    topics: {
      file: { description: 'Upload, list, download and delete files.' },
      key: { description: 'Create, list and revoke API keys of the project.' },
      profile: { description: 'Saved servers and keys: list, switch, remove.' },
      project: { description: 'Create, list, show, change and delete projects.' },
      share: { description: 'Create, list and delete pages that open without a key.' },
      snapshot: { description: 'List, show, export and delete stored snapshots.' },
      team: { description: 'Invite members, change their role, remove them.' },
      usage: { description: 'Show what the project holds, and its request history.' },
      webhook: { description: 'Subscribe URLs to events, test them, receive events here.' },
    },
  },
};
