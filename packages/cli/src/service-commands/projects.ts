// envsnap project …, but for those that make and delete projects; and how a project is: envsnap status, envsnap usage …

import type { Project, ProjectWithCounts } from '@envsnap/shared';
import { visible } from '@envsnap/shared/text/visible';
import { string as argument } from '@oclif/core/args';
import { option, string } from '@oclif/core/flags';
import { missingFlag } from '../errors/cli-error.ts';
import { renderFields, renderRows, when } from '../render/layout/table.ts';
import { renderStatus } from '../render/service/status.ts';
import { renderRequestHistory, renderUsage } from '../render/service/usage.ts';
import type { Screen } from '../terminal/terminal.ts';
import { serviceCommand } from './service-command.ts';

const projectArgument = argument({ description: 'Id of the project; by default the one of the key.' });

export const projectCommands = {
  'project:list': serviceCommand({
    summary: 'List the projects that the key has access to.',
    ask: async ({ client }) => (await client()).projects.list(),
    show: ({ projects }, screen) => renderProjects(projects, screen),
  }),
  'project:show': serviceCommand({
    summary: 'Show a project with its counts.',
    args: { id: projectArgument },
    async ask({ args, project }) {
      const { client, projectId } = await project(args.id);
      return client.projects.get(projectId);
    },
    show: renderProject,
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
        throw missingFlag('--name or --description', 'there is nothing to change');
      }
      const { client, projectId: id } = await project(args.id);
      await client.projects.update(id, {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description: description === '' ? null : description }),
      });
      return { id, updated: id };
    },
    show: ({ id }) => `Changed project ${visible(id)}.`,
  }),
};

export const usageCommands = {
  status: serviceCommand({
    summary: 'Show how the project is: runs that fail, machines that changed, quotas, failing webhooks.',
    description:
      'A machine "departs" where its newest snapshot fails the policy that it carries, and "changed" where something that counts differs from the snapshot before.',
    ask: async ({ client }) => (await client()).health.get(),
    show: renderStatus,
  }),
  usage: serviceCommand({
    summary: 'Show what the project holds and what it may hold.',
    ask: async ({ client }) => (await client()).usage.get(),
    show: renderUsage,
  }),
  'usage:requests': serviceCommand({
    summary: 'Show how many requests the project made, by period and endpoint.',
    examples: ['envsnap usage requests --period hour --from 2026-02-01'],
    flags: {
      period: option({
        options: ['hour', 'day', 'week', 'month'] as const,
        default: 'day' as const,
        summary: 'Length of a period (UTC).',
      })(),
      from: string({ summary: 'Start (ISO 8601); by default 30 days before the end.', helpValue: 'TIME' }),
      to: string({ summary: 'End (ISO 8601); by default now.', helpValue: 'TIME' }),
    },
    async ask({ flags: { period, from, to }, client }) {
      return (await client()).usage.history({ period, from, to });
    },
    show: renderRequestHistory,
  }),
};

/** Renders a list of projects. */
function renderProjects(projects: readonly Project[], screen: Screen): string {
  return renderRows(screen, projects, [
    ['ID', (project) => project.id],
    ['NAME', (project) => project.name, { shrinks: true }],
    ['DESCRIPTION', (project) => project.description ?? '', { shrinks: true, drops: 1 }],
    ['YOUR ROLE', (project) => project.role],
    ['MADE', (project) => when(project.createdAt, screen), { drops: 2 }],
  ]);
}

/** Renders a project. */
function renderProject(project: ProjectWithCounts, screen: Screen): string {
  return renderFields(
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
  );
}
