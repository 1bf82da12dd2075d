// Bundles the CLI into dist: every command its own entry over shared chunks, so that only the command that runs is
// loaded; then the manifest, so that help and command look-up load no command; then the licences of what is inside.

import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { build, type Metafile, type Plugin, transform } from 'esbuild';

const folder = path.resolve(import.meta.dirname, '..');
const dist = path.join(folder, 'dist');
const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
  version: string;
};

/**
 * Modules that the command framework loads at every start for features that this program does not use, and what stands
 * in for them. With the manifest built here, no folder is searched for commands (tinyglobby), no plugin is looked for
 * (minimatch, lilconfig), and output never spins (cli-spinners, ansi-escapes). Measured: 15 ms of CPU a start.
 */
const unusedModules: Record<string, string> = {
  debug:
    'const none = Object.assign(() => none, { enabled: false, extend: () => none }); module.exports = () => none; module.exports.enable = () => {}; module.exports.default = module.exports;',
  tinyglobby: 'module.exports = {};',
  minimatch: 'module.exports = {};',
  lilconfig: 'module.exports = {};',
  'cli-spinners':
    'module.exports = { dots: { frames: [], interval: 80 }, dots2: { frames: [], interval: 80 } };',
  'ansi-escapes': 'module.exports = {};',
  'wsl-utils': 'module.exports = { isWsl: false };',
  // Compiles each help text as a template. The framework's own line of usage holds the only one; the manifest is checked.
  ejs: "module.exports = { render: (text, { command }) => text.replaceAll('<%= command.id %>', command?.id) };",
  // Asked for by themes only, and this program has none.
  'supports-color': 'module.exports = { stdout: false, stderr: false };',
};

const leaveOutUnused: Plugin = {
  name: 'leave-out-unused',
  setup({ onResolve, onLoad }) {
    const names = Object.keys(unusedModules).join('|');
    onResolve({ filter: new RegExp(`^(${names})$`) }, ({ path: name, importer }) =>
      importer.includes('@oclif') ? { path: name, namespace: 'unused' } : undefined,
    );
    // The framework's check of its own supported versions; bin/run.js has checked before.
    onResolve({ filter: /^semver$/ }, ({ importer }) =>
      /@oclif[/+]core.*lib.index\.js$/.test(importer) ? { path: 'semver', namespace: 'unused' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'unused' }, ({ path: name }) => ({
      contents: unusedModules[name] ?? 'module.exports = {};',
      loader: 'js',
    }));
  },
};

/** jsonc-parser's main file takes `require` as an argument, which no bundler sees through; its modules are beside it. */
const moduleBuilds: Plugin = {
  name: 'module-builds',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^jsonc-parser$/ }, ({ resolveDir, kind }) =>
      resolve('jsonc-parser/lib/esm/main.js', { resolveDir, kind }),
    );
  },
};

/**
 * Modules that the command framework loads at every start and calls only to show help or a failure of its own: loaded at
 * the first call.
 */
const calledLate: readonly string[] = ['ansis', 'clean-stack', 'indent-string', 'wordwrap'];

const loadLate: Plugin = {
  name: 'load-late',
  setup({ onResolve, onLoad }) {
    onResolve(
      { filter: new RegExp(`^(${calledLate.join('|')})$`) },
      ({ path: name, importer, resolveDir }) =>
        importer.includes('@oclif') ? { path: name, namespace: 'late', pluginData: resolveDir } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'late' }, ({ path: name, pluginData }) => {
      if (name === 'ansis') {
        const late = "get default() { return require('ansis').default ?? require('ansis'); }";
        return {
          contents: `module.exports = { __esModule: true, ${late} };`,
          resolveDir: pluginData,
          loader: 'js',
        };
      }
      const contents = `module.exports = (...args) => require('${name}')(...args);`;
      return { contents, resolveDir: pluginData, loader: 'js' };
    });
    // The framework's own end of the program, which loads all of help; main.ts ends it instead.
    onResolve({ filter: /^\.\/handle$/ }, ({ importer }) =>
      /@oclif[/+]core.*errors.index\.js$/.test(importer)
        ? { path: 'handle', namespace: 'unused' }
        : undefined,
    );
  },
};

/**
 * Loads Node.js's own modules when something of them is used first. Importing one as an ES module would read every
 * export, which loads what nothing here needs, and the framework imports modules that few commands use (child_process,
 * readline, perf_hooks). Measured: 8 ms of CPU a start.
 */
const lateBuiltins: Plugin = {
  name: 'late-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?[a-z_/]+$/ }, ({ path: name, kind }) =>
      isBuiltin(name) && kind !== 'dynamic-import'
        ? { path: name.replace(/^(node:)?/, 'node:'), namespace: 'builtin' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path: name }) => {
      const builtin = process.getBuiltinModule(name) as object;
      const whole = `process.getBuiltinModule('${name}')`;
      if (typeof builtin === 'function') return { contents: `module.exports = ${whole};`, loader: 'js' };
      const getters = Object.keys(builtin).map(
        (key) => `get ${JSON.stringify(key)}() { return (builtin ??= ${whole}).${key}; },`,
      );
      const contents = `let builtin;\nmodule.exports = {\n${getters.join('\n')}\n};`;
      return { contents, loader: 'js' };
    });
  },
};

/**
 * Single expressions of the command framework that cost every start more than they give, and what stands in for them. A
 * build fails when one is no longer there. Measured: 9 ms of CPU a start.
 */
const replacements: readonly { file: RegExp; from: string; to: string }[] = [
  // Loads the collation data of ICU to order a list that the manifest holds in order.
  { file: /lib.config.plugin\.js$/, from: 'a.id.localeCompare(b.id)', to: '(a.id < b.id ? -1 : 1)' },
  // A chunk of its own, read at every start, for a name that nothing here asks for.
  { file: /lib.util.os\.js$/, from: "(await import('wsl-utils')).isWsl", to: 'false' },
  // Nothing runs beside the reading of the manifest, and the promises of node:fs are a module more.
  {
    file: /lib.util.fs\.js$/,
    from: "await (0, promises_1.readFile)(path, 'utf8')",
    to: "(0, node_fs_1.readFileSync)(path, 'utf8')",
  },
];

const replaceExpressions: Plugin = {
  name: 'replace-expressions',
  setup({ onLoad }) {
    for (const { file, from, to } of replacements) {
      const filter = new RegExp(`@oclif[/+]core.*${file.source}`);
      onLoad({ filter }, ({ path: source }) => {
        const text = readFileSync(source, 'utf8');
        if (!text.includes(from)) throw new Error(`${source} no longer holds: ${from}`);
        return { contents: text.replace(from, to), loader: 'js' };
      });
    }
  },
};

/**
 * What the framework measures and wraps help with, done by the quick namesakes that this program uses itself: the
 * framework's try an expression of all emoji on every word. Measured: 6 ms of CPU for the help of a command.
 */
const quickWidths: Readonly<Record<string, string>> = {
  'string-width': "module.exports = (text) => require('fast-string-width').default(text);",
  'widest-line':
    "module.exports = (text) => Math.max(...text.split('\\n').map((line) => require('fast-string-width').default(line)));",
  'wrap-ansi': "module.exports = (...args) => require('fast-wrap-ansi').wrapAnsi(...args);",
};

const measureQuickly: Plugin = {
  name: 'measure-quickly',
  setup({ onResolve, onLoad }) {
    const filter = new RegExp(`^(${Object.keys(quickWidths).join('|')})$`);
    onResolve({ filter }, ({ path: name, importer }) =>
      importer.includes('@oclif') ? { path: name, namespace: 'quick-widths' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'quick-widths' }, ({ path: name }) => ({
      contents: quickWidths[name] ?? '',
      resolveDir: folder,
      loader: 'js',
    }));
  },
};

const mainFile = path.join(folder, 'src/main.ts');

const captureFolder = path.join(folder, '../capture/src');
const captureFile = path.join(captureFolder, 'index.ts');

/**
 * Lets every command, and every module that is loaded on demand, import the program's entry, which is loaded before any of
 * them; and what the capture loads on demand, the capture. What they share then lies in one chunk instead of a dozen small
 * files. Measured: 8 ms of CPU a start.
 */
const oneSharedChunk: Plugin = {
  name: 'one-shared-chunk',
  setup({ onResolve, onLoad, resolve }) {
    const importMain = `import ${JSON.stringify(mainFile)};`;
    onLoad({ filter: /[\\/]src[\\/]commands[\\/].*\.ts$/ }, ({ path: file }) => ({
      contents: `${importMain}\n${readFileSync(file, 'utf8')}`,
      loader: 'ts',
    }));
    onResolve({ filter: /.*/ }, async ({ path: name, kind, importer, resolveDir }) => {
      // Otherwise an import of nothing from it is dropped.
      if (name === captureFile) return { path: name, sideEffects: true };
      if (kind !== 'dynamic-import' || isBuiltin(name) || importer.includes('@oclif')) return undefined;
      const found = await resolve(name, { kind: 'import-statement', importer, resolveDir });
      if (found.errors.length > 0) return undefined;
      const byCapture = importer.startsWith(captureFolder);
      return { path: found.path, namespace: byCapture ? 'on-demand-of-capture' : 'on-demand' };
    });
    const importCapture = `import ${JSON.stringify(captureFile)};`;
    const before = { 'on-demand': importMain, 'on-demand-of-capture': `${importMain} ${importCapture}` };
    for (const [namespace, imports] of Object.entries(before)) {
      onLoad({ filter: /.*/, namespace }, ({ path: file }) => {
        const whole = JSON.stringify(file);
        // A package in CommonJS has its content as the default export too.
        const hasDefault = !/^export /m.test(readFileSync(file, 'utf8'));
        return {
          contents: `${imports} export * from ${whole}; ${hasDefault ? `export { default } from ${whole};` : ''}`,
          resolveDir: folder,
          loader: 'js',
        };
      });
    }
  },
};

function commandEntries(): string[] {
  return readdirSync(path.join(folder, 'src/commands'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Before it is turned into scripts, the bundle runs as modules, to make the manifest. */
const banner =
  "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);";

async function bundle(outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [mainFile, ...commandEntries()],
    outbase: path.join(folder, 'src'),
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.12',
    conditions: ['envsnap-source'],
    chunkNames: 'chunks/[name]-[hash]',
    define: { ENVSNAP_VERSION: JSON.stringify(version) },
    plugins: [
      leaveOutUnused,
      moduleBuilds,
      loadLate,
      measureQuickly,
      replaceExpressions,
      oneSharedChunk,
      lateBuiltins,
    ],
    // CommonJS modules inside the bundle call require for Node.js's own modules.
    banner: { js: banner },
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  return metafile;
}

/**
 * Turns the modules of a bundle into the scripts that `bin/load-bundle.js` runs, and names the whole by its content: V8
 * hands out its code for scripts only, and takes it back for the same text only.
 */
async function writeScripts(outdir: string): Promise<void> {
  const hash = createHash('sha256');
  const files = readdirSync(outdir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  for (const name of files.sort()) {
    const file = path.join(outdir, name);
    const module = readFileSync(file, 'utf8').replace(banner, '');
    const { code } = await transform(module, {
      format: 'cjs',
      platform: 'node',
      target: 'node22.12',
      supported: { 'dynamic-import': false },
      minifyWhitespace: true,
      legalComments: 'none',
    });
    const script = `(function (exports, require, module) {${code}\n})`;
    writeFileSync(file, script);
    hash.update(name).update('\0').update(script);
  }
  writeFileSync(path.join(outdir, 'build-id'), `${hash.digest('hex').slice(0, 16)}\n`);
}

/** Loads every command of a finished bundle once and writes down what help, parsing and look-up need to know. */
async function writeManifest(outdir: string): Promise<void> {
  const { Plugin } = await import('@oclif/core/config');
  const { packageDescription } = (await import(path.join(folder, 'src/program.ts'))) as {
    packageDescription: Record<string, unknown>;
  };
  const plugin = new Plugin({
    root: outdir,
    isRoot: true,
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
    pjson: { ...packageDescription, version },
  } as unknown as ConstructorParameters<typeof Plugin>[0]);
  await plugin.load();
  const expected = commandEntries().length;
  const found = Object.keys(plugin.manifest.commands).length;
  if (found !== expected) throw new Error(`the manifest has ${found} commands, the sources ${expected}`);
  const manifest = JSON.stringify({ ...plugin.manifest, version });
  if (manifest.includes('<%')) throw new Error('help texts are not templates: write `envsnap` itself');
  writeFileSync(path.join(outdir, 'oclif.manifest.json'), manifest);
}

/** Writes the licences of the packages whose code is in the bundle. */
function writeLicences(outdir: string, metafile: Metafile): void {
  const packages = new Map<string, string>();
  for (const input of Object.keys(metafile.inputs)) {
    const file = input.replace(/^on-demand[\w-]*:/, '');
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path.resolve(folder, file));
    if (match?.[1]) packages.set(match[1], match[1]);
  }
  const texts = [...packages.keys()].map((location) => {
    const description = JSON.parse(readFileSync(path.join(location, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
      license?: string;
    };
    const file = readdirSync(location).find((name) => /^licen[cs]e/i.test(name));
    const text = file ? readFileSync(path.join(location, file), 'utf8').trim() : '';
    return `${description.name} ${description.version} (${description.license ?? 'see its page'})\n\n${text}\n`;
  });
  writeFileSync(
    path.join(outdir, 'THIRD-PARTY-LICENSES.txt'),
    [...new Set(texts)].sort().join(`\n${'-'.repeat(72)}\n\n`),
  );
}

// Built beside the old bundle and swapped in, so that a program started meanwhile finds one or the other.
const staging = path.join(folder, 'dist/.bundle');
rmSync(staging, { recursive: true, force: true });
mkdirSync(staging, { recursive: true });
const metafile = await bundle(staging);
await writeManifest(staging);
await writeScripts(staging);
writeLicences(staging, metafile);
writeFileSync(path.join(staging, 'metafile.json'), JSON.stringify(metafile));
for (const name of readdirSync(staging)) {
  const target = path.join(dist, name);
  if (existsSync(target)) rmSync(target, { recursive: true, force: true });
  renameSync(path.join(staging, name), target);
}
rmSync(staging, { recursive: true, force: true });
rmSync(path.join(dist, 'code'), { recursive: true, force: true });
// The published package carries the JSON Schemas: those that @envsnap/compare owns, and one for each command's document.
const schemaFolder = path.join(folder, 'schema');
rmSync(schemaFolder, { recursive: true, force: true });
cpSync(path.join(folder, '../compare/schema'), schemaFolder, { recursive: true });
const { publishedDocuments } = (await import(
  path.join(folder, 'src/documents/published-documents.ts')
)) as typeof import('../src/documents/published-documents.ts');
for (const [name, schema] of Object.entries(publishedDocuments())) {
  writeFileSync(path.join(schemaFolder, name), `${JSON.stringify(schema, null, 2)}\n`);
}
