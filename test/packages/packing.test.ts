// The packages that would be published: packed as for a release, complete, and usable after an installation.
//
// @module-tag release

import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { ensureBuilt } from '../../scripts/build.ts';
import { finishOutput } from '../../scripts/finish-output.ts';
import { fewTools } from '../support/few-tools.ts';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const names = readdirSync(path.join(root, 'packages'));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly repository: { readonly url: string; readonly directory: string };
  readonly publishConfig: Readonly<Record<string, unknown>>;
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const folder = path.join(inject('runFolder'), `packed-${process.pid}`);
const unpacked = (name: string) => path.join(folder, name, 'package');
const manifestOf = (at: string): Manifest => JSON.parse(readFileSync(path.join(at, 'package.json'), 'utf8'));

beforeAll(async () => {
  // Done once here, because each package's prepack would repeat it.
  ensureBuilt();
  finishOutput(path.join(root, 'packages'));
  mkdirSync(folder, { recursive: true });
  const args = ['-y', 'pnpm@12', '--filter', './packages/*', 'pack', '--pack-destination', folder];
  await run('npx', [...args, '--config.ignore-scripts=true'], { cwd: root });
  for (const name of names) {
    const source = manifestOf(path.join(root, 'packages', name));
    mkdirSync(path.join(folder, name));
    const tarball = `${source.name.replace('@', '').replace('/', '-')}-${source.version}.tgz`;
    await run('tar', ['xzf', path.join(folder, tarball), '-C', path.join(folder, name)]);
  }
}, 180_000);

describe.each(names)('the package of packages/%s', (name) => {
  const source = manifestOf(path.join(root, 'packages', name));

  it('is built before it is packed, and says where it comes from', () => {
    expect(source.scripts?.prepack).toBe('node ../../scripts/prepack.ts');
    const packed = manifestOf(unpacked(name));
    expect(packed).toMatchObject({
      license: 'MIT',
      repository: { type: 'git', directory: `packages/${name}` },
      publishConfig: { access: 'public', provenance: true },
    });
    expect(JSON.stringify(packed)).not.toContain('workspace:');
  });

  it('has its README, its licence, and every file that it names', () => {
    const files = ['README.md', 'LICENSE'];
    const named = Object.entries(source.exports ?? {})
      .filter(([entry]) => !entry.includes('*'))
      .flatMap(([, targets]) => [targets.types, targets.default]);
    for (const file of [...files, ...named, ...Object.values(source.bin ?? {})])
      expect(existsSync(path.join(unpacked(name), file ?? '')), file).toBe(true);
    expect(readFileSync(path.join(unpacked(name), 'LICENSE'), 'utf8')).toContain(
      'Permission is hereby granted',
    );
    // An entry without a file in the package is only for this workspace.
    const patterns = Object.entries(source.exports ?? {}).filter(
      ([entry, { default: target }]) => entry.includes('*') && target !== undefined,
    );
    for (const [, targets] of patterns) {
      const inFolder = path.join(unpacked(name), path.dirname(targets.default ?? ''));
      expect(readdirSync(inFolder).some((file) => file.endsWith('.js'))).toBe(true);
    }
  });

  it('has every module that its modules import', () => {
    const missing: string[] = [];
    let checked = 0;
    const dist = path.join(unpacked(name), 'dist');
    for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (!entry.isFile() || !/\.(?:js|d\.ts)$/.test(file)) continue;
      // The bundle of the command line is minified.
      const imports =
        name === 'cli'
          ? /\b(?:from|import)\s*\(?"(\.{1,2}\/[^"]+\.js)"/g
          : /^\s*(?:import|export)\b[^'"`;]*?from\s*["'](\.{1,2}\/[^"']+)["']/gm;
      for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(imports)) {
        checked += 1;
        const target = path.resolve(path.dirname(file), specifier);
        // A declaration needs those of the other package.
        const needed = file.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target;
        if (!existsSync(needed)) missing.push(`${file}: ${specifier}`);
      }
    }
    expect(missing).toEqual([]);
    expect(checked).toBeGreaterThan(0);
  });
});

const project = path.join(folder, 'project');

async function compile(program: string, text: string, options: object, by = 'typescript'): Promise<string> {
  writeFileSync(path.join(project, `${program}.ts`), text);
  const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', target: 'es2023', ...options };
  const config = path.join(project, `${program}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [`${program}.ts`] }));
  const tsc = path.join(root, 'node_modules', by, 'bin/tsc');
  return run(process.execPath, [tsc, '-p', config, '--extendedDiagnostics']).then(
    ({ stdout }) => stdout,
    ({ stdout }) => Promise.reject(new Error(stdout)),
  );
}
/** Types that a program makes the compiler load, beyond those of an empty one. */
async function typesBeyondEmpty(program: string, text: string, options: object): Promise<number> {
  const types = async (name: string, source: string) =>
    Number(/^Types:\s+(\d+)/m.exec(await compile(name, source, options))?.[1]);
  return (await types(program, text)) - (await types('empty', 'export {};\n'));
}

describe('the published SDK', () => {
  beforeAll(() => {
    mkdirSync(path.join(project, 'node_modules/@envsnap'), { recursive: true });
    // Node.js resolves a package's imports from its real folder.
    mkdirSync(path.join(folder, 'sdk/node_modules/@noble'), { recursive: true });
    mkdirSync(path.join(project, 'node_modules/@types'), { recursive: true });
    const fromSdk = createRequire(path.join(root, 'packages/sdk/package.json'));
    const link = (target: string, name: string) =>
      symlinkSync(target, path.join(project, 'node_modules', name));
    link(unpacked('sdk'), '@envsnap/sdk');
    link(path.dirname(fromSdk.resolve('@noble/hashes/sha2.js')), '../../sdk/node_modules/@noble/hashes');
    link(path.join(root, 'packages/sdk/node_modules/ky'), '../../sdk/node_modules/ky');
    const fromHere = createRequire(import.meta.url);
    link(path.dirname(fromHere.resolve('@types/node/package.json')), '@types/node');
    link(path.dirname(fromHere.resolve('undici/package.json')), 'undici');
    writeFileSync(path.join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  });

  const program = (name: string) => readFileSync(path.join(import.meta.dirname, 'types', name), 'utf8');

  it('depends on its hash and on ky, and holds neither zod nor a trace of the workspace', () => {
    expect(Object.keys(manifestOf(unpacked('sdk')).dependencies ?? {})).toEqual(['@noble/hashes', 'ky']);
    const importing = /(?:from|import)\s*\(?\s*['"](?:zod|@envsnap\/shared)/;
    const dist = path.join(unpacked('sdk'), 'dist');
    for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isFile()) expect(importing.test(readFileSync(file, 'utf8')), file).toBe(false);
    }
  });

  it('compiles where there are no types of a platform', async () => {
    await compile('no-platform', program('no-platform.ts'), { lib: ['es2023'], types: [] });
  });

  it('compiles with exact optional properties, and for Node.js', async () => {
    const options = { lib: ['es2024'], types: ['node'], exactOptionalPropertyTypes: true };
    await compile('with-node', program('with-node.ts'), options);
  });

  it('fits the proxy of its README without a cast', async () => {
    const readme = readFileSync(path.join(unpacked('sdk'), 'README.md'), 'utf8');
    const [example = ''] = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block);
    expect(example).toContain('ProxyAgent');
    await compile('proxy', example ?? '', { lib: ['es2024'], types: ['node'], skipLibCheck: true });
    const dom = { lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'], skipLibCheck: true };
    await compile('proxy-in-dom', example ?? '', { ...dom, types: ['node'] });
  });

  it('is there for require, with types', async () => {
    const text = [
      "import { EnvSnap, type Snapshot } from '@envsnap/sdk';",
      "export const get = (): Promise<Snapshot> => new EnvSnap().snapshots.get('id');",
    ];
    writeFileSync(path.join(project, 'from-commonjs.cts'), text.join('\n'));
    const options = { module: 'node16', lib: ['es2024'], types: ['node'], allowImportingTsExtensions: true };
    await compile('from-commonjs', "import './from-commonjs.cts';\n", options);
    const required = "console.log(typeof require('@envsnap/sdk').EnvSnap.bootstrap);";
    writeFileSync(path.join(project, 'required.cjs'), required);
    const args = ['--no-experimental-require-module', path.join(project, 'required.cjs')];
    expect((await run(process.execPath, args)).stdout).toBe('function\n');
  });

  it('compiles in each resolution of TypeScript 5 and 7, and import and require share each class', async () => {
    // TypeScript 7 has no node10: it refuses the option (TS5108).
    const common = { lib: ['es2024'], types: ['node'] };
    for (const [by, moduleResolution, module] of [
      ['typescript-5', 'node10', 'es2022'],
      ['typescript-5', 'node16', 'node16'],
      ['typescript-5', 'bundler', 'preserve'],
      ['typescript', 'node16', 'node16'],
      ['typescript', 'bundler', 'preserve'],
    ] as const) {
      const options = { ...common, moduleResolution, module };
      await compile(`${by}-${moduleResolution}`, program('with-node.ts'), options, by);
      const wrong = "import { NoSuchThing } from '@envsnap/sdk';\nexport { NoSuchThing };\n";
      await expect(compile('wrong', wrong, options, by)).rejects.toThrow('NoSuchThing');
    }
    const lines = [
      "import * as imported from '@envsnap/sdk';",
      "import { createRequire } from 'node:module';",
      "const required = createRequire(import.meta.url)('@envsnap/sdk');",
      'const names = Object.keys(imported);',
      'console.log(names.length > 10, names.filter((name) => imported[name] !== required[name]));',
    ];
    writeFileSync(path.join(project, 'one-copy.mjs'), lines.join('\n'));
    const { stdout } = await run(process.execPath, [path.join(project, 'one-copy.mjs')]);
    expect(stdout).toBe('true []\n');
  });

  it('costs its users few types: a call at most 500 beyond an empty program', async () => {
    const options = { lib: ['es2023'], types: [], skipLibCheck: true };
    const call =
      "import { EnvSnap } from '@envsnap/sdk';\nexport const s = await new EnvSnap().snapshots.get('id');\n";
    expect(await typesBeyondEmpty('call', call, options)).toBeLessThan(500);
  });

  it('runs as it was packed', async () => {
    writeFileSync(
      path.join(project, 'run.js'),
      "import { EnvSnap, UsageError } from '@envsnap/sdk';\ntry { new EnvSnap(); } catch (error) { console.log(error instanceof UsageError, error.message); }\n",
    );
    const env = { PATH: process.env.PATH };
    const { stdout } = await run(process.execPath, [path.join(project, 'run.js')], { env });
    expect(stdout).toBe(
      'true The server and the key are missing: new EnvSnap({ baseUrl, apiKey }), or set ENVSNAP_BASE_URL and ENVSNAP_API_KEY.\n',
    );
  });
});

describe('the packed program', () => {
  /** The program creates everything below it. */
  const elsewhere = path.join(folder, 'elsewhere');
  const working = path.join(elsewhere, 'work');
  const start = (args: readonly string[], cacheHome?: string) => {
    mkdirSync(working, { recursive: true });
    return spawnSync(process.execPath, [path.join(unpacked('cli'), 'bin/run.js'), ...args], {
      cwd: working,
      encoding: 'utf8',
      env: {
        PATH: fewTools(),
        HOME: path.join(elsewhere, 'home'),
        ...(cacheHome && { XDG_CACHE_HOME: cacheHome }),
      },
    });
  };

  it('runs where nothing else is installed', () => {
    for (const args of [
      ['doctor', '--json'],
      ['snapshot', 'list'],
    ]) {
      const { status, stdout, stderr } = start(args);
      expect(stdout + stderr).not.toMatch(/ERR_MODULE_NOT_FOUND|Cannot find/);
      expect(status).toBe(0);
    }
  });

  it('keeps bytecode among the caches, and none in a folder that may hold a commit or that others can write to', () => {
    const keepsIn = (cacheHome: string) => {
      const { status, stderr } = start(['profile', 'list'], cacheHome);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const code = path.join(cacheHome, 'envsnap/code');
      return existsSync(code) && readdirSync(code).length > 0;
    };
    const own = path.join(elsewhere, 'own');
    expect(keepsIn(own)).toBe(true);
    expect(keepsIn(path.join(working, '.cache'))).toBe(false);
    const repository = path.join(own, 'checkout');
    mkdirSync(path.join(repository, '.git'), { recursive: true });
    expect(keepsIn(path.join(repository, '.cache'))).toBe(false);
    const open = path.join(own, 'open');
    mkdirSync(path.join(open, 'envsnap/code'), { recursive: true });
    chmodSync(path.join(open, 'envsnap/code'), 0o777);
    expect(keepsIn(open)).toBe(process.platform === 'win32');
  });

  it('compares a Python environment with its requirements, as the sources do', () => {
    const python = path.join(elsewhere, 'python');
    mkdirSync(path.join(python, '.venv/lib/python3.11/site-packages/six-1.15.0.dist-info'), {
      recursive: true,
    });
    mkdirSync(path.join(python, '.venv/bin'));
    writeFileSync(path.join(python, '.venv/bin/python'), '');
    writeFileSync(path.join(python, '.venv/pyvenv.cfg'), '');
    writeFileSync(path.join(python, 'requirements.txt'), 'six==1.16.0\n');
    const { stdout } = start(['capture', '--dry-run', '--json', '--dir', python]);
    expect(JSON.parse(stdout).metadata.installed).toEqual({ 'requirements.txt': { six: '1.15.0' } });
  });

  it('asks for no other package, and holds the manifest and the licences of what is bundled', () => {
    expect(manifestOf(unpacked('cli')).dependencies ?? {}).toEqual({});
    const dist = path.join(unpacked('cli'), 'dist');
    expect(readdirSync(dist)).toContain('oclif.manifest.json');
    expect(readdirSync(dist)).not.toContain('types');
    expect(readdirSync(dist)).not.toContain('metafile.json');
    const licences = readFileSync(path.join(dist, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['@oclif/core', 'ky', 'zod']) expect(licences).toContain(`${name} `);
  });
});

describe('the published comparison', () => {
  it('costs its users few types, also where they check the declarations of libraries', async () => {
    for (const [user, used] of [
      ['compare', 'shared'],
      ['compare', 'versions'],
      ['versions', 'shared'],
    ] as const) {
      mkdirSync(path.join(folder, user, 'node_modules/@envsnap'), { recursive: true });
      symlinkSync(unpacked(used), path.join(folder, user, 'node_modules/@envsnap', used));
    }
    symlinkSync(unpacked('compare'), path.join(project, 'node_modules/@envsnap/compare'));
    const text = "import * as compare from '@envsnap/compare';\nexport type All = typeof compare;\n";
    const options = { lib: ['es2024'], types: [], skipLibCheck: false };
    expect(await typesBeyondEmpty('comparison', text, options)).toBeLessThan(5000);
  });
});
