// Projects of a usual shape: their files as they lie in the repository, what their lock files say, what they run on.

import { type ProjectFacts, readProject } from '../../packages/capture/src/project/read-project.ts';

export interface Project {
  /** Files that say what the project asks for, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly runtimes: Readonly<Record<string, string>>;
  /** Variables that everybody who works on it has set. */
  readonly variables: Readonly<Record<string, string>>;
  /** Tool to declared version and the file that declares it. */
  readonly declares?: Readonly<Record<string, readonly [version: string, file: string]>>;
}

const workflow = (setUp: string, run: string) =>
  `on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - uses: ${setUp}\n      - run: ${run}\n`;

export const projects = {
  web: {
    files: {
      'package.json':
        '{"packageManager":"pnpm@9.12.0","engines":{"node":">=18"},"scripts":{"build":"vite build","test":"vitest","lint":"eslint ."}}',
      '.env.example': 'DATABASE_URL=\nSESSION_KEY=\nMAIL_FROM=\n',
      '.github/workflows/ci.yml': workflow('actions/setup-node@v4', 'pnpm test'),
      'compose.yaml': 'services:\n  db:\n    image: postgres:16\n',
    },
    dependencies: {
      'pnpm-lock.yaml': {
        react: '18.3.1',
        vite: '5.4.8',
        vitest: '2.1.2',
        zod: '3.23.8',
        eslint: '9.12.0',
        typescript: '5.6.2',
      },
      'compose.yaml': { postgres: '16' },
    },
    runtimes: { node: '22.11.0', pnpm: '9.12.0', npm: '10.9.0', docker: '27.3.1' },
    variables: {
      DATABASE_URL: 'hmac:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      SESSION_KEY: 'hmac:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
      MAIL_FROM: 'dev@example.org',
    },
  },
  library: {
    files: {
      'package.json': '{"scripts":{"test":"node --test","build":"tsc"}}',
      '.github/workflows/test.yml': workflow('actions/setup-node@v4', 'npm test'),
    },
    dependencies: {
      'package-lock.json': { typescript: '5.6.2', prettier: '3.3.3', webpack: '4.46.0', chalk: '5.3.0' },
    },
    runtimes: { node: '22.11.0', npm: '10.9.0' },
    variables: {},
  },
  native: {
    files: {
      'package.json': '{"scripts":{"install":"node-gyp rebuild","test":"mocha"}}',
      'binding.gyp': '{}',
      '.github/workflows/test.yml': workflow('actions/setup-node@v4', 'npm test'),
    },
    dependencies: {
      'package-lock.json': { 'node-gyp': '9.4.0', nan: '2.20.0', mocha: '10.7.3', sharp: '0.33.5' },
    },
    runtimes: { node: '20.18.0', npm: '10.8.2', python: '3.11.9', gcc: '13.2.0', make: '4.3' },
    variables: {},
  },
  api: {
    files: {
      'pyproject.toml': '[project]\nname = "api"\n',
      'poetry.lock': '',
      '.env.example': 'DATABASE_URL=\nREDIS_URL=\nDATA_DIR=\n',
      Dockerfile: 'FROM python:3.12-slim\nENV APP_PORT=8000\n',
      '.github/workflows/ci.yml': workflow('actions/setup-python@v5', 'poetry run pytest'),
      'docker-compose.yml':
        'services:\n  db:\n    image: postgres:13\n    environment:\n      POSTGRES_DB: app\n',
    },
    dependencies: {
      'poetry.lock': {
        flask: '3.0.3',
        werkzeug: '3.0.4',
        pytest: '8.3.3',
        sqlalchemy: '2.0.35',
        pandas: '2.2.3',
      },
      'docker-compose.yml': { postgres: '13' },
    },
    runtimes: { python: '3.12.7', poetry: '1.8.3', pip: '24.2', docker: '27.3.1' },
    variables: {
      DATABASE_URL: 'hmac:cccccccccccccccccccccccccccccccc',
      REDIS_URL: 'redis://localhost:6379',
      DATA_DIR: '/srv/data',
    },
  },
  science: {
    files: {
      'setup.py': '',
      'requirements.txt': '',
      'tox.ini': '[testenv]\ncommands = pytest\n',
      '.travis.yml': 'language: python\nscript:\n  - pytest\n',
    },
    dependencies: {
      'requirements.txt': {
        numpy: '1.26.4',
        torch: '2.4.1',
        matplotlib: '3.9.2',
        pytest: '8.3.3',
        astroid: '1.6.5',
      },
    },
    runtimes: { python: '3.11.9', pip: '24.0' },
    variables: {},
  },
  service: {
    files: {
      'go.mod': 'module app\n',
      Makefile: 'test:\n\tgo test ./...\n\nbuild:\n\tgo build -o bin/app\n',
      '.github/workflows/ci.yml': workflow('actions/setup-go@v5', 'make test'),
    },
    dependencies: {
      'go.mod': { 'github.com/go-chi/chi/v5': '5.1.0', 'github.com/fsnotify/fsnotify': '1.7.0' },
    },
    runtimes: { go: '1.22.4', make: '4.3' },
    variables: { LISTEN_ADDRESS: ':8080' },
  },
  tool: {
    files: {
      'Cargo.toml': '[package]\n',
      '.github/workflows/ci.yml': workflow('dtolnay/rust-toolchain@stable', 'cargo test'),
    },
    dependencies: { 'Cargo.lock': { clap: '4.5.20', insta: '1.40.0', tokio: '1.40.0' } },
    runtimes: { rustc: '1.81.0', cargo: '1.81.0' },
    variables: {},
  },
  shop: {
    files: {
      Gemfile: "source 'https://rubygems.org'\n",
      'Gemfile.lock': '',
      '.ruby-version': '3.2.3\n',
      '.gitlab-ci.yml': 'image: ruby:3.2\nscript:\n  - bundle exec rspec\n',
      '.env.sample': 'STRIPE_KEY=\nMAILER_HOST=\n',
    },
    dependencies: { 'Gemfile.lock': { rails: '7.1.4', rspec: '3.13.0', nokogiri: '1.16.7' } },
    runtimes: { ruby: '3.2.3', bundler: '2.5.11' },
    variables: { STRIPE_KEY: 'hmac:dddddddddddddddddddddddddddddddd', MAILER_HOST: 'localhost' },
    declares: { ruby: ['3.2.3', '.ruby-version'] },
  },
  backend: {
    files: {
      'pom.xml': '<project/>',
      '.github/workflows/ci.yml': workflow('actions/setup-java@v4', 'mvn -B verify'),
    },
    dependencies: { 'pom.xml': { 'junit:junit': '4.13.2', 'org.springframework:spring-core': '6.1.13' } },
    runtimes: { java: '17.0.9', javac: '17.0.9', maven: '3.9.9' },
    variables: { SPRING_PROFILES_ACTIVE: 'dev' },
  },
  engine: {
    files: {
      'CMakeLists.txt': '',
      'autogen.sh': './configure && make\n',
      'build.sh': 'cmake -B build && make -C build\n',
      '.travis.yml': 'language: c\nscript:\n  - make check\n',
    },
    dependencies: {},
    runtimes: { gcc: '13.2.0', cmake: '3.28.3', make: '4.3' },
    variables: {},
  },
  desk: {
    files: { 'global.json': '{"sdk":{"rollForward":"latestMajor"}}', 'Desk.csproj': '<Project/>' },
    dependencies: { 'packages.lock.json': { Serilog: '4.0.2', xunit: '2.9.2' } },
    runtimes: { dotnet: '8.0.404' },
    variables: { ASPNETCORE_ENVIRONMENT: 'Development' },
  },
  site: {
    files: { 'composer.json': '{"require":{"php":">=8.1"}}', 'composer.lock': '{}' },
    dependencies: { 'composer.lock': { 'symfony/console': '7.1.5', 'phpunit/phpunit': '11.3.6' } },
    runtimes: { php: '8.3.6', composer: '2.7.9' },
    variables: { APP_ENV: 'dev' },
  },
} satisfies Record<string, Project>;

export type ProjectName = keyof typeof projects;
export const projectNames = Object.keys(projects) as [ProjectName, ...ProjectName[]];

const read = new Map<ProjectName, Promise<ProjectFacts>>();

/** What the capture reads of the project's files: the real reader, over files in memory. */
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
