// The public surface of the capture.

export { CaptureError, type CaptureErrorCode, type CaptureRequest, capture } from './capture-folder.ts';
export type * from './capture-types.ts';
export { type InstalledState, readInstalled } from './installed/read-installed.ts';
export { findProjectRoot } from './project/find-project-root.ts';
export { findCheckout } from './system/find-checkout.ts';
export { createSystem, type MachineView } from './system/node-system.ts';
export { ProcessViewError, parseEnvironment, viewProcess } from './system/process-view.ts';
export type { System } from './system/system.ts';
export { parseCtrf } from './tests/ctrf.ts';
export { parseJunit } from './tests/junit.ts';
export { type TestCase, type TestReport, testsOfRun } from './tests/test-cases.ts';
export type { FingerprintKey } from './variables/secret-fingerprint.ts';
export type { CaptureWarning } from './warning.ts';
export { type OutcomeOfRun, type TestsOfRun, withOutcome } from './with-outcome.ts';
