// Parts of the comparison that envsnap's own programs use besides the public surface. They may change with any release.

export { type Cause, isInOutput, type Place, placesOf } from './causes/cause.ts';
export { rankCauses } from './causes/causes.ts';
export { causeWithoutHosts, hostHider, withoutHosts } from './causes/hide-hosts.ts';
export { type Repair, repairStep } from './causes/repair.ts';
export { searchWeight } from './causes/score.ts';
export { type SideNames, sideNames } from './causes/side-names.ts';
export { withoutTerminalHints } from './causes/terminal-hints.ts';
export * from './compare-environments.ts';
export { type Environment, environmentOf, type Reading } from './environment/environment.ts';
export { kindOf } from './environment/kind.ts';
export type { LockedPackage } from './environment/locked-package.ts';
export { type ExportFormat, exportFormats } from './export/export-formats.ts';
export { type Claim, claimOf } from './failure/claims.ts';
export { unusualSettings } from './failure/ordinary-machine.ts';
export { type Failure, failureBounds, readFailure } from './failure/read-failure.ts';
export { splitChanged } from './formats/entry-text.ts';
export { type MatrixRow, matrixRows } from './machines/matrix-rows.ts';
export { unreadFilesLine } from './model/capture-gaps.ts';
export { type CheckoutFinding, checkoutFindings, checkoutPlace } from './model/compare-checkout.ts';
export { copySample, fileOfSample } from './model/dotenv-sample.ts';
export * from './model/find-differences.ts';
export {
  activationLine,
  commandFor,
  developmentKey,
  firstInstallOf,
  type InstalledFinding,
  installedFindings,
  leftOutFindings,
  type NotInstalledFinding,
  notInstalledFindings,
  otherDeclarations,
  otherPython,
  type UnmetDeclaration,
  unmetDeclarations,
} from './model/installed-findings.ts';
export * from './model/model.ts';
export { withNamesOf } from './model/names-of-other-side.ts';
export type { ProjectNeeds } from './model/needs.ts';
export { nameList } from './model/ordered-list.ts';
export { workspaceView } from './model/workspace-view.ts';
export {
  type AcceptedDifferences,
  acceptanceFinder,
  expiryNotesOf,
  type Shown,
} from './policy/accepted.ts';
export * from './policy/check-policy.ts';
export * from './policy/fail-on.ts';
export { ignoreTest, PatternError, patternTest } from './policy/ignore-patterns.ts';
export type { Acceptance } from './policy/policy.ts';
export * from './policy/policy.ts';
export type { LoadedPolicy } from './policy/policy-file.ts';
export { type PresetName, presetNames, presetRules } from './policy/presets.ts';
export * from './report/expectations.ts';
export * from './report/report.ts';
export * from './report/view.ts';
