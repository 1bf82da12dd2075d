import { type OperationName, operations, type Role, roles } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import { describeEachDatabase, type OpenDatabase } from '../../support/databases.ts';
import {
  type ApiAnswer,
  startProject,
  startService,
  startServiceOn,
  type TestService,
} from '../../support/service.ts';
import { readTestData } from '../../support/test-data.ts';
import {
  createTargets,
  createWorld,
  pathOf,
  type Targets,
  unknownId,
  validBodyOf,
  type World,
} from './world.ts';

const { table, consuming } = readTestData<{
  table: Record<string, string>;
  consuming: Partial<Record<OperationName, keyof Targets>>;
}>(import.meta);

const refusalOf = (allowed: string) => `Forbidden: requires one of [${allowed}]`;
const missing = (what: string, code: string) => ({ status: 404, error: `${what} not found`, code });

interface Refusal {
  status: number;
  error: string;
  code: string;
}
interface Line {
  /** Status for the roles that may call. */
  status: number;
  /** Roles that may call; the others get 403 with `refusal`. */
  roles: readonly Role[] | 'public';
  refusal: string;
  /** The status for a key of another project with this project's ids; absent if no id is named. */
  elsewhere?: Refusal;
  /** The status for an id that does not exist. */
  unknown?: Refusal;
}

const notAMember = { status: 403, error: 'Not a member of this project', code: 'not_a_member' };
/** The kind of an id: the status for other projects, and for ids that do not exist. */
const targetKinds: Record<string, Pick<Line, 'elsewhere' | 'unknown'>> = {
  project: { elsewhere: notAMember, unknown: missing('Project', 'project_not_found') },
};
for (const [kind, name] of Object.entries({
  key: 'API key',
  snapshot: '',
  share: '',
  webhook: '',
  file: '',
})) {
  const code = `${name.toLowerCase().replace(' ', '_') || kind}_not_found`;
  const none = missing(name || `${kind[0]?.toUpperCase()}${kind.slice(1)}`, code);
  targetKinds[kind] = { elsewhere: none, unknown: none };
}

const lines = Object.fromEntries(
  Object.entries(table).flatMap(([head, called]) => {
    const [status, allowed = '', kind = ''] = head.split(' ');
    const roles = allowed === 'public' ? allowed : allowed.split(',');
    const refusal = refusalOf(allowed.replaceAll(',', ', '));
    const line = { status: Number(status), roles, refusal, ...targetKinds[kind] } as Line;
    return called.split(' ').map((name) => [name, line]);
  }),
) as Record<OperationName, Line>;

const names = Object.keys(operations) as OperationName[];

it('every operation is in the table of who may call it, with the roles that it declares', () => {
  const declared = names.map((name) => {
    const { access } = operations[name];
    return [name, access === 'any' ? roles : access];
  });
  const listed = Object.entries(lines).map(([name, line]) => [name, line.roles]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(declared));
});

function call(service: TestService, name: OperationName, key: string | undefined, targets: World) {
  const operation = operations[name];
  return service.request(operation.method, pathOf(operation, targets), {
    key,
    ...validBodyOf(name, targets),
  });
}

function refused(answer: ApiAnswer, { status, error, code }: Refusal, ...about: string[]) {
  expect(answer.body, about.join(' ')).toMatchObject({
    error,
    code,
    requestId: answer.headers.get('x-request-id'),
  });
  expect(answer.status).toBe(status);
}

/** Two replicas on one database; on SQLite, which has one process, they share the connection. */
async function startReplicas(openDatabase: OpenDatabase) {
  const key = '11'.repeat(32);
  if (openDatabase.databaseName === 'sqlite') {
    const database = await openDatabase();
    return [await startServiceOn(database, {}, key), await startServiceOn(database, {}, key)] as const;
  }
  const target = await openDatabase.target('migrated');
  return [
    await startServiceOn(await openDatabase.again(target), {}, key),
    await startServiceOn(await openDatabase.again(target), {}, key),
  ] as const;
}

describeEachDatabase((openDatabase) => {
  describe('authorization', () => {
    const byRole = 'what the specification lists, and refuses the others with the roles';
    it(`lets a role of the project do ${byRole}: one of each for each operation`, () => answerRoles(true));
    it(`lets every role of the project do ${byRole}`, { tags: 'release' }, () => answerRoles(false));

    async function answerRoles(isSample: boolean): Promise<void> {
      const service = await startService(openDatabase);
      const world = await createWorld(service);
      for (const [place, name] of names.entries()) {
        const line = lines[name];
        const isAllowed = (role: Role) => line.roles === 'public' || line.roles.includes(role);
        const each = [roles.filter(isAllowed), roles.filter((role) => !isAllowed(role))];
        for (const role of isSample ? each.flatMap((some) => some[place % some.length] ?? []) : roles) {
          const allowed = isAllowed(role);
          let targets = world;
          const consumed = consuming[name];
          if (allowed && consumed) {
            const more = await createTargets(service, world.keys.owner, world.projectId, [consumed]);
            targets = { ...world, ...more };
          }
          if (allowed && name === 'deleteProject') targets = await createWorld(service);
          const answer = await call(service, name, targets.keys[role], targets);
          if (allowed) {
            expect([answer.status, answer.body.error], `${name} ${role}`).toEqual([line.status, undefined]);
          } else {
            const refusal = { status: 403, error: line.refusal, code: 'role_forbidden' };
            refused(answer, refusal, name, role);
          }
        }
      }
    }

    const unauthorized = 'answers 401 without a key, and to a malformed, mistyped, unknown or revoked one';
    it(`${unauthorized}: two of them for each operation`, () => answerUnauthorized(2));
    it(unauthorized, { tags: 'release' }, () => answerUnauthorized(6));

    async function answerUnauthorized(sampled: number): Promise<void> {
      const service = await startService(openDatabase);
      const world = await createWorld(service);
      const { apiKey: revoked, apiKeyId } = (
        await service.send(world.keys.owner, 'POST', '/machine/keys', { role: 'admin' })
      ).body;
      await service.send(world.keys.owner, 'DELETE', `/machine/keys/${apiKeyId}`);
      const mistyped = `${world.keys.owner.slice(0, 20)}${world.keys.owner[20] === '0' ? '1' : '0'}${world.keys.owner.slice(21)}`;
      const elsewhere = await startService(openDatabase);
      const { apiKey: unknown } = await elsewhere.bootstrap();
      const invalid = { status: 401, error: 'Invalid API key', code: 'invalid_api_key' };
      const keys = [undefined, '', 'nonsense', mistyped, unknown, revoked];
      for (const [place, name] of names.entries()) {
        for (const key of keys.filter((_, index) => (index + place) % keys.length < sampled)) {
          const answer = await call(service, name, key, world);
          if (lines[name].roles === 'public') {
            expect([name, answer.status]).toEqual([name, lines[name].status]);
            continue;
          }
          refused(
            answer,
            key ? invalid : { status: 401, error: 'Missing X-API-Key header', code: 'missing_api_key' },
          );
          expect(answer.headers.get('www-authenticate')).toBeTruthy();
        }
      }
    }

    it('never lets a key reach another project: 404 for ids, 403 on project and team paths', async () => {
      const service = await startService(openDatabase);
      const world = await createWorld(service);
      const stranger = await createWorld(service);
      for (const name of names) {
        const { elsewhere, roles: allowed, refusal } = lines[name];
        if (!elsewhere) continue;
        for (const role of roles) {
          const answer = await call(service, name, stranger.keys[role], world);
          const lacksRole = allowed !== 'public' && !allowed.includes(role);
          const expected =
            lacksRole && elsewhere !== notAMember
              ? { status: 403, error: refusal, code: 'role_forbidden' }
              : elsewhere;
          refused(answer, expected, name, role);
        }
      }
      const afterwards = await service.send(world.keys.owner, 'GET', `/machine/projects/${world.projectId}`);
      expect(afterwards.body.counts).toEqual({ snapshots: 1, files: 1, members: 5 });
    });

    it('responds to ids that do not exist with 404, to malformed ones with 400', async () => {
      const service = await startService(openDatabase);
      const world = await createWorld(service);
      const ids = ['project', 'key', 'member', 'snapshot', 'webhook', 'file', 'share'];
      const nowhere: World = { ...world, ...Object.fromEntries(ids.map((id) => [`${id}Id`, unknownId])) };
      const malformed = Object.fromEntries(
        Object.entries(nowhere).map(([name, value]) => [name, value === unknownId ? 'not-a-uuid' : value]),
      ) as unknown as World;
      for (const name of names) {
        const { unknown } = lines[name];
        if (!unknown) continue;
        refused(await call(service, name, world.keys.owner, nowhere), unknown, name);
        const answer = await call(service, name, world.keys.owner, malformed);
        expect([name, answer.status, answer.body.code]).toEqual([name, 400, 'validation_failed']);
        expect(answer.body.details.length).toBeGreaterThan(0);
      }
      const noMember = missing('Member', 'member_not_found');
      const noDelivery = missing('Delivery', 'delivery_not_found');
      for (const [method, path, refusal] of [
        ['PATCH', `/machine/team/${world.projectId}/members/${unknownId}`, noMember],
        ['DELETE', `/machine/team/${world.projectId}/members/${unknownId}`, noMember],
        ['POST', `/machine/webhooks/${world.webhookId}/deliveries/${unknownId}/redeliver`, noDelivery],
      ] as const)
        refused(await service.send(world.keys.owner, method, path, { role: 'viewer' }), refusal);
    });

    it('protects the owner, and callers from removing themselves or their own key, with 403', async () => {
      const service = await startService(openDatabase);
      const { keys, keyIds, projectId, ownerMemberId } = await createWorld(service);
      const { members } = (await service.send(keys.owner, 'GET', `/machine/team/${projectId}/members`)).body;
      const memberOf = (keyId: string) =>
        members.find((member: { apiKeyId: string }) => member.apiKeyId === keyId).id as string;
      const memberPath = (id: string) => `/machine/team/${projectId}/members/${id}`;
      const owner = { status: 403, code: 'owner_protected' };
      const own = { status: 403, code: 'own_key_protected' };
      const cases: [string, string, Role, { status: number; code: string }][] = [
        ['DELETE', `/machine/keys/${keyIds.owner}`, 'admin', owner],
        ['DELETE', `/machine/keys/${keyIds.owner}`, 'owner', own],
        ['DELETE', `/machine/keys/${keyIds.admin}`, 'admin', own],
        ['DELETE', `/machine/keys/${keyIds.admin.toUpperCase()}`, 'admin', own],
        ['PATCH', memberPath(ownerMemberId), 'admin', owner],
        ['PATCH', memberPath(ownerMemberId), 'owner', owner],
        ['DELETE', memberPath(ownerMemberId), 'admin', owner],
        ['DELETE', memberPath(ownerMemberId), 'owner', owner],
        ['DELETE', memberPath(memberOf(keyIds.admin)), 'admin', own],
      ];
      for (const [method, path, role, { status, code }] of cases) {
        const answer = await service.send(keys[role], method, path, { role: 'viewer' });
        expect([answer.status, answer.body.code], `${method} ${path} ${role}`).toEqual([status, code]);
        expect(answer.body.error).toEqual(expect.any(String));
      }
      for (const role of roles) {
        const me = await service.send(keys[role], 'GET', '/machine/keys/current');
        expect(me.body).toMatchObject({ id: keyIds[role], role });
      }
    });

    it('refuses the role owner wherever a role can be given', async () => {
      const service = await startService(openDatabase);
      const { keys, projectId, memberId } = await createWorld(service);
      for (const [method, path] of [
        ['POST', '/machine/keys'],
        ['POST', `/machine/team/${projectId}/members`],
        ['PATCH', `/machine/team/${projectId}/members/${memberId}`],
      ] as const)
        for (const role of ['owner', 'OWNER', 'root', '', null, 1, ['admin']]) {
          const answer = await service.send(keys.owner, method, path, { role });
          expect([answer.status, answer.body.code], `${path} ${role}`).toEqual([400, 'validation_failed']);
          expect(answer.body.details[0].path).toBe('role');
        }
      const { members } = (await service.send(keys.owner, 'GET', `/machine/team/${projectId}/members`)).body;
      expect(members.filter((member: { role: string }) => member.role === 'owner')).toHaveLength(1);
    });

    it('applies role changes, revocations and removals to the next request, on every replica', {
      tags: 'both-databases',
    }, async () => {
      const [one, two] = await startReplicas(openDatabase);
      const { projectId, apiKey: owner } = await one.bootstrap();
      const invited = (
        await one.send(owner, 'POST', `/machine/team/${projectId}/members`, { role: 'viewer' })
      ).body;
      const write = (service: TestService) =>
        service.send(invited.apiKey, 'POST', '/machine/snapshots', { machineName: 'm' });
      const setRole = (role: string) =>
        one.send(owner, 'PATCH', `/machine/team/${projectId}/members/${invited.memberId}`, { role });
      expect((await write(two)).status).toBe(403);
      expect((await setRole('member')).body).toEqual({
        success: true,
        memberId: invited.memberId,
        newRole: 'member',
      });
      expect([(await write(two)).status, (await write(one)).status]).toEqual([201, 201]);
      await setRole('viewer');
      expect([(await write(two)).status, (await write(one)).status]).toEqual([403, 403]);
      await setRole('admin');
      expect((await two.send(invited.apiKey, 'GET', '/machine/keys')).status).toBe(200);
      await one.send(owner, 'DELETE', `/machine/team/${projectId}/members/${invited.memberId}`);
      for (const service of [two, one])
        refused(await service.send(invited.apiKey, 'GET', '/machine/usage'), {
          status: 401,
          error: 'Invalid API key',
          code: 'invalid_api_key',
        });
      const second = (await two.send(owner, 'POST', '/machine/keys', {})).body;
      expect((await one.send(second.apiKey, 'GET', '/machine/usage')).status).toBe(200);
      await one.send(owner, 'DELETE', `/machine/keys/${second.apiKeyId}`);
      expect((await two.send(second.apiKey, 'GET', '/machine/usage')).status).toBe(401);
    });

    it('makes every key of a deleted project 401 at once, on every replica', async () => {
      const [one, two] = await startReplicas(openDatabase);
      const world = await createWorld(one);
      expect((await two.send(world.keys.viewer, 'GET', '/machine/usage')).status).toBe(200);
      const deleted = await one.send(world.keys.owner, 'DELETE', `/machine/projects/${world.projectId}`);
      expect(deleted).toMatchObject({ status: 200, body: { success: true, message: expect.any(String) } });
      for (const service of [two, one])
        for (const role of roles) {
          const answer = await service.send(world.keys[role], 'GET', '/machine/keys/current');
          expect([role, answer.status, answer.body.error]).toEqual([role, 401, 'Invalid API key']);
        }
      const stranger = await one.bootstrap();
      refused(
        await two.send(stranger.apiKey, 'GET', `/machine/projects/${world.projectId}`),
        missing('Project', 'project_not_found'),
      );
    });

    it('reads the key from X-API-Key or Authorization, and refuses two that differ', async () => {
      const { service, key: apiKey } = await startProject(openDatabase);
      const other = await service.bootstrap();
      const me = async (headers: Record<string, string>) => {
        const answer = await service.request('GET', '/machine/keys/current', { headers });
        return [answer.status, answer.body.code];
      };
      expect(await me({ authorization: `Bearer ${apiKey}` })).toEqual([200, undefined]);
      expect(await me({ authorization: `bearer ${apiKey}` })).toEqual([200, undefined]);
      expect(await me({ 'x-api-key': apiKey, authorization: `Bearer ${apiKey}` })).toEqual([200, undefined]);
      expect(await me({ 'x-api-key': apiKey, authorization: 'Basic dXNlcjpwYXNz' })).toEqual([
        200,
        undefined,
      ]);
      expect(await me({ authorization: `Basic ${apiKey}` })).toEqual([401, 'missing_api_key']);
      expect(await me({ 'x-api-key': apiKey, authorization: `Bearer ${other.apiKey}` })).toEqual([
        400,
        'conflicting_credentials',
      ]);
      expect(await me({ 'x-api-key': apiKey, authorization: 'Bearer nonsense' })).toEqual([
        400,
        'conflicting_credentials',
      ]);
      expect(await me({ 'x-api-key': apiKey.toUpperCase() })).toEqual([401, 'invalid_api_key']);
    });

    it('opens, guards or closes bootstrap as configured', async () => {
      const bootstrap = async (service: TestService, headers: Record<string, string> = {}) => {
        const answer = await service.request('POST', '/machine/keys/bootstrap', {
          body: { projectName: 'p' },
          headers,
        });
        return [answer.status, answer.body.code];
      };
      const guarded = await startService(openDatabase, {
        ENVSNAP_BOOTSTRAP: 'token',
        ENVSNAP_BOOTSTRAP_TOKEN: 'let me in, please',
      });
      expect(await bootstrap(guarded)).toEqual([401, 'invalid_bootstrap_token']);
      expect(await bootstrap(guarded, { 'x-bootstrap-token': 'let me in, pleas' })).toEqual([
        401,
        'invalid_bootstrap_token',
      ]);
      expect(await bootstrap(guarded, { 'x-bootstrap-token': 'let me in, please' })).toEqual([
        201,
        undefined,
      ]);
      const closed = await startService(openDatabase, { ENVSNAP_BOOTSTRAP: 'closed' });
      expect(await bootstrap(closed)).toEqual([403, 'bootstrap_closed']);
      expect((await closed.request('POST', '/machine/keys/bootstrap', { body: {} })).status).toBe(403);
    });

    it('warns once if a proxy forwards requests while anyone may bootstrap', async () => {
      const warnings = async (mode: string) => {
        const service = await startService(openDatabase, { ENVSNAP_BOOTSTRAP: mode });
        await service.request('GET', '/health');
        const before = service.log().includes('a proxy forwards requests');
        for (let count = 0; count < 2; count += 1)
          await service.request('GET', '/health', { headers: { 'x-forwarded-for': '203.0.113.9' } });
        return [before, service.log().split('a proxy forwards requests').length - 1];
      };
      expect(await warnings('open')).toEqual([false, 1]);
      expect(await warnings('closed')).toEqual([false, 0]);
    });
  });
});
