// The projects of projects.yaml, and what a capture reads from their files.

import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { z } from 'zod';
import { type ProjectFacts, readProject } from '../../packages/capture/src/project/read-project.ts';

const texts = z.record(z.string(), z.string());
const projectSchema = z.strictObject({
  files: texts,
  dependencies: z.record(z.string(), texts),
  runtimes: texts,
  variables: texts,
  declares: z.record(z.string(), z.tuple([z.string(), z.string()])).optional(),
});
export type Project = z.infer<typeof projectSchema>;

export const projectNames = [
  ...(['web', 'library', 'native', 'api', 'science', 'service', 'tool', 'shop'] as const),
  ...(['backend', 'engine', 'desk', 'site'] as const),
] as const;
/** Projects of languages that only public threads have. */
const threadProjectNames = [
  ...(['board', 'parser', 'prover', 'survey', 'stream', 'phone', 'pocket', 'kiosk', 'cluster'] as const),
] as const;
export type ProjectName = (typeof projectNames | typeof threadProjectNames)[number];

export const projects = z
  .record(z.enum([...projectNames, ...threadProjectNames]), projectSchema)
  .parse(load(readFileSync(new URL('projects.yaml', import.meta.url), 'utf8')));

const read = new Map<ProjectName, Promise<ProjectFacts>>();

/** What the capture reads from the project's files: the real reader, over files in memory. */
export function projectFacts(name: ProjectName): Promise<ProjectFacts> {
  let facts = read.get(name);
  if (!facts) {
    facts = readProject(inMemory(projects[name].files), '/p');
    read.set(name, facts);
  }
  return facts;
}

function inMemory(files: Readonly<Record<string, string>>): Parameters<typeof readProject>[0] {
  const bytes = new TextEncoder();
  return {
    readFile: async (file, part) =>
      bytes.encode(files[file.slice('/p/'.length)] ?? '').subarray(0, part?.length),
    readDirectory: async (folder) => {
      const prefix = folder === '/p' ? '' : `${folder.slice('/p/'.length)}/`;
      const entries = new Map<string, 'file' | 'directory'>();
      for (const path of Object.keys(files)) {
        if (!path.startsWith(prefix)) continue;
        const [name = '', ...rest] = path.slice(prefix.length).split('/');
        entries.set(name, rest.length > 0 ? 'directory' : 'file');
      }
      return [...entries].map(([name, kind]) => ({ name, kind }));
    },
  };
}
