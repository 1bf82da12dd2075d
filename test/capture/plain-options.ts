// Options of a capture that asks for nothing special.

import type { CaptureOptions } from '../../packages/capture/src/capture-types.ts';

/** All that a capture needs but its folder. */
export const plainOptions = {
  envValues: 'safe',
  envInclude: [],
  envExclude: [],
  manifests: false,
  metadata: {},
  toolVersion: '1.0.0',
} satisfies Omit<CaptureOptions, 'folder'>;
