// The public surface of the capture. The command line imports more from `@envsnap/capture/workspace/…`.

export { CaptureError, type CaptureErrorCode, type CaptureRequest, capture } from './capture-folder.ts';
export type * from './capture-types.ts';
export { type OutcomeOfRun, type TestsOfRun, withOutcome } from './outcome-metadata.ts';
export type { System } from './system/system.ts';
export type { FingerprintKey } from './variables/secret-fingerprint.ts';
export type { CaptureWarning } from './warning.ts';
