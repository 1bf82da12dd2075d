// Each command's --json document matches its published schema: every command runs against a real server, and every operation is
// called by one of them.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Operation, type OperationName, operations } from '@envsnap/shared';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  comparisonSchemaFile,
  documentFiles,
  publishedDocuments,
} from '../../packages/cli/src/documents/published-documents.ts';
import {
  createProject,
  createSandbox,
  type Sandbox,
  type ServerProcess,
  startServerProcess,
} from '../support/programs.ts';

const cli = path.resolve(import.meta.dirname, '../../packages/cli');
const readJson = (file: string) => JSON.parse(readFileSync(path.join(cli, file), 'utf8'));

/** The schema with every object closed: the published ones are open for the fields of later versions. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, closed(inner)] as const);
  const isOpen = 'properties' in value && !('additionalProperties' in value);
  return Object.fromEntries(isOpen ? [...entries, ['additionalProperties', false]] : entries);
}

const validators = new Map<string, ValidateFunction>();
function problemsOf(words: string, document: unknown): unknown {
  let validate = validators.get(words);
  if (!validate) {
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    validate = ajv.compile(closed(readJson(`schema/${documentFiles[words]}`)) as object);
    validators.set(words, validate);
  }
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message, params }) => [instancePath, message, params]);
}

/** Operations that no command calls, and why. */
const withoutCommand: Partial<Record<OperationName, string>> = {
  compareSnapshots: 'compare loads both snapshots, since it compares more than the operation does',
  rotateFingerprintKey: 'rotated through the API, rarely',
  getReadiness: 'for load balancers and orchestrators; doctor asks for health',
};

const tried = new Set<string>();
/** Runs a command; its document must match the schema. `words` are the command's own, the first of the arguments. */
async function checked(sandbox: Sandbox, words: string, args: readonly string[] = [], expected: number = 0) {
  const { stdout, exitCode, stderr } = await sandbox.run([...words.split(' '), '--json', ...args]);
  const document = JSON.parse(stdout);
  expect({ exitCode, stderr: exitCode === expected ? '' : stderr }, JSON.stringify(document)).toEqual({
    exitCode: expected,
    stderr: '',
  });
  expect(problemsOf(words, document), `${words} ${args.join(' ')}`).toEqual([]);
  tried.add(words);
  return document;
}

describe('the documents of --json', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess({ ENVSNAP_WEBHOOK_ALLOW: '127.0.0.0/8' });
  });
  const project = async () => {
    const sandbox = createSandbox();
    await createProject(sandbox, server.url);
    return sandbox;
  };

  it('cover projects, keys, members and settings', { tags: 'release' }, async () => {
    const owner = createSandbox();
    await checked(owner, 'init', ['--base-url', server.url, '--project-name', 'shop']);
    const { id: projectId } = await checked(owner, 'project show');
    const saved = await checked(owner, 'project create', ['Other', '--save-profile', 'other']);
    expect(saved.id).toBe(saved.projectId);
    await checked(owner, 'profile list');
    await checked(owner, 'profile use', ['default']);
    const shown = await checked(owner, 'project create', ['Third']);
    expect(shown.apiKey).toMatch(/^mk_/);
    await checked(owner, 'project list');
    expect(await checked(owner, 'project update', ['--name', 'Web'])).toEqual({
      id: projectId,
      updated: projectId,
    });
    await checked(owner, 'audit');
    expect((await checked(owner, 'audit', ['--all'])).total).toBe(2);
    const identity = await checked(owner, 'whoami');
    expect(identity.apiKeyId).toBe(identity.id);
    const key = await checked(owner, 'key create', ['--label', 'ci']);
    expect((await checked(owner, 'key list')).keys).toContainEqual(expect.objectContaining({ id: key.id }));
    expect(await checked(owner, 'key revoke', [key.id, '--yes'])).toEqual({ id: key.id, revoked: key.id });
    const member = await checked(owner, 'team invite', ['--label', 'Ada']);
    expect((await checked(owner, 'team list')).members).toContainEqual(
      expect.objectContaining({ id: member.id }),
    );
    const changed = await checked(owner, 'team role', [member.id, 'viewer']);
    expect(changed).toMatchObject({ id: member.id, role: 'viewer', newRole: 'viewer' });
    await checked(owner, 'team remove', [member.id, '--yes']);
    await checked(owner, 'doctor');
    await checked(owner, 'autocomplete', ['bash']);
    await checked(owner, 'project delete', [saved.id, '--yes', '--profile', 'other']);
    await checked(owner, 'profile remove', ['other', '--yes']);
  });

  it('cover snapshots, comparisons and the commands after them', { tags: 'release' }, async () => {
    const owner = await project();
    await checked(owner, 'capture', ['--dry-run', '--no-env']);
    const first = await checked(owner, 'capture', ['--machine-name', 'm1', '--outcome', 'passed']);
    writeFileSync(path.join(owner.cwd, '.nvmrc'), '1.2.3\n');
    await checked(owner, 'capture', ['--machine-name', 'm2', '--outcome', 'failed', '--hardware']);
    await checked(owner, 'capture', ['--output', 'here.json']);
    await checked(owner, 'snapshot list', ['--limit', '1']);
    expect((await checked(owner, 'snapshot list', ['--all'])).next).toBeNull();
    await checked(owner, 'snapshot show', [first.id]);
    await checked(owner, 'snapshot export', [first.id, '--format', 'dotenv', '--all']);
    writeFileSync(
      path.join(owner.cwd, '.envsnap.yaml'),
      'expect:\n  runtimes: {node: ">=1"}\n  os: [linux, darwin]\nrequired: [NOT_SET_HERE]\n',
    );
    await checked(owner, 'accept', ['toolchain:node', '--reason', 'known', '--until', '2999-01-01']);
    await checked(owner, 'check', [], 1);
    await checked(owner, 'compare', ['latest:m1', 'latest:m2', '--no-policy', '--show-values', '--all'], 1);
    await checked(owner, 'compare', ['here.json', 'local'], 1);
    await checked(owner, 'history', ['runtimes.node']);
    await checked(owner, 'matrix', ['--key', 'metadata.toolchain.node']);
    await checked(owner, 'issue', ['--with', 'latest:m1']);
    await checked(owner, 'open', ['runs']);
    const shared = await checked(owner, 'share', ['latest:m1', 'here.json']);
    expect(shared.stored).toHaveLength(1);
    expect((await checked(owner, 'share list')).shares).toMatchObject([{ id: shared.id }]);
    await checked(owner, 'share delete', [String(shared.id), '--yes']);
    expect((await fetch(String(shared.url))).status).toBe(404);
    await checked(owner, 'run', ['--', 'true']);
    await checked(owner, 'run', ['--', 'false'], 1);
    await checked(owner, 'why', [], 1);
    const here = JSON.parse(readFileSync(path.join(owner.cwd, 'here.json'), 'utf8'));
    here.envVars.APP_MODE = 'other';
    writeFileSync(path.join(owner.cwd, 'there.json'), JSON.stringify(here));
    expect((await checked(owner, 'bisect', ['there.json', '--trust', '--dry-run'])).planned).toHaveLength(1);
    const command = ['--', process.execPath, '-e', 'process.exit(process.env.APP_MODE ? 1 : 0)'];
    const { cause } = await checked(owner, 'bisect', ['there.json', '--trust', '--runs', '1', ...command]);
    expect(cause).toEqual([expect.objectContaining({ key: 'env:APP_MODE' })]);
    const { id } = await checked(owner, 'snapshot delete', [first.id, '--yes']);
    expect(id).toBe(first.id);
  });

  it('of files and usage', { tags: 'release' }, async () => {
    const owner = await project();
    writeFileSync(path.join(owner.cwd, 'notes.txt'), 'text');
    const file = await checked(owner, 'file upload', ['notes.txt']);
    expect(file).toMatchObject({ size: 4, sizeBytes: 4 });
    expect((await checked(owner, 'file list')).files[0]).toMatchObject({ id: file.id, sizeBytes: 4 });
    await checked(owner, 'file list', ['--all']);
    expect(await checked(owner, 'file download', [file.id, '--force'])).toMatchObject({ sizeBytes: 4 });
    await checked(owner, 'file delete', [file.id, '--yes']);
    await checked(owner, 'status');
    await checked(owner, 'usage');
    await checked(owner, 'usage requests');
    await checked(owner, 'usage live');
  });

  it('of webhooks', { tags: 'release' }, async () => {
    const owner = await project();
    const listening = owner.start('webhook listen --no-verify --port 0 --count 2 --json'.split(' '));
    const [, url = ''] = await listening.waitFor('stderr', /Listening on (\S+)/);
    const { id } = await checked(owner, 'webhook create', [url]);
    const { delivery } = await checked(owner, 'webhook test', [id]);
    await checked(owner, 'webhook redeliver', [id, delivery.id]);
    const { exitCode, stdout } = await listening.finished;
    expect(exitCode).toBe(0);
    expect(problemsOf('webhook listen', JSON.parse(stdout))).toEqual([]);
    tried.add('webhook listen');
    await checked(owner, 'webhook list');
    await checked(owner, 'webhook show', [id]);
    await checked(owner, 'webhook update', [id, '--no-active']);
    await checked(owner, 'webhook delete', [id, '--yes']);
  });

  it('cover failures of the service, the program and the command line', async () => {
    const owner = await project();
    const absent = '00000000-0000-7000-8000-000000000000';
    for (const [args, code] of [
      [['snapshot', 'show', absent], 4],
      [['snapshot', 'list', '--limit', 'x'], 2],
      [['project', 'create', ' '], 2],
      [['history', 'nothing'], 2],
      [['whoami', '--base-url', 'http://127.0.0.1:9'], 6],
    ] as const) {
      const { document, exitCode } = await owner.json(args);
      expect(exitCode).toBe(code);
      expect(problemsOf('error', document)).toEqual([]);
    }
    tried.add('error');
  });

  afterAll(() => {
    // Only if the whole file ran, because a single test covers only its own commands.
    const missing = Object.keys(documentFiles).filter((words) => !tried.has(words));
    if (tried.size <= 40) return;
    expect(missing).toEqual([]);
    const answered = server.answered();
    const unasked = Object.values<Operation>(operations)
      .filter(({ method, path: route }) => {
        const pattern = new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`);
        return !answered.some((request) => request.method === method && pattern.test(request.path));
      })
      .map(({ name }) => name);
    expect(unasked.sort(), 'operations that no command asks for').toEqual(Object.keys(withoutCommand).sort());
  });
});

describe('the published schemas', () => {
  it('exist for every command, and for nothing else', () => {
    const { commands } = readJson('dist/oclif.manifest.json') as {
      commands: Record<string, { hidden?: boolean; enableJsonFlag: boolean }>;
    };
    const words = Object.entries(commands)
      .filter(([, { hidden, enableJsonFlag }]) => !hidden && enableJsonFlag)
      .map(([id]) => id.replaceAll(':', ' '));
    expect(Object.keys(documentFiles).sort()).toEqual([...words, 'error'].sort());
  });

  it('are in the package as the sources say', () => {
    for (const [name, schema] of Object.entries(publishedDocuments()))
      expect(readJson(`schema/${name}`)).toEqual(JSON.parse(JSON.stringify(schema)));
    expect(readdirSync(path.join(cli, 'schema')).sort()).toEqual(
      [...Object.keys(publishedDocuments()), comparisonSchemaFile, 'policy.schema.json'].sort(),
    );
  });

  it('say in words what each field of a document is', () => {
    const bare: string[] = [];
    const visit = (schema: Record<string, unknown>, place: string): void => {
      for (const [name, field] of Object.entries((schema.properties ?? {}) as Record<string, never>)) {
        if (!('description' in field)) bare.push(`${place}.${name}`);
        visit(field, `${place}.${name}`);
      }
      if (schema.items) visit(schema.items as never, `${place}[]`);
    };
    for (const name of Object.values(documentFiles)) visit(readJson(`schema/${name}`), name);
    expect(bare).toEqual([]);
  });

  it('leave the bundle as small as it was: it holds none of their sources', () => {
    const { inputs } = readJson('dist/metafile.json') as { inputs: object };
    expect(Object.keys(inputs).filter((file) => file.includes('src/documents/'))).toEqual([]);
  });
});
