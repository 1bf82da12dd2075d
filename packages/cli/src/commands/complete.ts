// envsnap complete: what the completion scripts ask, once a Tab.

import { visible } from '@envsnap/shared/text/visible';
import { completeWords, type LookedUp, type Suggestion } from '../actions/completion/complete-words.ts';
import { BaseCommand } from '../base-command.ts';
import { readProfiles } from '../connection/config.ts';
import { findConnection } from '../connection/settings.ts';

export default class Complete extends BaseCommand {
  static override summary = 'Print possible completions, for the completion scripts.';
  static override hidden = true;
  static override strict = false;

  /** One candidate a line, its description after a tab; `:paths` where names of files fit too. */
  override async run(): Promise<{ candidates: readonly { text: string; description: string }[] }> {
    // The words are somebody's half-typed command line: nothing of them is a flag of this command.
    const at = this.argv.indexOf('--');
    const words = this.argv.slice(at + 1);
    if (this.argv.slice(0, Math.max(at, 0)).includes('new-word')) words.push('');
    const completion = completeWords(this.config.commands, this.config.topics, words);
    const found = completion.lookUp ? await lookUpNames(completion.lookUp, words) : [];
    const candidates = [
      ...completion.candidates,
      ...found
        .filter(({ text }) => text.startsWith(completion.typed))
        .map(({ text, description }) => ({ text: `${completion.prefix}${text}`, description })),
    ];
    for (const { text, description } of candidates)
      this.printAsIs(visible(text) + (description ? `\t${visible(description)}` : ''));
    if (completion.paths) this.printAsIs(':paths');
    return { candidates };
  }
}

/** Longest wait for the server, in milliseconds: whoever presses Tab does not wait longer. */
const timeoutMs = 1500;
const maxNames = 50;

/** Looks names up with the connection that the words being typed would use. */
async function lookUpNames(what: LookedUp, words: readonly string[]): Promise<Suggestion[]> {
  try {
    if (what === 'profiles') return await profileNames();
    return await namesOfServer(what, words);
  } catch {
    return [];
  }
}

async function profileNames(): Promise<Suggestion[]> {
  const { byName } = await readProfiles();
  return [...byName].map(([text, { projectName, baseUrl }]) => ({
    text,
    description: `${projectName} on ${baseUrl}`,
  }));
}

async function namesOfServer(what: Exclude<LookedUp, 'profiles'>, words: readonly string[]) {
  const connection = await findConnection({
    'base-url': valueAfter(words, '--base-url'),
    profile: valueAfter(words, '--profile'),
  });
  if (!connection) return [];
  const { EnvSnap } = await import('@envsnap/sdk');
  const { baseUrl, apiKey } = connection;
  const client = new EnvSnap({ baseUrl, apiKey, retries: 0, timeoutMs });
  if (what === 'files') {
    const { files } = await client.files.list({ limit: maxNames });
    return files.map(({ id, filename }) => ({ text: id.slice(0, 8), description: filename }));
  }
  if (what === 'webhooks') {
    const { webhooks } = await client.webhooks.list();
    return webhooks.map(({ id, url }) => ({ text: id.slice(0, 8), description: url }));
  }
  if (what === 'projects') {
    const { projects } = await client.projects.list();
    return projects.map(({ id, name }) => ({ text: id, description: name }));
  }
  if (what === 'keys') {
    const { keys } = await client.keys.list();
    return keys.map(({ id, label, role }) => ({
      text: id.slice(0, 8),
      description: `${label ?? 'no label'}, ${role}`,
    }));
  }
  if (what === 'members') {
    const projectId = valueAfter(words, '--project') ?? (await client.keys.current()).projectId;
    const { members } = await client.team.list(projectId);
    return members.map(({ id, keyLabel, role }) => ({
      text: id.slice(0, 8),
      description: `${keyLabel ?? 'no label'}, ${role}`,
    }));
  }
  if (what === 'machines' || what === 'references') {
    const { machines } = await client.snapshots.machines({ limit: maxNames });
    const names = machines.map(({ machineName }) => machineName);
    if (what === 'machines') return names.map((text) => ({ text, description: '' }));
    return [
      ...names.map((name) => ({ text: `latest:${name}`, description: 'its newest snapshot' })),
      ...(await snapshotIds()),
    ];
  }
  return snapshotIds();

  async function snapshotIds(): Promise<Suggestion[]> {
    const { snapshots } = await client.snapshots.list({ limit: maxNames });
    return snapshots.map(({ id, machineName, createdAt }) => ({
      text: id.slice(0, 8),
      description: `${machineName}, ${createdAt.slice(0, 16).replace('T', ' ')}`,
    }));
  }
}

function valueAfter(words: readonly string[], flag: string): string | undefined {
  const at = words.indexOf(flag);
  if (at >= 0) return words[at + 1];
  return words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}
