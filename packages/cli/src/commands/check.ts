// envsnap check

import { boolean, option, string } from '@oclif/core/flags';
import { checkMachine } from '../actions/comparison/check-machine.ts';
import { loadPolicy } from '../actions/comparison/load-policy.ts';
import { projectFolder } from '../actions/project-folder.ts';
import { BaseCommand } from '../base-command.ts';
import type { MachineCheck } from '../documents/machine-documents.ts';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { folderFlags } from '../flags.ts';
import { renderAgentCheck } from '../render/comparison/agent.ts';
import { renderCheck, renderCheckForGithub } from '../render/comparison/check.ts';
import { withProgress } from '../terminal/progress.ts';

export default class Check extends BaseCommand {
  static override summary =
    'Check this machine against the project: its policy, declared versions and lock files, without a server.';
  static override description =
    'Reads .envsnap.yaml in the folder or above it, up to the root of the repository, the versions that .nvmrc, engines, ' +
    '.tool-versions and their like declare, and the lock files. Nothing is sent anywhere. ' +
    'The exit code is 1 when an expectation is not met, a version does not fit, a package is not as locked, or the ' +
    'checkout lacks what the commit has (content of Git LFS, submodules). What the ' +
    'policy accepts does not fail.';
  static override examples = ['envsnap check', 'envsnap check --dir services/api --format github'];
  static override flags = {
    ...folderFlags,
    policy: string({ summary: 'Policy file; by default the nearest .envsnap.yaml.', helpValue: 'FILE' }),
    format: option({
      options: ['table', 'github', 'agent'] as const,
      default: 'table' as const,
      summary: 'Format; github prints annotations, agent a short text for a coding agent.',
    })(),
    all: boolean({ summary: 'Also show expectations that are met.' }),
    quiet: boolean({ char: 'q', summary: 'Print nothing; only set the exit code.' }),
  };

  override async run(): Promise<MachineCheck> {
    const { flags } = await this.parse(Check);
    const policy = await loadPolicy(flags.dir ?? '.', flags.policy, { optional: false });
    const project = await projectFolder(flags);
    const { check, expects } = await withProgress('Checking this machine', () =>
      checkMachine(project, policy),
    );
    if (!expects) throw nothingExpected();
    if (!check.passed) this.endWith(exitCodes.different);
    if (!flags.quiet) {
      if (flags.format === 'github') this.printAsIs(renderCheckForGithub(check));
      else if (flags.format === 'agent') this.printAsIs(renderAgentCheck(check));
      else this.print(renderCheck(check, this.screen, { all: flags.all, found: project.found }));
    }
    return check;
  }
}

function nothingExpected(): CliError {
  return new CliError(
    'nothing here says what to expect: no .envsnap.yaml, no declared version, no lock file',
    {
      code: 'no_policy',
      hint: 'Write a policy (docs/policy.md), for example:\n  expect:\n    runtimes:\n      node: ">=22 <25"\n  required: [DATABASE_URL]',
    },
  );
}
