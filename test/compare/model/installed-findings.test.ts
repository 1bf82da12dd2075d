import { adviceOf, compareEnvironments, headlineOf, readFailure } from '@envsnap/compare';
import { findDifferences, installedFindings } from '@envsnap/compare/workspace';
import { describe, expect, it } from 'vitest';
import { lockLacksPlatform } from '../../../packages/shared/src/catalogue/formats.ts';

const dependencies = { 'package-lock.json': { zod: '4.6.7' }, 'web/pnpm-lock.yaml': { vite: '8.0.0' } };
const installed = { machineName: 'a', dependencies };
const bare = (...notInstalled: string[]) => ({ machineName: 'b', dependencies, metadata: { notInstalled } });

const notesOf = (a: typeof installed, b: typeof installed) =>
  findDifferences(a, b)
    .notes.filter(({ code }) => code === 'not_installed')
    .map(({ message }) => message);

describe('where nothing of a lock file is installed', () => {
  it('on one side only, a comparison says what it could not compare, and counts nothing', () => {
    const found = findDifferences(installed, bare('package-lock.json', 'web/pnpm-lock.yaml'));
    expect(found.sections.installed.map(({ key, b }) => [key, b])).toEqual([
      ['package-lock.json', 'nothing'],
      ['web/pnpm-lock.yaml', 'nothing'],
    ]);
    const report = compareEnvironments(installed, bare('package-lock.json'));
    expect(report.verdict).toBe('tolerated');
    expect(report.causes[0]).toMatchObject({
      section: 'installed',
      what: 'nothing of package-lock.json is installed on b',
      advice: 'run “npm ci” on b',
    });
    expect(headlineOf(report)).toBe(
      'Nothing of package-lock.json is installed on b: npm ci. Nothing else differs that counts.',
    );
    expect(adviceOf(report)).toBe('run “npm ci” on b');
    const asked = compareEnvironments(installed, bare('package-lock.json'), { failOn: 'installed' });
    expect(asked.verdict).toBe('failed');
    expect(notesOf(installed, bare('package-lock.json', 'web/pnpm-lock.yaml'))).toEqual([
      'Nothing of package-lock.json is installed in B, so the installed packages could not be compared. Run npm ci there, then compare again.',
      expect.stringMatching(
        /^Nothing of web\/pnpm-lock\.yaml is installed in B, .* Run cd web && pnpm install/,
      ),
    ]);
    expect(notesOf(bare('package-lock.json'), installed)).toEqual([
      expect.stringMatching(/^Nothing of package-lock\.json is installed in A,/),
    ]);
  });

  it('says nothing when it is so on both sides, or the other has no such file', () => {
    expect(notesOf(bare('package-lock.json'), bare('package-lock.json'))).toEqual([]);
    expect(notesOf({ machineName: 'a', dependencies: {} as never }, bare('package-lock.json'))).toEqual([]);
    expect(notesOf(installed, { ...installed, metadata: { notInstalled: 'x' } } as never)).toEqual([]);
  });

  it('comes before whatever else counts', () => {
    const elsewhere = { ...bare('package-lock.json'), envVars: { SHOP_KEY: 'x' } };
    const report = compareEnvironments(installed, elsewhere);
    expect(report.verdict).toBe('failed');
    expect(adviceOf(report)).toBe('run “npm ci” on b');
  });

  it('is not taken for an installation for production, until a failure names what that leaves out', () => {
    const production = { ...bare(), metadata: { withoutDevelopment: ['package-lock.json'] } };
    const report = compareEnvironments(installed, production);
    expect(report.verdict).toBe('tolerated');
    expect(headlineOf(report)).toBe(
      'Nothing differs that counts; the nearest to a cause: the packages for development of package-lock.json are not installed on b.',
    );
    expect(adviceOf(report)).toBeUndefined();
    const words = "Error: Cannot find module 'vitest'";
    const failure = readFailure(words);
    const explained = compareEnvironments(installed, production, { failure });
    expect(explained.verdict).toBe('failed');
    expect(explained.causes[0]).toMatchObject({ hinted: true, advice: 'run “npm ci --include=dev” on b' });
    expect(compareEnvironments(production, production).verdict).toBe('equal');
    expect(compareEnvironments(production, bare('package-lock.json')).causes[0]?.what).toBe(
      'nothing of package-lock.json is installed in B',
    );
  });

  it('rebuilds a virtual environment whose Python is gone', () => {
    const locked = { 'requirements.txt': { six: '1.17.0' } };
    const [finding] = installedFindings({
      machineName: 'a',
      dependencies: locked,
      metadata: { installed: { 'requirements.txt': { python: '' } } },
    });
    expect(finding?.advice).toBe(
      'python3 -m venv --clear .venv && .venv/bin/pip install -r requirements.txt',
    );
  });

  it('makes the lock file again where npm left the package of this platform out of it', () => {
    const state = 'not in the lock file, which was made on another platform';
    const [finding] = installedFindings({
      machineName: 'a',
      dependencies: { 'web/package-lock.json': { rollup: '4.9.0' } },
      metadata: { installed: { 'web/package-lock.json': { '@rollup/rollup-linux-x64-gnu': state } } },
    });
    expect(finding).toMatchObject({
      message: `@rollup/rollup-linux-x64-gnu is ${state}`,
      advice: 'cd web && rm -rf node_modules package-lock.json && npm install',
    });
  });

  it('gives a command that runs nothing else where the name of a folder would', () => {
    const advised = (folder: string) => {
      const file = `${folder}/package-lock.json`;
      const other = { machineName: 'a', dependencies: { [file]: { zod: '4.6.7' } } };
      return notesOf(other as never, bare(file))[0]?.match(/Run (.*) there/)?.[1];
    };
    expect(advised('a b')).toBe("cd 'a b' && npm ci");
    expect(advised('x; touch y')).toBe("cd 'x; touch y' && npm ci");
    expect(advised("it's $(touch y)")).toBe("cd 'it'\\''s $(touch y)' && npm ci");
    expect(advised('-rf')).toBe('cd ./-rf && npm ci');
  });
});

describe('packages that are not as locked', () => {
  it('name the folder, who needs them and the side that drifted, direct ones first', () => {
    const locked = { 'package-lock.json': { ansi: '1.0.0', express: '4.19.2', ms: '2.1.3' } };
    const drifted = {
      machineName: 'vm',
      dependencies: locked,
      metadata: {
        installed: { 'package-lock.json': { ansi: '0.9.0', express: '4.18.0', ms: '' } },
        direct: { 'package-lock.json': ['express'] },
        drift: {
          'package-lock.json': {
            requiredBy: { ms: ['debug', 'send'] },
            folders: { express: 'node_modules/express', ms: 'node_modules/ms' },
          },
        },
      },
    };
    const [cause] = compareEnvironments({ machineName: 'anna', dependencies: locked }, drifted).causes;
    expect(cause?.what).toBe(
      'installed packages on vm are not those of package-lock.json: express is 4.19.2 on anna, 4.18.0 on vm (node_modules/express), and 2 more',
    );
    expect(cause?.advice).toBe('run “npm ci” on vm');
    expect(installedFindings(drifted).map(({ message }) => message)).toEqual([
      'express 4.18.0 is installed, package-lock.json says 4.19.2 (node_modules/express)',
      'ansi 0.9.0 is installed, package-lock.json says 1.0.0',
      'ms, which debug and send need, is not installed, package-lock.json says 2.1.3',
    ]);
  });
});

it.each([
  ['~/envs/other', 'bash', '. .venv/bin/activate'],
  ['~/envs/other', 'fish', '. .venv/bin/activate.fish'],
  ['~\\envs\\other', 'cmd', '.venv\\Scripts\\activate'],
])('activates the environment of the project in the place of %s, for %s', (active, name, advice) => {
  const metadata = {
    shell: { name, path: name },
    installed: { 'pyproject.toml': { python: `in ${active}, the project's is .venv` } },
  };
  expect(installedFindings({ machineName: 'a', metadata })).toMatchObject([{ advice }]);
});

it.each([
  [
    'x;id/package-lock.json',
    'esbuild',
    lockLacksPlatform,
    "cd 'x;id' && rm -rf node_modules package-lock.json && npm install",
  ],
  ['$(id)', 'esbuild', lockLacksPlatform, "rm -rf node_modules '$(id)' && npm install"],
  ['pyproject.toml', 'python', "in ~/x, the project's is $(id)", ". '$(id)'/bin/activate"],
  ['pyproject.toml', 'python', "in C:\\x, the project's is $(id)", expect.not.stringContaining('id')],
])('advises nothing that a captured name could run: %s', (file, name, state, advice) => {
  const [finding] = installedFindings({
    machineName: 'a',
    metadata: { installed: { [file]: { [name]: state } } },
  });
  expect(finding?.advice).toEqual(advice);
});
