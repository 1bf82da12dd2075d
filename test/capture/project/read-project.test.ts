// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files of projects hold such placeholders

import { describe, expect, it } from 'vitest';
import { readProject } from '../../../packages/capture/src/project/read-project.ts';
import { createFakeSystem, type FakeMachine } from '../../support/fake-system.ts';
import { readTestData } from '../../support/test-data.ts';

const { askedVariables, shown, sources, programs } = readTestData<{
  askedVariables: object;
  shown: { file: string; text: string; variable: string; tool?: string }[];
  sources: Record<string, string>;
  programs: Record<string, string>;
}>(import.meta);

const folder = '/work/app';

function read(files: NonNullable<FakeMachine['files']>) {
  const placed = Object.fromEntries(Object.entries(files).map(([name, file]) => [`${folder}/${name}`, file]));
  return readProject(createFakeSystem({ files: placed }), folder);
}

describe('what a project asks for', () => {
  it('is known by its manifests, scripts, images and CI definitions', async () => {
    const project = await read({
      'package.json': JSON.stringify({
        engines: { node: '>=22', yarn: 'please-use-pnpm' },
        packageManager: 'pnpm@9.1.0',
        scripts: { test: 'cross-env APP_MODE=test vitest', up: 'docker compose up -d && ./gradlew build' },
      }),
      'services/api/pyproject.toml': '[project]\nname = "api"\n',
      'services/api/Dockerfile':
        'ARG BASE_TAG=1\nFROM --platform=linux/amd64 python:3.12-slim\nENV API_PORT=80 API_HOST=x\nENV OLD_FORM yes\n',
      'compose.yaml':
        'services:\n  db:\n    image: postgres:16\n    environment:\n      POSTGRES_DB: app\n      - PGDATA\n    ports: ["${DB_PORT:-5432}:5432"]\n',
      '.github/workflows/ci.yml':
        'env:\n  FEATURE_FLAG: on\njobs:\n  t:\n    steps:\n      - uses: actions/setup-go@v5\n      - run: make test\n        env:\n          TOKEN: ${{ secrets.DEPLOY_TOKEN }}\n',
      '.env.example':
        '# Where the database is\nDATABASE_URL=\nexport REDIS_URL=redis://localhost\n# OPTIONAL_KEY=1\n',
    });
    expect(project.ecosystems).toEqual(['docker', 'npm', 'pypi']);
    expect(project.tools).toEqual(['docker', 'go', 'gradle', 'make', 'node', 'pnpm', 'python']);
    expect(project.variables).toMatchObject(askedVariables);
  });

  it('finds the project’s own variables in its sources, not those of every program', async () => {
    const { variables } = await read(sources);
    expect(variables).toEqual({ PAYMENT_KEY: 'src/pay.ts', SHOP_HOST: 'app/settings.py' });
  });

  it('reads scripts in its folder of programs, and no compiled ones', async () => {
    const project = await read({ 'bin/start': 'make -C x\n', 'bin/tool': '\x7fELF\0\nRscript\n$A1\n' });
    expect(project).toMatchObject({ tools: ['make'], variables: {} });
    const settings = { '.npmrc': '@a:registry=https://npm.example.com', '.cargo/config.toml': '[source.a]' };
    expect(await read(settings)).toMatchObject({ settings: ['cargo.registries', 'npm.scopedRegistries'] });
  });

  it('requires nothing of the machine for a tool that the project installs', async () => {
    const scripts = { build: 'tsc -b && make' };
    const installed = await read({
      'package.json': JSON.stringify({ scripts, devDependencies: { typescript: '^6.0.0' } }),
    });
    expect(installed.tools).toEqual(['make', 'node']);
    const workspace = await read({
      '.github/workflows/ci.yml': 'jobs:\n  t:\n    steps:\n      - run: tsc -b\n',
      'package.json': JSON.stringify({ devDependencies: { typescript: '^6.0.0', mysql: '2.18.1' } }),
      'scripts/seed.sh': 'mysql -e "show tables"\n',
      'packages/ui/package.json': JSON.stringify({ scripts }),
    });
    expect(workspace.tools).toEqual(['make', 'mysql', 'node']);
    const foreign = await read({ 'package.json': JSON.stringify({ scripts }) });
    expect(foreign.tools).toEqual(['make', 'node', 'typescript']);
    // Tools that the project names are required; those that one folder installs do not serve other folders.
    const pnpm = { devDependencies: { pnpm: '9.1.0', typescript: '^6.0.0' } };
    const managed = await read({
      'package.json': JSON.stringify({ packageManager: 'pnpm@9.1.0', ...pnpm }),
      'examples/a/package.json': JSON.stringify({
        ...pnpm,
        devDependencies: { ...pnpm.devDependencies, yarn: '1' },
      }),
      Makefile: 'all:\n\tyarn build\n',
    });
    expect(managed.tools).toEqual(['make', 'node', 'pnpm', 'yarn']);
  });

  it('takes from programs the variables that they read, and no word as a tool', async () => {
    const project = await read(programs);
    expect(Object.keys(project.variables)).toEqual([
      'CHECK_DEBUG',
      'CHECK_HOME',
      'CHECK_MODE',
      'CONSOLE_PORT',
      'CONSOLE_USER',
      'MIRROR',
      'RELEASE_TOKEN',
      'SETUP_REGION',
    ]);
    expect(project.tools).toEqual(['terraform']);
  });

  it.each(shown)('is shown by $file', async ({ file, text, variable, tool }) => {
    const project = await read({ [file]: text });
    expect(Object.keys(project.variables)).toContain(variable);
    if (tool !== undefined) expect(project.tools).toContain(tool);
  });

  it('does not follow from variables that a CI service uses itself', async () => {
    const steps = [
      'uses: docker/setup-qemu-action@v3',
      'uses: x/free-disk@v1\n        with:\n          dotnet: true',
    ];
    const text = ['jobs:\n  t:\n    steps:', ...steps, 'run: gh release create v1'].join('\n      - ');
    expect((await read({ '.github/workflows/ci.yml': text })).tools).toEqual([]);
  });

  it('does not take words of a sentence for commands', async () => {
    const project = await read({
      Makefile: 'help:\n\t@echo "then go and make tea with docker"\n\tnpm run -r build\n',
      Rakefile: "task 'build' do\nend\n",
      'scripts/pack.sh': 'bundle() {\n  true\n}\nbundle all\n',
    });
    expect(project.tools).toEqual(['make', 'npm']);
  });

  it('looks into no installed package, no repository in the repository, and no virtual environment', async () => {
    const project = await read({
      'node_modules/x/.env.example': 'FROM_PACKAGE=1\n',
      'sub/.git/HEAD': 'ref: refs/heads/main\n',
      'sub/.env.example': 'FROM_OTHER=1\n',
      'env1/pyvenv.cfg': 'home = /usr/bin\n',
      'env1/Makefile': 'x:\n\tgo test\n',
    });
    expect(project).toEqual({ ecosystems: [], tools: [], variables: {} });
  });
});

describe('a hostile project', () => {
  it('cannot make the read follow links, wait for pipes, or fail', async () => {
    const project = await read({
      '.env.example': { link: '/etc/passwd' },
      'compose.yaml': { special: true },
      Dockerfile: { content: 'FROM node', error: 'EACCES' },
      'package.json': '{ not json',
      '__proto__/Makefile': 'x: ; go test\n',
    });
    expect(project.variables).toEqual({});
    expect(project.ecosystems).toEqual(['docker', 'npm']);
  });

  it('takes names such as __proto__ as they are', async () => {
    const project = await read({ '.env.example': '__proto__=1\nconstructor=2\n' });
    expect(Object.keys(project.variables)).toEqual(['__proto__', 'constructor'].sort());
  });

  it('costs no more than its limits, however large it is', async () => {
    const files: Record<string, string> = {};
    for (let index = 0; index < 300; index += 1)
      files[`d${index}/.env.example`] =
        `${Array.from({ length: 50 }, (_, at) => `N${index}_${at}=1`).join('\n')}\n`;
    const project = await read(files);
    expect(Object.keys(project.variables).length).toBe(500);
  });
});
