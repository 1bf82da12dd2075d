// Bundles the CLI into dist: every command is an entry with shared chunks, so only the command that runs is loaded. Then writes
// the manifest, so that help and command lookup load no command, and the licences of the bundled packages.

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
import path from 'node:path';
import { build, type Metafile } from 'esbuild';
import { writeLicences } from '../../../scripts/write-licences.ts';
import { bundleOptions } from './bundle-options.ts';

const folder = path.resolve(import.meta.dirname, '..');
const dist = path.join(folder, 'dist');
const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
  version: string;
};

const mainFile = path.join(folder, 'src/main.ts');
const serviceCommands = path.join(folder, 'src/service-commands/table.ts');
const captureThread = path.join(folder, 'src/threads/capture-thread.ts');

function commandEntries(): string[] {
  return readdirSync(path.join(folder, 'src/commands'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** CommonJS modules inside the bundle call require for Node.js's own modules. */
const banner =
  "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);";

async function bundle(outdir: string): Promise<Metafile> {
  // Code that every command needs is one chunk; esbuild would make a dozen small ones. The capture thread does not use it.
  const commands = await bundleEntries(outdir, [mainFile, serviceCommands, ...commandEntries()], [mainFile]);
  const thread = await bundleEntries(outdir, [captureThread], []);
  return {
    inputs: { ...commands.inputs, ...thread.inputs },
    outputs: { ...commands.outputs, ...thread.outputs },
  };
}

async function bundleEntries(outdir: string, entryPoints: string[], inject: string[]): Promise<Metafile> {
  const { metafile } = await build({
    ...bundleOptions(version),
    absWorkingDir: folder,
    entryPoints,
    outbase: path.join(folder, 'src'),
    outdir,
    splitting: true,
    target: 'node22.12',
    chunkNames: 'chunks/[name]-[hash]',
    inject,
    banner: { js: banner },
    metafile: true,
  });
  return metafile;
}

/** Names a finished bundle by its content, because the cache of a capture is valid for one build only. */
function writeBuildId(outdir: string): void {
  const hash = createHash('sha256');
  for (const name of readdirSync(outdir, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.endsWith('.js')) hash.update(name).update(readFileSync(path.join(outdir, name)));
  }
  writeFileSync(path.join(outdir, 'build-id'), `${hash.digest('hex').slice(0, 16)}\n`);
}

/** Loads every command of a finished bundle once and writes down what help, parsing and lookup need to know. */
async function writeManifest(outdir: string): Promise<void> {
  const classes = await describeCommands(outdir, {
    strategy: 'pattern',
    target: './commands',
    globPatterns: ['**/*.js'],
  });
  const expected = commandEntries().length;
  const found = Object.keys(classes).length;
  if (found !== expected) throw new Error(`the manifest has ${found} commands, the sources ${expected}`);
  const relativePath = ['service-commands', 'table.js'];
  const target = `./${relativePath.join('/')}`;
  const rows = await describeCommands(outdir, {
    strategy: 'explicit',
    target,
    identifier: 'serviceCommands',
  });
  for (const [id, row] of Object.entries(rows)) classes[id] = { ...row, relativePath };
  const commands = Object.fromEntries(Object.entries(classes).sort(([x], [y]) => (x < y ? -1 : 1)));
  const manifest = JSON.stringify({ commands, version });
  if (manifest.includes('<%')) throw new Error('help texts are not templates: write `envsnap` itself');
  writeFileSync(path.join(outdir, 'oclif.manifest.json'), manifest);
}

/** The fields that oclif reads of the commands that it finds in a folder. */
async function describeCommands(root: string, commands: object): Promise<Record<string, object>> {
  const { Plugin } = await import('@oclif/core/config');
  const { packageDescription } = (await import(path.join(folder, 'src/program.ts'))) as {
    packageDescription: { oclif: object };
  };
  const plugin = new Plugin({
    root,
    isRoot: true,
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
    pjson: { ...packageDescription, version, oclif: { ...packageDescription.oclif, commands } },
  } as unknown as ConstructorParameters<typeof Plugin>[0]);
  await plugin.load();
  return { ...plugin.manifest.commands };
}

// Built beside the old bundle and swapped in, so that a program that starts at that moment finds one or the other.
const staging = path.join(folder, 'dist/.bundle');
rmSync(staging, { recursive: true, force: true });
mkdirSync(staging, { recursive: true });
const metafile = await bundle(staging);
await writeManifest(staging);
writeBuildId(staging);
writeLicences(path.join(staging, 'THIRD-PARTY-LICENSES.txt'), metafile, folder);
writeFileSync(path.join(staging, 'metafile.json'), JSON.stringify(metafile));
for (const name of readdirSync(staging)) {
  const target = path.join(dist, name);
  if (existsSync(target)) rmSync(target, { recursive: true, force: true });
  renameSync(path.join(staging, name), target);
}
rmSync(staging, { recursive: true, force: true });
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
// The skill for agents is published too.
const { skillText } = (await import(
  path.join(folder, 'src/agents/skill.ts')
)) as typeof import('../src/agents/skill.ts');
writeFileSync(path.join(folder, 'SKILL.md'), skillText);
