// envsnap init

import { basename } from 'node:path';
import { visible } from '@envsnap/shared/text/visible';
import { boolean, string } from '@oclif/core/flags';
import { BaseCommand } from '../base-command.ts';
import { checkConfigWritable, checkProfileName, configFile, readProfiles } from '../connection/config.ts';
import { defaultBaseUrl, requireApiKey, requireBaseUrl } from '../connection/settings.ts';
import type { InitResult } from '../documents/machine-documents.ts';
import { CliError, exitCodes, missingFlag } from '../errors/cli-error.ts';
import { describeError } from '../errors/error-report.ts';
import { type Field, renderDone } from '../render/layout/table.ts';
import { wrapWords } from '../render/layout/wrap-words.ts';
import { readSecretFromStdin } from '../terminal/stdin.ts';

const needsNone =
  'You need a server only to keep and share snapshots: run, check, compare, why and bisect work without one.';

export default class Init extends BaseCommand {
  static override summary = 'Connect to a server: create a project, or enter a key. Saves both as a profile.';
  static override description =
    'Creates a project on the server, or saves a key that you were given. Asks for whatever the flags do not give.\n' +
    `${needsNone}\n` +
    'The key is stored in your config file, which only you can read.';
  static override examples = [
    'envsnap init',
    'envsnap init --base-url http://127.0.0.1:4780 --project-name shop',
    'envsnap init --agent',
    'pass show envsnap | envsnap init --base-url https://envsnap.example.com --api-key-stdin',
  ];
  static override flags = {
    'base-url': string({
      summary: `Address of the server [variable: ENVSNAP_BASE_URL; default: ${defaultBaseUrl}].`,
      helpValue: 'URL',
    }),
    'project-name': string({ summary: 'Create a project with this name.', helpValue: 'NAME' }),
    description: string({
      summary: 'Description of the new project.',
      helpValue: 'TEXT',
      dependsOn: ['project-name'],
    }),
    'bootstrap-token-stdin': boolean({
      summary:
        'Read the bootstrap token, which some servers require, from standard input [variable: ENVSNAP_BOOTSTRAP_TOKEN].',
      exclusive: ['api-key-stdin'],
    }),
    'api-key-stdin': boolean({
      summary: 'Save an existing key, read from standard input [variable: ENVSNAP_API_KEY].',
      exclusive: ['project-name'],
    }),
    profile: string({
      summary: 'Name of the profile [variable: ENVSNAP_PROFILE; default: default].',
      helpValue: 'NAME',
    }),
    force: boolean({ summary: 'Replace a profile of that name.' }),
    agent: boolean({
      summary: 'Write the skill for coding agents into the project instead; needs no server.',
      exclusive: ['base-url', 'project-name', 'api-key-stdin', 'profile', 'force'],
    }),
  };

  override async run(): Promise<(InitResult & { configFile: string }) | { written: string[] }> {
    const { flags } = await this.parse(Init);
    if (flags.agent) return this.writeSkill();
    const profile = checkProfileName(flags.profile ?? (process.env.ENVSNAP_PROFILE || 'default'));
    await this.checkReplacement(profile, flags.force);
    const baseUrl = await this.baseUrl(flags['base-url']);
    const source = await this.keySource(flags, baseUrl);
    // A key that cannot be saved would be lost, so check before the server makes one.
    await checkConfigWritable();
    const { adoptKey, bootstrapProfile } = await import('../connection/client.ts');
    const result =
      'apiKey' in source
        ? await adoptKey(profile, baseUrl, source.apiKey)
        : await bootstrapProfile(profile, {
            ...source,
            baseUrl,
            description: flags.description,
            bootstrapToken: flags['bootstrap-token-stdin']
              ? await readSecretFromStdin('--bootstrap-token-stdin', 'bootstrap token')
              : process.env.ENVSNAP_BOOTSTRAP_TOKEN || undefined,
          });
    const message = `${result.created ? 'Created project' : 'Saved a key of project'} ${this.screen.paint('bold', visible(result.projectName))}`;
    const fields: Field[] = [
      ['server', result.baseUrl],
      ['project', result.projectId],
      ['role', result.role],
      ['profile', result.profile],
      ['saved in', configFile()],
    ];
    const next = `Next: ${this.screen.paint('cyan', 'envsnap capture')} stores a snapshot of this machine.`;
    this.print(renderDone(message, fields, this.screen, next));
    return { ...result, configFile: configFile() };
  }

  private async writeSkill(): Promise<{ written: string[] }> {
    const { writeSkill } = await import('../agents/skill.ts');
    const written = await writeSkill('.');
    this.print(`Wrote ${written.join(', ')}.\nAn agent that uses MCP starts the server with: envsnap mcp\n`);
    return { written };
  }

  private async baseUrl(flag: string | undefined): Promise<string> {
    const address = flag ?? (process.env.ENVSNAP_BASE_URL || undefined);
    const source = flag === undefined ? 'ENVSNAP_BASE_URL' : '--base-url';
    const { probeServer } = await import('../connection/client.ts');
    if (address !== undefined || !this.canAsk) {
      const baseUrl = requireBaseUrl(address ?? defaultBaseUrl, source);
      this.warnOfConnection(baseUrl);
      await probeServer(baseUrl);
      return baseUrl;
    }
    this.note(needsNone);
    const { askText } = await import('../terminal/prompt.ts');
    const check = (value: string) =>
      reasonAgainst(async () => probeServer(requireBaseUrl(value, 'The address')));
    const answer = await askText('Address of the server', { default: defaultBaseUrl, check });
    const baseUrl = requireBaseUrl(answer, 'address');
    this.warnOfConnection(baseUrl);
    return baseUrl;
  }

  /** The source of the key: an existing key, or a new project. */
  private async keySource(
    flags: { 'project-name'?: string | undefined; 'api-key-stdin': boolean },
    baseUrl: string,
  ): Promise<{ apiKey: string } | { projectName: string }> {
    const { 'project-name': named, 'api-key-stdin': isPiped } = flags;
    if (named !== undefined) return { projectName: named };
    const { ENVSNAP_API_KEY: inVariable } = process.env;
    if (isPiped)
      return {
        apiKey: requireApiKey(await readSecretFromStdin('--api-key-stdin', 'API key'), 'standard input'),
      };
    if (inVariable) return { apiKey: requireApiKey(inVariable, 'ENVSNAP_API_KEY') };
    if (!this.canAsk) {
      const meaning = 'give a name to create a project, or --api-key-stdin to save an existing key';
      throw missingFlag('--project-name', meaning, true);
    }
    const { askChoice, askSecret, askText } = await import('../terminal/prompt.ts');
    const choice = await askChoice('Project', [
      { value: 'new', name: 'Create a project' },
      { value: 'existing', name: 'I have an API key' },
    ]);
    if (choice === 'new') {
      const check = (value: string): true | string => value.trim() !== '' || 'A project needs a name.';
      return {
        projectName: await askText('Name of the project', { default: basename(process.cwd()), check }),
      };
    }
    const { createClient } = await import('../connection/client.ts');
    // Asked again until the server takes it, so that a mistyped key costs one line.
    const check = (value: string) =>
      reasonAgainst(async () =>
        createClient({ baseUrl, apiKey: requireApiKey(value, 'The answer') }).keys.current(),
      );
    return { apiKey: requireApiKey(await askSecret('API key', { check }), 'the answer') };
  }

  private async checkReplacement(profile: string, force: boolean): Promise<void> {
    const existing = (await readProfiles()).byName.get(profile);
    if (!existing || force) return;
    const problem = `profile "${profile}" exists (${visible(existing.projectName)} on ${existing.baseUrl})`;
    if (!this.canAsk) {
      throw new CliError(problem, {
        code: 'profile_exists',
        hint: 'Give another name with --profile, or --force to replace it, which deletes its key.',
      });
    }
    const { askYes } = await import('../terminal/prompt.ts');
    if (!(await askYes(`${problem}. Replace it and delete its key?`))) {
      throw new CliError('nothing was done', {
        code: 'declined',
        exitCode: exitCodes.interrupted,
        hint: 'Give another name with --profile.',
      });
    }
  }
}

/** The failure of `attempt` in one line, so that the person can type something else; true if it succeeded. */
async function reasonAgainst(attempt: () => Promise<unknown>): Promise<true | string> {
  try {
    await attempt();
    return true;
  } catch (error) {
    const { message, hint } = describeError(error, { command: 'init' });
    const sentence = /[.?!]$/.test(message) ? message : `${message}.`;
    // The prompt puts a mark and a space before it, and would break the line within a word.
    const width = (process.stderr.columns ?? Number.POSITIVE_INFINITY) - 2;
    return wrapWords(visible(hint ? `${sentence} ${hint}` : message), width).join('\n');
  }
}
