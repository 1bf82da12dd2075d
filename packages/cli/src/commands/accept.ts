// envsnap accept

import { shellWord, visible } from '@envsnap/shared/text/visible';
import { string as stringArg } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import { acceptDifference } from '../actions/comparison/accept-difference.ts';
import { BaseCommand } from '../base-command.ts';
import type { AcceptResult } from '../documents/machine-documents.ts';
import { CliError } from '../errors/cli-error.ts';

export default class Accept extends BaseCommand {
  static override summary = 'Accept a known difference, so that it no longer counts.';
  static override description =
    'Adds to "accepted" in .envsnap.yaml and keeps everything else of the file, its comments too. An entry of the same key ' +
    'gets the new reason and day; what it says of "a" and "b" stays. With --until the difference counts again after that ' +
    'day. Needs no server.';
  static override usage = 'accept KEY --reason TEXT [FLAGS]';
  static override examples = [
    'envsnap accept env:LOG_LEVEL --reason "each of us logs as they like"',
    'envsnap accept runtimes:node --reason "CI moves in March" --until 2027-03-31',
  ];
  static override args = {
    key: stringArg({
      description: 'SECTION:PATTERN, SECTION or PATTERN, as --ignore takes it.',
      ignoreStdin: true,
    }),
  };
  static override flags = {
    reason: string({ summary: 'Why it is accepted; asked for at a terminal.', helpValue: 'TEXT' }),
    until: string({ summary: 'Last day on which the acceptance holds, in UTC.', helpValue: 'YYYY-MM-DD' }),
    dir: string({ summary: 'Folder whose policy is changed.', default: '.', helpValue: 'FOLDER' }),
    policy: string({ summary: 'Policy file; by default the nearest .envsnap.yaml.', helpValue: 'FILE' }),
  };

  override async run(): Promise<AcceptResult> {
    const { args, flags } = await this.parse(Accept);
    const { key } = args;
    const missing = [
      ...(key === undefined ? ['KEY'] : []),
      ...(flags.reason === undefined && !this.canAsk ? ['--reason'] : []),
    ];
    if (key === undefined || missing.length > 0)
      throw new CliError(`${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing`, {
        code: 'missing_flag',
        hint: `For example: envsnap accept ${key === undefined ? 'env:LOG_LEVEL' : shellWord(key)} --reason "each of us logs as they like"`,
      });
    const reason = flags.reason ?? (await askReason(key));
    const acceptance = { key, reason, until: flags.until };
    const result = await acceptDifference(acceptance, flags.dir, flags.policy);
    const { accepted, policy, replaced } = result;
    const until = accepted.until === null ? '' : ` until ${accepted.until}`;
    this.print(`${replaced ? 'Changed' : 'Accepted'}: ${accepted.key}${until}, in ${policy}.\n`);
    return result;
  }
}

async function askReason(key: string): Promise<string> {
  const { askText } = await import('../terminal/prompt.ts');
  const check = (text: string) => text.trim() !== '' || 'Say why the difference is known and harmless.';
  return askText(`Why is ${visible(key)} known and harmless?`, { check });
}
