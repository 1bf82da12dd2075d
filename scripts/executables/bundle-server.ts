// The service inside an executable: one script, the text of its thread, its files, and the embedded database as a native module,
// which is written to a folder on use, because no system loads one from memory.

import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { bundleOptions } from '../../packages/server/scripts/bundle-options.ts';
import { writeLicences } from '../write-licences.ts';
import type { ProgramFiles } from './programs.ts';
import { nodeVersion, type Target } from './targets.ts';

const root = path.resolve(import.meta.dirname, '../..');
const server = path.join(root, 'packages/server');
/** Files that the program reads. */
export const serverFiles = [
  'package.json',
  'dist/commit.txt',
  'dist/reference/viewer.js.gz',
  'dist/reference/guides.md',
];

/** Writes the program's files into `folder`. */
export async function bundleServer(folder: string, { platform, arch }: Target): Promise<ProgramFiles> {
  const main = path.join(folder, 'start.mjs');
  const thread = path.join(folder, 'jobs-thread.js');
  const licences = path.join(folder, 'licences.txt');
  // Otherwise a thread would read options that its process ignores.
  const start = `import { runCli } from './src/cli.ts';
delete process.env.NODE_OPTIONS;
// Reads the options that this program keeps Node.js from reading.
const [, file] = /^--env-file=(.+)/s.exec(process.argv[2] ?? '') ?? [];
if (file !== undefined) {
  process.loadEnvFile(file);
  process.argv.splice(2, 1);
}
await runCli(process.argv);
`;
  const metafile = await bundle({
    stdin: { contents: start, resolveDir: server, loader: 'ts' },
    format: 'esm',
    outfile: main,
    banner: { js: requireText },
    plugins: [databaseDriver(`${platform}-${arch}`), embeddedModule],
  });
  await bundle({ entryPoints: [path.join(server, 'src/jobs-thread.ts')], format: 'cjs', outfile: thread });
  writeLicences(licences, metafile, root);
  const native = path.join(server, `node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node`);
  return {
    main,
    licences,
    assets: {
      ...Object.fromEntries(serverFiles.map((file) => [file, path.join(server, file)])),
      'dist/jobs-thread.js': thread,
      'better-sqlite3.node': native,
    },
  };
}

/** Bundles code of the server with the settings that all its bundles need. */
export async function bundle(options: Parameters<typeof build>[0]) {
  const { metafile } = await build({
    ...bundleOptions,
    ...options,
    metafile: true,
    absWorkingDir: root,
    target: `node${nodeVersion.split('.', 1)[0]}`,
    supported: { 'dynamic-import': false },
    minifyWhitespace: true,
  });
  return metafile;
}

/** There are no files beside the program: what can be required are Node.js's own modules. */
const requireText = `const require = (name) => {
  const found = process.getBuiltinModule(name);
  if (found === undefined) throw Object.assign(new Error('Cannot find module ' + name), { code: 'MODULE_NOT_FOUND' });
  return found;
};`;

/** Uses the driver's build for a platform: `win32-x64`. */
export function databaseDriver(entry: string): Plugin {
  return {
    name: 'database-driver',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^better-sqlite3$/ }, ({ resolveDir, kind }) =>
        resolve(`better-sqlite3/${entry}`, { resolveDir, kind }),
      );
    },
  };
}

/** Loads the driver's native module from the executable. */
const embeddedModule: Plugin = {
  name: 'embedded-module',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.node$/ }, ({ path: file }) => ({ path: file, namespace: 'native' }));
    onLoad({ filter: /./, namespace: 'native' }, () => ({
      contents: `module.exports = require('./native-module.ts').loadNativeModule('better-sqlite3.node');`,
      resolveDir: import.meta.dirname,
    }));
  },
};
