// The command line inside an executable: a small main program, and the rest as one script with its bytecode, which is loaded for
// everything except --version. The sources and settings are those of the package's bundle.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../../packages/cli/scripts/bundle-options.ts';
import { run } from './fetch-node.ts';
import type { ProgramFiles } from './programs.ts';
import { nodeVersion, type Target } from './targets.ts';

const cli = path.resolve(import.meta.dirname, '../../packages/cli');

/** The version of the command line, which all packages share. */
export function readVersion(): string {
  return (JSON.parse(readFileSync(path.join(cli, 'package.json'), 'utf8')) as { version: string }).version;
}

/** Writes the program's files into `folder`; with bytecode that `node` makes, if that is the Node.js that will run it. */
export async function bundleCli(folder: string, _: Target, node: string | undefined): Promise<ProgramFiles> {
  const main = path.join(folder, 'start.mjs');
  const program = path.join(folder, 'program.cjs');
  await bundle(main, startText(node !== undefined), 'esm');
  await bundle(program, programText(), 'cjs');
  // Wraps the script in a function, as Node.js wraps a module.
  const text = readFileSync(program, 'utf8');
  writeFileSync(program, `(function (exports, require, module) {${text}\n})`);
  const bytecode = path.join(folder, 'program.bytecode');
  if (node !== undefined) run(node, [path.join(import.meta.dirname, 'make-bytecode.cjs'), program, bytecode]);
  return {
    main,
    licences: path.join(cli, 'dist/THIRD-PARTY-LICENSES.txt'),
    assets: {
      'oclif.manifest.json': path.join(cli, 'dist/oclif.manifest.json'),
      'build-id': path.join(cli, 'dist/build-id'),
      'program.cjs': program,
      ...(node !== undefined && { 'program.bytecode': bytecode }),
    },
  };
}

async function bundle(outfile: string, contents: string, format: 'esm' | 'cjs'): Promise<void> {
  await build({
    ...bundleOptions(readVersion()),
    format,
    // esbuild does not run a module that is imported on demand elsewhere if its package claims to have no side effects.
    ignoreAnnotations: format === 'cjs',
    // The remaining imports are Node.js's own modules, which are required like the others.
    supported: { 'dynamic-import': false },
    stdin: { contents, resolveDir: cli, loader: 'ts' },
    outfile,
    target: `node${nodeVersion.split('.', 1)[0]}`,
  });
}

function startText(hasBytecode: boolean): string {
  return `import { getAsset, getRawAsset } from 'node:sea';
import { start } from './bin/start.js';

let program;
function loadProgram() {
  if (program) return program;
  const { Script } = process.getBuiltinModule('node:vm');
  const cachedData = ${hasBytecode ? "Buffer.from(getRawAsset('program.bytecode'))" : 'undefined'};
  const script = new Script(getAsset('program.cjs', 'utf8'), { filename: 'envsnap.cjs', cachedData });
  const module = { exports: {} };
  // Only Node.js's own modules are left to require: there are no files beside the program.
  script.runInThisContext()(module.exports, process.getBuiltinModule, module);
  program = module.exports;
  return program;
}

// An executable with its own loader is started by the launcher in the folder above.
const { existsSync, readdirSync } = process.getBuiltinModule('node:fs');
const path = process.getBuiltinModule('node:path');
function startedBy() {
  const folder = path.dirname(path.resolve(process.execPath));
  const launcher = path.join(folder, '../envsnap');
  const hasLoader = path.basename(folder) === 'lib' && readdirSync(folder).some((name) => name.startsWith('ld-'));
  return hasLoader && existsSync(launcher) ? launcher : process.execPath;
}

await start(process.argv.slice(2), {
  get command() {
    return [startedBy()];
  },
  version: () => ${JSON.stringify(readVersion())},
  main: () => loadProgram().loadMain(),
  manifest: () => JSON.parse(getAsset('oclif.manifest.json', 'utf8')),
  buildId: () => getAsset('build-id', 'utf8').trim(),
  load: (file) => loadProgram().commands[file](),
});
`;
}

function programText(): string {
  const files = readdirSync(path.join(cli, 'src/commands'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `commands/${file.split(path.sep).join('/')}`);
  const loaders = [...files, 'service-commands/table.ts'].map((file) => {
    const name = JSON.stringify(file.replace(/\.ts$/, '.js'));
    return `${name}: () => import(${JSON.stringify(`./src/${file}`)})`;
  });
  return `export const loadMain = () => import('./src/main.ts');
export const commands = { ${loaders.join(', ')} };
`;
}
