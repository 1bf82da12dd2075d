// Facts about git's configuration in effect. docs/specification.md §11.

import { readGitSettings, userFile } from '../project/git/config.ts';
import {
  contentLines,
  type FactReaders,
  type FactReading,
  type FactSources,
  once,
  setOf,
} from './fact-reader.ts';

export function gitReaders({ machine, folder }: FactSources): FactReaders<'git'> {
  const config = once(() => readGitSettings(machine, folder));
  const last = async (key: string): Promise<string | undefined> => (await config()).get(key)?.at(-1);
  const text = (key: string) => async (): Promise<FactReading> =>
    (await last(key))?.toLowerCase() || undefined;
  const name = (key: string) => async (): Promise<FactReading> => (await last(key)) || undefined;
  /** Recorded only where it is set; the catalogue's row knows the default. */
  const flag = (key: string) => async (): Promise<FactReading> => {
    const value = await last(key);
    return value === undefined ? undefined : isTrue(value);
  };
  const isSet = (key: string) => async (): Promise<FactReading> => ((await last(key)) ? true : undefined);

  return {
    'git.core.autocrlf': async () => {
      const value = await last('core.autocrlf');
      return value === undefined ? undefined : /^input$/i.test(value) ? 'input' : String(isTrue(value));
    },
    'git.core.eol': text('core.eol'),
    'git.core.safecrlf': text('core.safecrlf'),
    'git.core.ignoreCase': flag('core.ignorecase'),
    'git.core.fileMode': flag('core.filemode'),
    'git.core.symlinks': flag('core.symlinks'),
    'git.core.longPaths': flag('core.longpaths'),
    'git.core.precomposeUnicode': flag('core.precomposeunicode'),
    'git.core.hooksPath': isSet('core.hookspath'),
    'git.core.attributesFile': isSet('core.attributesfile'),
    'git.attributes': async () => {
      const file = userFile(machine, await last('core.attributesfile'), 'attributes');
      return setOf(contentLines(await machine.files.text(file)).map((line) => line.replace(/\s+/g, ' ')));
    },
    'git.identity': async () => {
      const { env } = machine;
      const name = env.GIT_AUTHOR_NAME || (await last('user.name'));
      const address = env.GIT_AUTHOR_EMAIL || env.EMAIL || (await last('user.email'));
      return Boolean(name && address);
    },
    'git.commit.gpgSign': flag('commit.gpgsign'),
    'git.tag.gpgSign': flag('tag.gpgsign'),
    'git.init.defaultBranch': name('init.defaultbranch'),
    'git.pull.rebase': text('pull.rebase'),
    'git.submodule.recurse': flag('submodule.recurse'),
    'git.protocol.fileAllow': text('protocol.file.allow'),
    'git.safe.bareRepository': text('safe.barerepository'),
    'git.http.sslVerify': flag('http.sslverify'),
    'git.url.insteadOf': async () => {
      const keys = [...(await config())].filter(([key]) => /^url\..*\.(?:push)?insteadof$/s.test(key));
      return keys.reduce((sum, [, values]) => sum + values.length, 0) || undefined;
    },
    'git.lfs': async () =>
      (await last('filter.lfs.smudge')) || (await last('filter.lfs.process')) ? true : undefined,
  };
}

/** What git takes for true: `true`, `yes`, `on`, any number but 0, a name without a value. */
function isTrue(value: string): boolean {
  return /^(?:true|yes|on|[1-9]\d*)$/i.test(value.trim());
}
