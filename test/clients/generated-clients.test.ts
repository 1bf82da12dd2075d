// Clients that public generators make from the API description, compiled and run against the real service: a description that
// generators cannot read, or that the service violates, fails here.
//
// @module-tag release

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from 'quicktype-core';
import { beforeAll, expect, it } from 'vitest';
import { type ServerProcess, startServerProcess } from '../support/programs.ts';
import { words } from '../support/words.ts';

const compiler = path.resolve(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

let server: ServerProcess;
let description: { components: { schemas: object } };
beforeAll(async () => {
  server = await startServerProcess();
  description = (await (await fetch(`${server.url}/openapi.json`)).json()) as typeof description;
});

/** A folder with the flow and a generator's output, from which programs find this repository's packages. */
function folderFor(flow: string, generated: Record<string, string>): string {
  const folder = path.join(import.meta.dirname, 'node_modules/.cache', flow);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(import.meta.dirname, 'flows', flow), path.join(folder, flow));
  for (const [name, text] of Object.entries(generated)) writeFileSync(path.join(folder, name), text);
  return folder;
}

function run(folder: string, command: string, ...args: string[]): string {
  const env = { ...process.env, BASE_URL: server.url };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
  return stdout.trim();
}

/** Every schema of the description in the types of a language. */
async function models(language: 'python' | 'go', schemas: string): Promise<string> {
  const input = new JSONSchemaInput(new FetchingJSONSchemaStore());
  for (const name of Object.keys(description.components.schemas)) {
    const schema = `{"$ref": "#/components/schemas/${name}", "components": {"schemas": ${schemas}}}`;
    await input.addSource({ name, schema });
  }
  const inputData = new InputData();
  inputData.addInput(input);
  const rendererOptions = language === 'go' ? { package: 'main' } : { 'python-version': '3.7' };
  return (await quicktype({ inputData, lang: language, rendererOptions })).lines.join('\n');
}

it('a client in TypeScript compiles, refuses a body of the wrong type, and runs a whole flow', async () => {
  const types = astToString(await openapiTypescript(description as unknown as OpenAPI3));
  const folder = folderFor('flow.ts', { 'description.ts': types, 'package.json': '{"type":"module"}' });
  const options = words`--rewriteRelativeImportExtensions --strict --target es2024 --module nodenext --types node`;
  run(folder, process.execPath, compiler, ...options, '--ignoreConfig', 'flow.ts');
  expect(run(folder, process.execPath, 'flow.js')).toBe('done');
});

it('a client in Python reads every response, and runs a whole flow', async ({ skip }) => {
  if (spawnSync('python3', ['--version']).status !== 0) skip('there is no python3 on this machine');
  // Times stay texts, because quicktype would need a library to parse them.
  const schemas = JSON.stringify(description.components.schemas).replaceAll('"format":"date-time",', '');
  const folder = folderFor('flow.py', { 'models.py': await models('python', schemas) });
  expect(run(folder, 'python3', 'flow.py')).toBe('done');
});

it('a client in Go compiles, knows every field of every response, and runs a whole flow', async ({
  skip,
}) => {
  if (spawnSync('go', ['version']).status !== 0) skip('there is no go on this machine');
  const schemas = JSON.stringify(description.components.schemas);
  const module = 'module flow\n\ngo 1.18\n';
  const folder = folderFor('flow.go', { 'models.go': await models('go', schemas), 'go.mod': module });
  expect(run(folder, 'go', 'run', '.')).toBe('done');
});
