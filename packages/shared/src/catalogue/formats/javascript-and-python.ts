// Dependency files of JavaScript and Python.

import { type Format, family, list, lock, manifest, unread } from './format.ts';

const npmManifest = ['package.json'];
const pythonManifests = ['pyproject.toml', 'setup.py', 'setup.cfg'];
const tree = 'tree' as const;

export const javascriptFormats: readonly Format[] = [
  ...family('javascript', 'npm', [
    lock(
      'npm-shrinkwrap',
      'npm-shrinkwrap.json',
      'npm/parseNpmLock',
      'the lock file of a published npm package',
      { reach: tree, manifests: npmManifest, tools: ['npm'] },
    ),
    lock('npm-lock', 'package-lock.json', 'npm/parseNpmLock', 'the lock file of npm, versions 1 to 3', {
      reach: tree,
      manifests: npmManifest,
      voidBeside: ['npm-shrinkwrap.json'],
      tools: ['npm'],
    }),
    lock('yarn-lock', 'yarn.lock', 'yarn/parseYarnLock', 'the lock file of Yarn, classic and Berry', {
      reach: tree,
      manifests: npmManifest,
      // Yarn 1 takes --immutable without a word and rewrites the lock file; later versions take both.
      install: 'yarn install --frozen-lockfile',
      reinstall: 'rm -rf node_modules && yarn install --frozen-lockfile',
      tools: ['yarn'],
    }),
    lock('pnpm-lock', 'pnpm-lock.yaml', 'pnpm/parsePnpmLock', 'the lock file of pnpm, versions 5 to 9', {
      reach: tree,
      manifests: npmManifest,
      install: 'pnpm install --frozen-lockfile',
      reinstall: 'rm -rf node_modules && pnpm install --frozen-lockfile',
      tools: ['pnpm'],
    }),
    lock('bun-lock', 'bun.lock', 'bun/parseBunLock', 'the lock file of Bun', {
      reach: tree,
      manifests: npmManifest,
      install: 'bun install --frozen-lockfile',
      tools: ['bun'],
    }),
    unread(
      'bun-binary-lock',
      'bun.lockb',
      'the binary lock file of Bun before 1.2',
      'only Bun reads its binary format; `bun install --save-text-lockfile` writes bun.lock, which is read',
      { voidBeside: ['bun.lock'], tools: ['bun'], isLock: true },
    ),
    manifest(
      'package-json',
      'package.json',
      'npm/parsePackageJson',
      'the manifest of npm, Yarn, pnpm and Bun',
    ),
    list('bower', 'bower.json', 'npm/parsePackageJson', 'the manifest of Bower', {
      install: 'bower install',
    }),
  ]),
  ...family('deno', 'npm', [
    lock('deno-lock', 'deno.lock', 'deno/parseDenoLock', 'the lock file of Deno, versions 2 to 5', {
      governs: ['javascript', 'deno'],
      reach: tree,
      manifests: ['deno.json', 'deno.jsonc', ...npmManifest],
      install: 'deno install --frozen',
      tools: ['deno'],
    }),
    manifest('deno-json', ['deno.json', 'deno.jsonc'], 'deno/parseDenoJson', 'the manifest of Deno', {
      ecosystem: 'jsr',
      tools: ['deno'],
    }),
  ]),
];

export const pythonFormats: readonly Format[] = [
  ...family('python', 'pypi', [
    lock('poetry-lock', 'poetry.lock', 'python-locks/parsePoetryLock', 'the lock file of Poetry', {
      manifests: pythonManifests,
      // Poetry 1 has no `poetry sync`.
      install: 'poetry install',
      tools: ['poetry'],
    }),
    list('uv-script-lock', /\.py\.lock$/, 'python-locks/parseUvLock', 'the lock file of a script for uv', {
      examples: ['tool.py.lock'],
      install: 'uv sync --script',
      tools: ['uv'],
    }),
    lock('uv-lock', 'uv.lock', 'python-locks/parseUvLock', 'the lock file of uv', {
      reach: tree,
      manifests: pythonManifests,
      install: 'uv sync --locked',
      reinstall: 'uv sync --locked --reinstall',
      tools: ['uv'],
    }),
    lock('pdm-lock', 'pdm.lock', 'python-locks/parsePdmLock', 'the lock file of PDM', {
      manifests: pythonManifests,
      install: 'pdm sync --clean',
      tools: ['pdm'],
    }),
    lock('pipfile-lock', 'Pipfile.lock', 'python-locks/parsePipfileLock', 'the lock file of Pipenv', {
      manifests: ['Pipfile'],
      install: 'pipenv sync',
      tools: ['pipenv'],
    }),
    lock('pylock', /\/pylock(?:\.[^./]+)?\.toml$/, 'python-locks/parsePylock', 'the lock file of PEP 751', {
      examples: ['pylock.toml', 'pylock.dev.toml'],
      manifests: pythonManifests,
    }),
    lock(
      'requirements-lock',
      /\/requirements(?:-[\w-]+)?\.lock$/,
      'python-requirements/parseRequirements',
      'the lock file of Rye, in the form of a requirements file',
      {
        examples: ['requirements.lock', 'requirements-dev.lock'],
        manifests: pythonManifests,
        // Helm 2 named its lock file so too.
        voidBeside: ['Chart.yaml', 'requirements.yaml'],
      },
    ),
    manifest(
      'pyproject',
      'pyproject.toml',
      'python-locks/parsePyproject',
      'the manifest of Python projects',
      { plainMeansRange: true },
    ),
    manifest('pipfile', 'Pipfile', 'python-locks/parsePipfile', 'the manifest of Pipenv'),
    manifest('setup-cfg', 'setup.cfg', 'setup-cfg/parseSetupCfg', 'the declarative manifest of setuptools'),
    unread(
      'setup-py',
      'setup.py',
      'the build program of setuptools',
      'only running the program would say what it asks for',
      { voidBeside: ['setup.cfg', 'pyproject.toml'] },
    ),
    // `requirements.txt`, `requirements-dev.txt`, `dev-requirements.txt`, `test_requirements.txt`, `requirements/dev.txt`.
    list(
      'requirements',
      /(?:^|\/)(?:requirements\/(?!readme|license)[^/]*\.txt|(?:[^/]{0,100}[-_.])?requirements(?:[-_.][^/]{0,100})?\.txt|constraints(?:[-_.][^/]*)?\.txt)$/i,
      'python-requirements/parseRequirements',
      'requirements and constraints files of pip',
      {
        examples: [
          'requirements.txt',
          'requirements-dev.txt',
          'dev-requirements.txt',
          'requirements/dev.txt',
          'constraints.txt',
        ],
        install: 'pip install -r',
      },
    ),
    list(
      'requirements-in',
      /(?:^|\/)(?:requirements\/[^/]*\.in|(?:[^/]{0,100}[-_.])?requirements(?:[-_.][^/]{0,100})?\.in)$/i,
      'python-requirements/parseRequirements',
      'what pip-tools and `uv pip compile` make requirements files from',
      { examples: ['requirements.in', 'requirements/dev.in'], voidBeside: ['*.txt'] },
    ),
  ]),
  ...family('conda', 'conda', [
    lock('pixi-lock', 'pixi.lock', 'conda-locks/parsePixiLock', 'the lock file of Pixi, versions 1 to 6', {
      governs: ['conda', 'python'],
      manifests: ['pixi.toml', 'pyproject.toml'],
      install: 'pixi install --locked',
      tools: ['pixi'],
    }),
    lock(
      'conda-lock',
      /(?:^|[./-])conda-lock\.ya?ml$/,
      'conda-locks/parseCondaLock',
      'the lock file of conda-lock for several platforms',
      {
        examples: ['conda-lock.yml', 'linux.conda-lock.yaml'],
        manifests: ['environment.yml', 'environment.yaml'],
        install: 'conda-lock install',
        tools: ['conda'],
      },
    ),
    manifest('pixi', 'pixi.toml', 'conda-locks/parsePixi', 'the manifest of Pixi', { tools: ['pixi'] }),
    list(
      'conda-environment',
      /\/environment(?:[-_.][\w.-]*)?\.ya?ml$/,
      'conda/parseCondaEnvironment',
      'an environment of conda',
      { examples: ['environment.yml', 'environment-dev.yaml'], tools: ['conda'] },
    ),
  ]),
];
