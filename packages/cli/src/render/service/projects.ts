// Projects: the list, and one with its counts.

import type { Project, ProjectWithCounts } from '@envsnap/shared';
import type { Screen } from '../../terminal/terminal.ts';
import { renderFields, renderRows } from '../layout/table.ts';
import { when } from '../layout/time.ts';

/** Renders a list of projects. */
export function renderProjects(projects: readonly Project[], screen: Screen): string {
  return renderRows(screen, projects, [
    ['ID', (project) => project.id],
    ['NAME', (project) => project.name, { shrinks: true }],
    ['DESCRIPTION', (project) => project.description ?? '', { shrinks: true, drops: 1 }],
    ['YOUR ROLE', (project) => project.role],
    ['MADE', (project) => when(project.createdAt, screen), { drops: 2 }],
  ]);
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
