// Packages that Composer, Bundler, Cargo, Go, pip and Poetry install into a project, then damaged and repaired as advised. They
// come from folders beside the project, not from a registry; if a tool is missing, its tests are skipped and say so.
//
// @module-tag release

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectDependencies } from '../../packages/capture/src/dependencies/collect-dependencies.ts';
import { collectInstalled } from '../../packages/capture/src/installed/collect-installed.ts';
import { openMachine } from '../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../packages/capture/src/system/node-system.ts';
import { checkSnapshot } from '../../packages/cli/src/actions/comparison/check-machine.ts';
import { readTestData } from '../support/test-data.ts';

interface Damage {
  /** A command for a shell in the project. */
  readonly run: string;
  /** The packages that then differ from the lock file. */
  readonly drift: Readonly<Record<string, string>>;
  /** The commands that are advised; absent if none helps here. */
  readonly repair?: string;
  /** Whether the command needs a registry, which no test reaches. */
  readonly printedOnly?: true;
}

type Files = Readonly<Record<string, string | object>>;
const { bundlerFiles, cargoFiles, composerFiles, goFiles, pythonFiles, poetryFiles, ...data } = readTestData<
  Record<`${'bundler' | 'cargo' | 'composer' | 'go' | 'python' | 'poetry'}Files`, Files> & {
    readonly damages: Readonly<Record<string, readonly Damage[]>>;
  }
>(import.meta);

let base: string;
beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'envsnap-vendored-')));
});
afterAll(() => rm(base, { recursive: true, force: true }));

function put(folder: string, files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

const run = (folder: string, program: string, ...args: string[]) =>
  execFileSync(program, args, {
    cwd: folder,
    env: {
      ...process.env,
      COMPOSER_ALLOW_SUPERUSER: '1',
      COMPOSER_HOME: join(base, 'composer-home'),
      COMPOSER_NO_INTERACTION: '1',
      GOFLAGS: '-mod=mod',
      GOPROXY: 'off',
      PIP_CONFIG_FILE: '/dev/null',
      PIP_NO_INDEX: '1',
      PIP_FIND_LINKS: join(folder, 'wheels'),
      POETRY_VIRTUALENVS_IN_PROJECT: 'true',
    },
    stdio: 'ignore',
  });

/** Two packages, of which `outer` needs `inner`, installed in `folder`. */
interface Tool {
  readonly name: string;
  readonly program: string;
  readonly lockFile: string;
  readonly install: (folder: string) => void;
}

const composer: Tool = {
  name: 'Composer',
  program: 'composer',
  lockFile: 'composer.lock',
  install(folder) {
    put(folder, composerFiles);
    run(folder, 'composer', 'install', '--no-interaction', '--no-plugins', '--quiet');
  },
};

const bundler: Tool = {
  name: 'Bundler',
  program: 'bundle',
  lockFile: 'Gemfile.lock',
  install(folder) {
    put(folder, bundlerFiles);
    for (const name of ['inner', 'outer']) {
      const gem = join(folder, 'vendor/cache', `${name}-1.0.0.gem`);
      run(join(folder, 'sources', name), 'gem', 'build', `${name}.gemspec`, '--output', gem);
    }
    run(folder, 'bundle', 'install', '--local');
  },
};

const cargo: Tool = {
  name: 'Cargo',
  program: 'cargo',
  lockFile: 'Cargo.lock',
  install(folder) {
    put(folder, cargoFiles);
    run(folder, 'cargo', 'generate-lockfile', '--offline');
  },
};

const go: Tool = {
  name: 'Go',
  program: 'go',
  lockFile: 'go.mod',
  install(folder) {
    put(folder, goFiles);
    run(folder, 'go', 'mod', 'vendor');
  },
};

/** The wheels of two versions, in `wheels`. */
function putWheels(folder: string): void {
  for (const version of ['0.9.0', '1.0.0']) {
    for (const [name, text] of Object.entries(pythonFiles))
      put(folder, { [name.replace('1.0.0', version)]: String(text).replaceAll('1.0.0', version) });
    const wheel = join(folder, `wheels/inner-${version}-py3-none-any`);
    run(folder, 'python3', '-c', `import shutil; shutil.make_archive("${wheel}", "zip", "inner")`);
    renameSync(`${wheel}.zip`, `${wheel}.whl`);
    rmSync(join(folder, 'inner'), { recursive: true });
  }
  put(folder, { 'requirements.txt': 'inner==1.0.0\n' });
}

const pip: Tool = {
  name: 'pip',
  program: 'python3',
  lockFile: 'requirements.txt',
  install(folder) {
    putWheels(folder);
    run(folder, 'python3', '-m', 'venv', '.venv');
    run(folder, '.venv/bin/python', '-m', 'pip', 'install', '--requirement', 'requirements.txt');
  },
};

const poetry: Tool = {
  name: 'Poetry',
  program: 'poetry',
  lockFile: 'poetry.lock',
  install(folder) {
    putWheels(folder);
    rmSync(join(folder, 'requirements.txt'));
    put(folder, poetryFiles);
    run(folder, 'poetry', 'install', '--no-interaction');
  },
};

/** The packages that differ from the lock file, and what `check` advises. */
async function examine(folder: string, lockFile: string) {
  const machine = openMachine(createSystem());
  const collected = await collectDependencies(machine, { folder, manifests: false });
  const { installed, examined, drift, notInstalled } = await collectInstalled(machine, folder, collected);
  const metadata = { installed, drift, notInstalled };
  const found = checkSnapshot(
    { machineName: 'vm', dependencies: collected.dependencies, metadata },
    undefined,
  );
  const advised = [...found.installed, ...found.notInstalled].flatMap(({ repair }) => repair?.commands ?? []);
  return { examined: examined.includes(lockFile), drift: { ...installed[lockFile] }, advised };
}

/** Whether a program runs here: it may be a version manager's shim without a target. */
function canRun(program: string): boolean {
  const script = `${program} --version || ${program} version`;
  return spawnSync('sh', ['-c', script], { stdio: 'ignore' }).status === 0;
}

for (const { name, program, lockFile, install } of [composer, bundler, cargo, go, pip, poetry])
  describe.skipIf(!canRun(program))(`what ${name} installed, if ${program} is here`, () => {
    const project = () => join(base, program);
    beforeAll(() => install(project()));

    test('matches the lock file', async () => {
      expect(await examine(project(), lockFile)).toEqual({ examined: true, drift: {}, advised: [] });
    });

    // In the same place, because an environment of Python does not work elsewhere.
    test.each(data.damages[program] ?? [])(
      'matches the lock file again after $run',
      async ({ run: damage, drift, repair, printedOnly }) => {
        const kept = `${project()}-kept`;
        run(base, 'cp', '-Rp', project(), kept);
        try {
          run(project(), 'sh', '-c', damage);
          const advised = repair === undefined ? [] : [repair];
          expect(await examine(project(), lockFile)).toEqual({ examined: true, drift, advised });
          if (repair === undefined || printedOnly) return;
          run(project(), 'sh', '-c', repair);
          expect(await examine(project(), lockFile)).toEqual({ examined: true, drift: {}, advised: [] });
        } finally {
          rmSync(project(), { recursive: true });
          renameSync(kept, project());
        }
      },
    );
  });
