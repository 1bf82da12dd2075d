// Projects: the list, and one with its counts.

import type { Project, ProjectWithCounts } from '@envsnap/shared';
import type { Screen } from '../../terminal/terminal.ts';
import { renderFields, renderTable } from '../layout/table.ts';
import { when } from '../layout/time.ts';

/** Renders a list of projects. */
export function renderProjects(projects: readonly Project[], screen: Screen): string {
  return renderTable(
    [
      { header: 'ID' },
      { header: 'NAME', shrinks: true },
      { header: 'DESCRIPTION', shrinks: true, drops: 1 },
      { header: 'YOUR ROLE' },
      { header: 'MADE', drops: 2 },
    ],
    projects.map((project) => [
      project.id,
      project.name,
      project.description ?? '',
      project.role,
      when(project.createdAt, screen),
    ]),
    screen,
  );
}

/** Renders a project. */
export function renderProject(project: ProjectWithCounts, screen: Screen): string {
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
