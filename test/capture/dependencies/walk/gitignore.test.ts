// Random trees with .gitignore files on every level: a capture finds exactly the files that git does not ignore.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectDependencies } from '../../../../packages/capture/src/dependencies/collect-dependencies.ts';
import { openMachine } from '../../../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../../../packages/capture/src/system/node-system.ts';
import { type Files, folderWith } from '../collect-files.ts';

const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
const git = (args: string[], cwd?: string) =>
  spawnSync('git', args, { cwd, encoding: 'utf8', env: environment });

// Letters beyond ASCII are left out: git matches bytes, so its `?` matches half of an `é`.
const folderName = fc.constantFrom('a', 'b', 'ab', 'c d', '[x]', '!n', '#h', 'Z', 'a.b');
const folderPath = fc.array(folderName, { maxLength: 3 }).map((parts) => parts.join('/'));
const segment = fc.oneof(
  folderName,
  fc.constantFrom(
    '*',
    '**',
    'a*',
    '*b',
    '?',
    '[ab]',
    '[!a]',
    '\\!n',
    '\\#h',
    '\\[x\\]',
    'go.sum',
    '*.sum',
    'c\\ d',
    '[[:alpha:]]',
  ),
);
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '!'),
    fc.constantFrom('', '', '/'),
    fc.array(segment, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '/', '/*', '/**', ' '),
  )
  .map(([negation, anchor, segments, end]) => `${negation}${anchor}${segments.join('/')}${end}`);
const rules = fc.array(fc.oneof(pattern, fc.constantFrom('', '# comment')), { minLength: 1, maxLength: 4 });

describe.skipIf(git(['--version']).status !== 0)('ignore rules', () => {
  it('are applied as git applies them', () => areAppliedAsByGit(15));
  it('are applied as git applies them, in many trees', { tags: 'release' }, () => areAppliedAsByGit(60));

  const areAppliedAsByGit = (numRuns: number) =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(folderPath, { minLength: 1, maxLength: 10 }),
        fc.dictionary(folderPath, rules, { maxKeys: 3 }),
        async (folders, ignored) => {
          // A minimal repository for git: running `git init` costs more than the rest.
          const files: Files = {
            '.git/HEAD': 'ref: refs/heads/main\n',
            '.git/objects/none': '',
            '.git/refs/none': '',
          };
          for (const folder of folders)
            files[`${folder === '' ? '' : `${folder}/`}go.sum`] = 'a v1.0.0 h1:x=\n';
          for (const [folder, lines] of Object.entries(ignored))
            files[`${folder === '' ? '' : `${folder}/`}.gitignore`] = `${lines.join('\n')}\n`;
          const root = folderWith(files);
          try {
            const listed = git(['ls-files', '--others', '--exclude-standard', '-z'], root)
              .stdout.split('\0')
              .filter((file) => file.endsWith('go.sum'))
              .sort();
            const { dependencies } = await collectDependencies(openMachine(createSystem()), {
              folder: root,
              manifests: false,
            });
            expect(Object.keys(dependencies)).toEqual(listed);
          } finally {
            rmSync(root, { recursive: true, force: true });
          }
        },
      ),
      { numRuns },
    );
});
