// envsnap project …, and the state of a project: envsnap status

import type { EnvSnap } from '@envsnap/sdk';
import type { MachineHealth, ProjectHealth, RunHealth } from '@envsnap/shared';
import { counted, size } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import { string as argument } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import { checkConfigWritable, checkProfileName, readProfiles, saveProfile } from '../connection/config.ts';
import { CliError, missingFlag } from '../errors/cli-error.ts';
import { yesFlag } from '../flags.ts';
import { type Cell, renderFields, renderRows, when } from '../render/layout/table.ts';
import type { LocalHealth } from '../runs/snapshot-store.ts';
import type { Screen } from '../terminal/terminal.ts';
import { renderNewKey } from './keys-and-members.ts';
import { serviceCommand } from './service-command.ts';

const projectArgument = argument({ description: "Id of the project; by default the key's own." });

export const projectCommands = {
  'project:list': serviceCommand({
    summary: 'List the projects that the key has access to.',
    ask: async ({ client }) => (await client()).projects.list(),
    show: ({ projects }, screen) =>
      renderRows(screen, projects, [
        ['ID', (project) => project.id],
        ['NAME', (project) => project.name, { shrinks: true }],
        ['DESCRIPTION', (project) => project.description ?? '', { shrinks: true, drops: 1 }],
        ['YOUR ROLE', (project) => project.role],
        ['MADE', (project) => when(project.createdAt, screen), { drops: 2 }],
      ]),
  }),
  'project:show': serviceCommand({
    summary: 'Show a project with its counts.',
    args: { id: projectArgument },
    async ask({ args, project }) {
      const { client, projectId } = await project(args.id);
      return client.projects.get(projectId);
    },
    show: (project, screen) =>
      renderFields(
        [
          ['id', project.id],
          ['name', project.name],
          ['description', project.description ?? ''],
          ['your role', project.role],
          ['snapshots', String(project.counts.snapshots)],
          ['files', String(project.counts.files)],
          ['members', String(project.counts.members)],
          ['made', when(project.createdAt, screen)],
          ['changed', when(project.updatedAt, screen)],
        ],
        screen,
      ),
  }),
  'project:create': serviceCommand({
    summary: 'Create another project on the same server, with its own owner key.',
    examples: ['envsnap project create "Web shop" --save-profile shop'],
    args: { name: argument({ required: true, description: 'Name of the project.' }) },
    flags: {
      description: string({ summary: 'Description of the project.', helpValue: 'TEXT' }),
      'save-profile': string({
        summary: 'Save the new key as this profile, instead of printing it.',
        helpValue: 'NAME',
      }),
    },
    async ask({ args, flags, command }) {
      const profile = flags['save-profile'];
      if (profile !== undefined) await checkNewProfile(profile);
      const { baseUrl, ...connection } = await command.connection(flags);
      const client = await command.clientOf({ baseUrl, ...connection });
      const made = await client.projects.create({ name: args.name, description: flags.description ?? null });
      const { apiKey, ...rest } = made;
      const { projectId, name: projectName } = made;
      if (profile === undefined) {
        const title = `Created project ${projectName} (${projectId})`;
        command.print(renderNewKey(title, { ...made, role: 'owner' }, command.screen));
        return { id: projectId, ...made };
      }
      await saveProfile(profile, { baseUrl, apiKey, projectId, projectName });
      command.print(
        `Created project ${visible(projectName)} (${projectId}). Its key is saved as profile ${profile}, the current one now.`,
      );
      return { id: projectId, ...rest, profile };
    },
  }),
  'project:delete': serviceCommand({
    summary: 'Delete a project and everything in it, permanently.',
    description:
      'Deletes snapshots, files, keys, members, webhooks and logs, and destroys the key that encrypted them.',
    args: { id: argument({ required: true, description: 'Id of the project.' }) },
    flags: yesFlag,
    async ask({ args: { id }, flags, client: connect, command }) {
      const client = await connect();
      if (!flags.yes) await command.confirm(command.canAsk ? await questionAbout(client, id) : '', false);
      const { message } = await client.projects.delete(id);
      return { id, deleted: id, message };
    },
    show: ({ message }) => visible(message),
  }),
  'project:update': serviceCommand({
    summary: 'Change the name or description of a project.',
    args: { id: projectArgument },
    flags: {
      name: string({ summary: 'New name.', helpValue: 'NAME' }),
      description: string({ summary: 'New description; "" removes it.', helpValue: 'TEXT' }),
    },
    async ask({ args, flags: { name, description }, project }) {
      if (name === undefined && description === undefined) {
        throw missingFlag('--name or --description', 'one of them is needed');
      }
      const { client, projectId: id } = await project(args.id);
      await client.projects.update(id, { name, description: description === '' ? null : description });
      return { id, updated: id };
    },
    show: ({ id }) => `Changed project ${visible(id)}.`,
  }),
};

export const statusCommand = {
  status: serviceCommand({
    summary: 'Show the state of the project: failing runs, changed machines, quotas, failing webhooks.',
    description:
      'Without a server, it shows the runs of the project on this machine. The state of a machine is "changed" if its last two snapshots differ in something that counts, and "departs" if its newest snapshot fails the policy in it.',
    async ask({ store }): Promise<Health> {
      const { storedHealth } = await import('../runs/snapshot-store.ts');
      return storedHealth(await store());
    },
    show: renderStatus,
  }),
};

async function checkNewProfile(profile: string): Promise<void> {
  const { byName } = await readProfiles();
  if (byName.has(checkProfileName(profile)))
    throw new CliError(`profile "${profile}" exists`, { code: 'profile_exists', hint: 'Give another name.' });
  await checkConfigWritable();
}

async function questionAbout(client: EnvSnap, id: string): Promise<string> {
  const { name, counts } = await client.projects.get(id);
  const inside = (['snapshot', 'file', 'member'] as const).map((noun) => counted(counts[`${noun}s`], noun));
  return `Delete project "${visible(name)}" with ${inside.join(', ')}, permanently?`;
}

/** Share of a quota from which `status` mentions it. */
const nearlyFull = 0.8;

type Health = ProjectHealth | LocalHealth;

function renderStatus(health: Health, screen: Screen): string {
  const { machines, runs, machineCount } = health;
  if (machines.length === 0 && runs.length === 0)
    return isLocal(health)
      ? 'No run of this project is recorded here yet. envsnap run -- COMMAND records one, and envsnap init connects to the server of your team.\n'
      : 'Nothing is stored yet. envsnap capture stores a snapshot of this machine, and envsnap run records a command and its result.\n';
  const omitted = machineCount - machines.length;
  const more =
    omitted > 0 ? `${counted(omitted, 'machine')} more, captured longer ago: envsnap matrix\n` : '';
  return [...attention(health, screen), renderRuns(runs, screen), renderMachines(machines, screen) + more]
    .filter((part) => part !== '')
    .join('\n');
}

const quotaLabels: Readonly<
  Record<keyof ProjectHealth['quotas'], readonly [label: string, show: (amount: number) => string]>
> = {
  snapshots: ['Snapshots', String],
  runs: ['Runs', String],
  files: ['Files', String],
  storageBytes: ['Storage for files', size],
  snapshotBytes: ['Storage for snapshots', size],
};

function isLocal({ quotas }: Health): boolean {
  return !('snapshots' in quotas);
}

function attention({ quotas, webhooks }: Health, screen: Screen): string[] {
  const full = Object.entries(quotas).flatMap(([name, { used, max }]) => {
    // A new run replaces the oldest one.
    if (name === 'runs' || used < max * nearlyFull) return [];
    const [label, show] = quotaLabels[name as keyof typeof quotas];
    return `${label}: ${show(used)} of ${show(max)} used.`;
  });
  const failing =
    webhooks.failing > 0 ? `${counted(webhooks.failing, 'webhook')} failing: envsnap webhook list.` : [];
  const lines = [full, failing].flat();
  return lines.length === 0 ? [] : [lines.map((line) => `${screen.paint('yellow', '!')} ${line}\n`).join('')];
}

function renderRuns(runs: readonly RunHealth[], screen: Screen): string {
  if (runs.length === 0) return '';
  const causes = runs.map((run) => causeLine(run.of, causeOfRun(run)));
  const table = renderRows(screen, runs, [
    ['RUNS', ({ of }) => of, { shrinks: true }],
    [
      'LAST',
      (run) =>
        run.last
          .slice(0, 12)
          .reverse()
          .map(({ result }) => (result === 'passed' ? '.' : 'x'))
          .join(''),
      { drops: 2 },
    ],
    ['STATE', (run) => stateOfRun(run, screen)],
    ['WHEN', ({ last }) => when(last[0]?.createdAt ?? '', screen), { drops: 1 }],
  ]);
  return table + causes.join('');
}

/** Beneath the table: a column has no room for a sentence. */
function causeLine(name: string, cause: string | undefined): string {
  return cause ? `${visible(name)}: ${visible(cause)}.\n` : '';
}

function causeOfRun({ cause, failingSince, lastPassedId }: RunHealth): string {
  if (cause) return `${cause.what}; ${cause.advice}`;
  return failingSince !== null && lastPassedId === null
    ? 'no run of it has passed yet; envsnap check says what this machine lacks'
    : '';
}

function stateOfRun({ failingSince, failedRuns }: RunHealth, screen: Screen): Cell {
  if (failingSince === null) return { text: 'passes', style: 'green' };
  return { text: `fails since ${when(failingSince, screen)}, ${counted(failedRuns, 'run')}`, style: 'red' };
}

const stateStyles = { steady: 'green', changed: 'yellow', departs: 'red' } as const;

function renderMachines(machines: readonly MachineHealth[], screen: Screen): string {
  if (machines.length === 0) return '';
  const causes = machines.map(({ machineName, cause }) => causeLine(machineName, cause?.what));
  const table = renderRows(screen, machines, [
    ['MACHINE', ({ machineName }) => machineName, { shrinks: true }],
    ['STATE', ({ state }) => ({ text: state, style: stateStyles[state] })],
    [
      'COUNTING',
      ({ counting }) => (counting === null ? '?' : String(counting)),
      { align: 'right', drops: 2 },
    ],
    ['CAPTURED', ({ createdAt }) => when(createdAt, screen), { drops: 1 }],
  ]);
  return table + causes.join('');
}
