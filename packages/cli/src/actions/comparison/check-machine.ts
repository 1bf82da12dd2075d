// Holds this machine against the policy alone: no server, nothing sent, no value of a variable kept.

import {
  checkoutFindings,
  checkPolicy,
  installedFindings,
  notInstalledFindings,
  workspaceView,
} from '@envsnap/compare/workspace';
import type { MachineCheck } from '../../documents/machine-documents.ts';
import { CliError } from '../../errors/cli-error.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { runReadInstalled } from '../../threads/capture-jobs.ts';
import { captureMachine } from '../capture-machine.ts';
import type { ProjectFolder } from '../project-folder.ts';
import type { FoundPolicy } from './load-policy.ts';

/** Captures the folder and checks every expectation. Exit code 2 when neither a policy nor a lock file says what is expected. */
export async function checkMachine(
  project: ProjectFolder,
  policy: FoundPolicy | undefined,
): Promise<MachineCheck> {
  const { folder, workspace } = project;
  if (!policy) {
    const alone = await checkInstalledAlone(project);
    if (alone) return alone;
    throw new CliError('there is no .envsnap.yaml in this folder or above it', {
      code: 'no_policy',
      hint: 'Write one (docs/policy.md), for example:\n  expect:\n    runtimes:\n      node: ">=22 <25"\n  required: [DATABASE_URL]',
    });
  }
  // With the values as they are, expectations of secrets can be checked too; they are dropped with the capture.
  const { snapshot } = await captureMachine({
    dir: folder,
    envValues: 'all',
    ...(workspace !== undefined && { workspace }),
  });
  const checks = interruptible(() => checkPolicy(policy.loaded, snapshot));
  const installed = interruptible(() => installedFindings(snapshot));
  return {
    policy: policy.loaded.file,
    machineName: snapshot.machineName,
    os: snapshot.os,
    arch: snapshot.arch,
    passed: installed.length === 0 && checks.every((check) => check.outcome !== 'violated'),
    checks,
    installed,
    notInstalled: notInstalledFindings(snapshot),
    checkout: checkoutFindings(snapshot),
  };
}

/** Lock files state what is expected too, without any policy. Undefined where there is none to hold the folder against. */
async function checkInstalledAlone({ folder, workspace }: ProjectFolder): Promise<MachineCheck | undefined> {
  const { machine, examined, ...state } = await runReadInstalled(folder);
  const { hostName, platform, arch } = machine;
  const whole = { machineName: hostName, ...state };
  const environment = workspace === undefined ? whole : workspaceView(whole, workspace);
  const installed = installedFindings(environment);
  const notInstalled = notInstalledFindings(environment);
  const checkout = checkoutFindings(environment);
  if (examined.length + notInstalled.length + checkout.length === 0) return undefined;
  return {
    policy: null,
    machineName: hostName,
    os: platform,
    arch,
    passed: installed.length === 0,
    checks: [],
    installed,
    notInstalled,
    checkout,
  };
}
