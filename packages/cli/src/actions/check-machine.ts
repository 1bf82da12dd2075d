// Holds this machine against the policy alone: no server, nothing sent, no value of a variable kept.

import { checkPolicy, type PolicyCheck } from '@envsnap/compare';
import { CliError } from '../errors/cli-error.ts';
import { captureMachine } from './capture-machine.ts';
import type { FoundPolicy } from './load-policy.ts';

/** What `check` found; as `--json` shows it. */
export interface MachineCheck {
  readonly policy: string;
  readonly machineName: string;
  readonly os: string;
  readonly arch: string;
  readonly passed: boolean;
  readonly checks: readonly PolicyCheck[];
}

/** Captures the folder and checks every expectation. Exit code 2 without a policy. */
export async function checkMachine(folder: string, policy: FoundPolicy | undefined): Promise<MachineCheck> {
  if (!policy) {
    throw new CliError('there is no .envsnap.yaml in this folder or above it', {
      code: 'no_policy',
      hint: 'Write one (docs/policy.md), for example:\n  expect:\n    runtimes:\n      node: ">=22 <25"\n  required: [DATABASE_URL]',
    });
  }
  // With the values as they are, expectations of secrets can be checked too; they are dropped with the capture.
  const { snapshot } = await captureMachine({ dir: folder, envValues: 'all' });
  const checks = checkPolicy(policy.loaded, snapshot);
  return {
    policy: policy.loaded.file,
    machineName: snapshot.machineName,
    os: snapshot.os,
    arch: snapshot.arch,
    passed: checks.every((check) => check.outcome !== 'violated'),
    checks,
  };
}
