// Facts about git's configuration in effect for the captured folder.

import type { FactRow, FactTable } from './fact.ts';

const files = 'git’s files: system, global, XDG, what they include, and .git/config of the folder';
/** What is told of a setting without its value, so that no command can be given it. */
const state = (key: string, kind: FactRow['kind']): Pick<FactRow, 'read' | 'kind' | 'reveals'> => ({
  read: { linux: `${key} in ${files}`, macos: `${key} in ${files}`, windows: `${key} in ${files}` },
  kind,
  reveals: 'The setting, nothing else of the configuration.',
});

const setting = (
  key: string,
  kind: FactRow['kind'] = 'text',
): Pick<FactRow, 'read' | 'kind' | 'apply' | 'reveals'> => ({
  ...state(key, kind),
  apply: { by: 'git-config', key },
});

export const gitFacts = {
  'git.core.autocrlf': {
    ...setting('core.autocrlf'),
    what: 'Whether git changes line ends when it checks files out and commits them.',
    unset: 'false',
    counts: { when: 'either is', value: 'true' },
    weight: [{ counted: false, weight: 'slight' }, { weight: 'likely' }],
    family: 'line ends',
  },
  'git.core.eol': {
    ...setting('core.eol'),
    what: 'Which line ends text files get when git checks them out.',
    unset: 'native',
    counts: 'always',
    weight: 'likely',
    family: 'line ends',
  },
  'git.core.safecrlf': {
    ...setting('core.safecrlf'),
    what: 'Whether git refuses a change of line ends that it could not undo.',
    unset: 'warn',
    counts: { when: 'asked for' },
    weight: 'rare',
    family: 'line ends',
  },
  'git.core.ignoreCase': {
    ...setting('core.ignorecase', 'flag'),
    what: 'Whether git takes README and readme for one file.',
    unset: 'false',
    counts: 'always',
    weight: [{ weight: 'rare' }],
    family: 'case of file names',
  },
  'git.core.fileMode': {
    ...setting('core.filemode', 'flag'),
    what: 'Whether git notices that a file became executable.',
    unset: 'true',
    counts: 'always',
    weight: 'possible',
  },
  'git.core.symlinks': {
    ...setting('core.symlinks', 'flag'),
    what: 'Whether git checks symbolic links out as links.',
    unset: 'true',
    counts: 'always',
    weight: 'likely',
    family: 'symbolic links',
  },
  'git.core.longPaths': {
    ...setting('core.longpaths', 'flag'),
    what: 'Whether git on Windows writes paths longer than 260 characters.',
    unset: 'false',
    counts: 'always',
    weight: 'possible',
  },
  'git.core.precomposeUnicode': {
    ...setting('core.precomposeunicode', 'flag'),
    what: 'Whether git on macOS composes characters in file names.',
    unset: 'not set',
    counts: { when: 'asked for' },
    weight: [{ weight: 'slight' }],
    family: 'case of file names',
  },
  'git.core.hooksPath': {
    ...state('core.hookspath', 'flag'),
    what: 'Whether hooks run from a folder that the configuration names.',
    unset: 'false',
    counts: { when: 'asked for' },
    weight: [{ b: 'true', weight: 'now and then' }, { weight: 'slight' }],
    reveals: 'That it is set, not where it leads.',
  },
  'git.core.attributesFile': {
    ...state('core.attributesfile', 'flag'),
    what: 'Whether attributes of files come from a file outside of repositories too.',
    unset: 'false',
    counts: { when: 'asked for' },
    weight: 'rare',
    reveals: 'That it is set, not where it leads.',
  },
  'git.commit.gpgSign': {
    ...setting('commit.gpgsign', 'flag'),
    what: 'Whether every commit is signed, which fails without the key.',
    unset: 'false',
    counts: { when: 'asked for' },
    weight: [{ b: 'true', weight: 'now and then' }, { weight: 'slight' }],
    family: 'signing',
  },
  'git.tag.gpgSign': {
    ...setting('tag.gpgsign', 'flag'),
    what: 'Whether every tag is signed, which fails without the key.',
    unset: 'false',
    counts: { when: 'asked for' },
    weight: [{ b: 'true', weight: 'now and then' }, { weight: 'slight' }],
    family: 'signing',
  },
  'git.init.defaultBranch': {
    ...setting('init.defaultbranch'),
    what: 'The first branch of new repositories.',
    unset: 'master',
    counts: { when: 'asked for' },
    weight: [{ weight: 'slight' }],
  },
  'git.pull.rebase': {
    ...setting('pull.rebase'),
    what: 'Whether a pull rebases or merges.',
    unset: 'false',
    counts: { when: 'asked for' },
    weight: [{ weight: 'context' }],
  },
  'git.submodule.recurse': {
    ...setting('submodule.recurse', 'flag'),
    what: 'Whether commands go into submodules by themselves.',
    unset: 'false',
    counts: { when: 'asked for' },
    weight: 'possible',
  },
  'git.protocol.fileAllow': {
    ...setting('protocol.file.allow'),
    what: 'Whether git clones from paths of this machine, as tests with submodules do.',
    unset: 'user',
    counts: 'always',
    weight: 'possible',
  },
  'git.safe.bareRepository': {
    ...setting('safe.barerepository'),
    what: 'Whether git works in bare repositories that it comes across.',
    unset: 'all',
    counts: 'always',
    weight: 'rare',
  },
  'git.http.sslVerify': {
    ...setting('http.sslverify', 'flag'),
    what: 'Whether git checks certificates.',
    unset: 'true',
    counts: 'always',
    weight: 'possible',
  },
  'git.url.insteadOf': {
    ...state('url.insteadof', 'number'),
    what: 'How many addresses git rewrites before it clones or pushes.',
    unset: '0',
    counts: { when: 'asked for' },
    weight: [{ weight: 'slight' }],
    reveals: 'How many there are, not which.',
  },
  'git.lfs': {
    ...state('filter.lfs', 'flag'),
    what: 'Whether the filter of Git LFS is set up; without it large files stay pointers.',
    unset: 'false',
    counts: { when: 'asked for' },
    weight: [{ b: 'false', weight: 'rare' }, { weight: 'context' }],
  },
} as const satisfies FactTable;
