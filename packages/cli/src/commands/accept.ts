// envsnap accept

import { statSync } from 'node:fs';
import path from 'node:path';
import { isDay } from '@envsnap/compare/policy';
import { type Acceptance, environmentOf, ignoreTest, PatternError } from '@envsnap/compare/workspace';
import { sectionNames, sectionOf } from '@envsnap/shared/address';
import { factNames, isFactName } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { toolNames } from '@envsnap/shared/catalogue/tools';
import { nearestName } from '@envsnap/shared/text/nearest-name';
import { shellWord, visible } from '@envsnap/shared/text/visible';
import { string as stringArg } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import { captureMachine } from '../actions/capture-machine.ts';
import { acceptInPolicy } from '../actions/comparison/accept-in-policy.ts';
import { findPolicyFile, policyInput } from '../actions/comparison/load-policy.ts';
import { readInputFile } from '../actions/documents/read-input-file.ts';
import { writeDocument } from '../actions/documents/write-document.ts';
import { BaseCommand } from '../base-command.ts';
import type { AcceptResult } from '../documents/machine-documents.ts';
import { CliError } from '../errors/cli-error.ts';
import { workTreeOf } from '../runs/find-program.ts';

export default class Accept extends BaseCommand {
  static override summary = 'Accept a known difference, so that it no longer counts.';
  static override description =
    'Adds an entry to "accepted" in .envsnap.yaml and leaves the rest of the file as it is, comments included. If the key is ' +
    'already accepted, its entry gets the new reason and date, and keeps its "a" and "b". After the day of --until, the ' +
    'difference counts again. Needs no server.';
  static override usage = 'accept KEY --reason TEXT [FLAGS]';
  static override examples = [
    'envsnap accept env:LOG_LEVEL --reason "each of us logs as they like"',
    'envsnap accept runtimes:node --reason "CI moves in March" --until 2027-03-31',
  ];
  static override args = {
    key: stringArg({
      description: 'SECTION:PATTERN, SECTION or PATTERN, as for --ignore.',
      ignoreStdin: true,
    }),
  };
  static override flags = {
    reason: string({
      summary: 'Why the difference is acceptable; a terminal asks for it.',
      helpValue: 'TEXT',
    }),
    until: string({ summary: 'Last day of the acceptance, in UTC.', helpValue: 'YYYY-MM-DD' }),
    dir: string({ summary: 'Folder of the policy to change.', default: '.', helpValue: 'FOLDER' }),
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
        hint: `For example: envsnap accept ${key === undefined ? 'env:LOG_LEVEL' : shellWord(key)} --reason "why it is known and harmless"`,
      });
    const reason = flags.reason ?? (await askReason(key));
    const acceptance = { key, reason, until: flags.until };
    const result = await acceptDifference(acceptance, flags.dir, flags.policy);
    const { accepted, policy, replaced } = result;
    const until = accepted.until === null ? '' : ` until ${accepted.until}`;
    this.print(
      `${replaced ? 'Changed' : 'Accepted'}: ${visible(accepted.key)}${until}, in ${visible(policy)}.\n`,
    );
    return result;
  }
}

async function askReason(key: string): Promise<string> {
  const { askText } = await import('../terminal/prompt.ts');
  const check = (text: string) => text.trim() !== '' || 'Say why the difference is known and harmless.';
  return askText(`Why is ${visible(key)} known and harmless?`, { check });
}

async function acceptDifference(
  acceptance: Acceptance,
  folder: string,
  file: string | undefined,
  now = new Date(),
): Promise<AcceptResult> {
  checkAcceptance(acceptance, now);
  const found =
    file ??
    findPolicyFile(path.resolve(folder)) ??
    path.join(workTreeOf(folder) ?? path.resolve(folder), '.envsnap.yaml');
  const target = path.resolve(found);
  const near = await nearestHere(acceptance.key, folder);
  if (near !== undefined)
    throw new CliError(`Nothing on this machine has the key "${acceptance.key}"`, {
      code: 'usage',
      hint: `Write SECTION:KEY, for example ${near}.`,
    });
  const name = path.relative(process.cwd(), target) || target;
  const exists = statSync(target, { throwIfNoEntry: false }) !== undefined;
  const text = exists ? await readInputFile(target, policyInput) : '';
  const { source, replaced } = acceptInPolicy(text, acceptance, name);
  await writeDocument(target, source, statSync(target, { throwIfNoEntry: false })?.mode ?? 0o644);
  const { key, reason, until = null } = acceptance;
  return { policy: name, accepted: { key, reason, until }, replaced };
}

function checkAcceptance({ key, reason, until }: Acceptance, now: Date): void {
  const usage = (message: string, hint: string) => new CliError(message, { code: 'usage', hint });
  try {
    ignoreTest([key]);
  } catch (error) {
    if (error instanceof PatternError) throw usage(error.message, 'For example: env:LOG_LEVEL.');
    throw error;
  }
  const instead = formInstead(key);
  if (instead !== undefined)
    // The part after "=" may be a secret.
    throw usage(
      `No comparison has the key "${key.replace(/=.*/su, '=…')}"`,
      `Write SECTION:KEY, for example ${instead}. Sections: ${sectionNames.join(', ')}.`,
    );
  if (reason.trim() === '') throw usage('--reason is empty', 'Say why the difference is known and harmless.');
  if (until === undefined) return;
  if (!isDay(until))
    throw usage(`--until "${until}" is not a date`, 'Write it as YYYY-MM-DD, for example 2027-01-31.');
  if (until < now.toISOString().slice(0, 10))
    throw usage(`--until ${until} is in the past`, 'Give a date in the future.');
}

/** A suggestion for a key that no entry of a comparison can have; undefined for a key that can match. */
function formInstead(key: string): string | undefined {
  const written = key.trim();
  const dotted = sectionNames.find((each) => written.startsWith(`${each}.`));
  if (written === `${dotted}.`) return `${dotted}:*`;
  const [, section, name = written] =
    dotted === undefined
      ? (/^([a-z]+):(.*)$/su.exec(written) ?? [])
      : [written, dotted, written.slice(dotted.length + 1)];
  // Each of these two sections has one entry, with the section's name.
  if ((section === 'os' || section === 'arch') && name !== section && !/[*?[{]/.test(name)) return section;
  if (section === 'facts' && !/[*?[{]/.test(name) && !isFactName(name))
    return `facts:${factNames.find((fact) => fact.endsWith(`.${name}`)) ?? 'process.umask'}`;
  const assigned = name.indexOf('=');
  if ((section === undefined || section === 'env') && assigned > 0) return `env:${name.slice(0, assigned)}`;
  return undefined;
}

/** The entry of this machine that a name without a section probably means; undefined if it has a section, or resembles none. */
async function nearestHere(key: string, folder: string): Promise<string | undefined> {
  if (!/^[\w@-][\w@/-]*$/.test(key) || sectionOf(key) !== undefined) return undefined;
  const { snapshot } = await captureMachine({ dir: path.resolve(folder) });
  const { runtimes, variables, system, dependencies, project } = environmentOf(snapshot);
  const sections = {
    dependencies: Object.values(dependencies).flatMap((each) => Object.keys(each)),
    system: Object.keys(system),
    env: [...Object.keys(variables), ...project.variables.map(([name]) => name)],
    runtimes: [...Object.keys(runtimes), ...toolNames],
  };
  const known = new Map(
    Object.entries(sections).flatMap(([section, names]) => names.map((name) => [name, `${section}:${name}`])),
  );
  return known.has(key) ? undefined : known.get(nearestName(key, [...known.keys()]) ?? '');
}
