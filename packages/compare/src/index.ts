// The public surface of the comparison. Policies, formats, exports and the diagnosis have separate entry points, so
// that each is loaded only when it is used. workspace.ts has everything else that envsnap's programs need.

export type { SectionName } from '@envsnap/shared/address';
export type { Cause, Place } from './causes/cause.ts';
export type { Repair, RepairKind } from './causes/repair.ts';
export {
  type Comparer,
  type ComparisonRules,
  compareEnvironments,
  createComparer,
} from './compare-environments.ts';
export { type Failure, readFailure } from './failure/read-failure.ts';
export type {
  ComparableEnvironment,
  ComparisonNote,
  Entry,
  EnvironmentComparison,
} from './model/model.ts';
export { EnvironmentError, parseEnvironment } from './model/parse-environment.ts';
export { PatternError } from './policy/ignore-patterns.ts';
export type { LoadedPolicy } from './policy/policy-file.ts';
export { type PresetName, presetNames } from './policy/presets.ts';
export {
  adviceOf,
  type ComparisonReport,
  headlineOf,
  topCauses,
  type Verdict,
} from './report/report.ts';
