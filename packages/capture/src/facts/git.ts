// Facts about git's configuration that are more than one setting. docs/specification.md §11.

import { readGitSettings, userFile } from '../project/git/config.ts';
import { contentLines, type FactReaders, setOf } from './fact-reader.ts';
import { isTrueForGit } from './read-source.ts';
import type { FactContext } from './tool-settings.ts';

export function gitReaders({ machine, folder, settings }: FactContext): FactReaders {
  const setting = (key: string): Promise<string | undefined> => settings.get('git', key);
  return {
    'git.core.autocrlf': async () => {
      const value = await setting('core.autocrlf');
      return value === undefined ? undefined : /^input$/i.test(value) ? 'input' : String(isTrueForGit(value));
    },
    'git.attributes': async () => {
      const file = userFile(machine, await setting('core.attributesfile'), 'attributes');
      return setOf(contentLines(await machine.files.text(file)).map((line) => line.replace(/\s+/g, ' ')));
    },
    'git.identity': async () => {
      const { env } = machine;
      const name = env.GIT_AUTHOR_NAME || (await setting('user.name'));
      const address = env.GIT_AUTHOR_EMAIL || env.EMAIL || (await setting('user.email'));
      return Boolean(name && address);
    },
    'git.url.insteadOf': async () => {
      const all = [...(await readGitSettings(machine, folder))];
      const rewriting = all.filter(([key]) => /^url\..*\.(?:push)?insteadof$/s.test(key));
      return rewriting.flatMap(([, values]) => values).length || undefined;
    },
    'git.lfs': async () =>
      (await setting('filter.lfs.smudge')) || (await setting('filter.lfs.process')) ? true : undefined,
  };
}
