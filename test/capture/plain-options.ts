// Options of an ordinary capture.

import type { CaptureOptions } from '../../packages/capture/src/capture-types.ts';

/** All options of a capture except its folder. */
export const plainOptions = {
  envValues: 'safe',
  envInclude: [],
  envExclude: [],
  manifests: false,
  metadata: {},
  toolVersion: '1.0.0',
} satisfies Omit<CaptureOptions, 'folder'>;
