// Checks this machine against the policy, the versions that the project declares and its lock files: no server, nothing sent, no
// value of a variable kept.

import {
  acceptanceFinder,
  type ComparableEnvironment,
  checkoutFindings,
  checkPolicy,
  expiryNotesOf,
  type InstalledFinding,
  installedFindings,
  notInstalledFindings,
  type Shown,
  shownBy,
  type UnmetDeclaration,
  unmetDeclarations,
} from '@envsnap/compare/workspace';
import type { MachineCheck } from '../../documents/machine-documents.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { captureMachine } from '../capture-machine.ts';
import type { ProjectFolder } from '../project-folder.ts';
import type { FoundPolicy } from './load-policy.ts';

/** A check, and what it looked at beside the policy. */
interface CheckedMachine {
  readonly check: MachineCheck;
  /** Lock files whose packages on disk were looked at. */
  readonly examined: readonly string[];
  /** Whether anything says what is expected here: a policy, a declared version, a lock file, a commit. */
  readonly expects: boolean;
}

/** Captures the folder and checks it against whatever says what to expect. */
export async function checkMachine(
  { folder, workspace }: ProjectFolder,
  policy: FoundPolicy | undefined,
): Promise<CheckedMachine> {
  // With the values as they are, expectations of secrets can be checked too; they are dropped with the capture.
  const captured = await captureMachine({
    dir: folder,
    envValues: policy === undefined ? 'none' : 'all',
    ...(workspace !== undefined && { workspace }),
  });
  const check = checkSnapshot(captured.snapshot, policy);
  const { examined, declared } = captured.report;
  const found = examined.length + declared.length + check.notInstalled.length + check.checkout.length;
  return { check, examined, expects: policy !== undefined || found > 0 };
}

/** Checks what was captured. */
export function checkSnapshot(
  snapshot: ComparableEnvironment,
  policy: FoundPolicy | undefined,
): MachineCheck {
  const accepted = policy?.loaded.policy.accepted;
  const acceptanceOf = acceptanceFinder(accepted);
  const [checks, drifted, misfits] = interruptible(() => [
    policy === undefined ? [] : checkPolicy(policy.loaded, snapshot),
    installedFindings(snapshot),
    unmetDeclarations(snapshot),
  ]);
  const installed = drifted.filter((finding) => !acceptanceOf(shownInstalled(finding)));
  const declared = misfits.filter((misfit) => !acceptanceOf(shownDeclared(misfit)));
  const failing = [
    ...installed.map(shownInstalled),
    ...declared.filter(({ present }) => present !== null).map(shownDeclared),
    ...checks.filter(({ outcome }) => outcome === 'violated').map(shownBy),
  ];
  return {
    policy: policy?.loaded.file ?? null,
    machineName: snapshot.machineName,
    os: snapshot.os ?? '',
    arch: snapshot.arch ?? '',
    passed: failing.length === 0,
    checks,
    declared,
    installed,
    notInstalled: notInstalledFindings(snapshot),
    checkout: checkoutFindings(snapshot),
    accepted:
      drifted.length -
      installed.length +
      (misfits.length - declared.length) +
      checks.filter(({ outcome }) => outcome === 'accepted').length,
    notes: expiryNotesOf(failing, accepted),
  };
}

/** What acceptances of installed packages and of declared versions name. */
function shownInstalled({ file, name, installed }: InstalledFinding): Shown {
  return [{ section: 'installed', key: `${file}/${name}`, name }, installed];
}

function shownDeclared({ key, requirement }: UnmetDeclaration): Shown {
  return [{ section: 'toolchain', key }, requirement];
}
