// Generates requests from the operations table: valid, nearly valid and hostile ones. Ids are placeholders (`{snapshotId}`),
// filled with existing ids when a request is sent.

import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Operation, type OperationName, operations, webhookEvents } from '@envsnap/shared';
import fc from 'fast-check';
import { anyCharacter } from '../../support/generated.ts';
import { multipart } from './world.ts';

/** The sender of a request. */
const callers = [
  'owner',
  'admin',
  'member',
  'viewer',
  'stranger',
  'nobody',
  'malformed',
  'revoked',
  'conflicting',
] as const;
export type Caller = (typeof callers)[number];

export interface GeneratedRequest {
  readonly name: OperationName;
  readonly method: string;
  /** With placeholders such as `{snapshotId}`. */
  readonly target: string;
  readonly caller: Caller;
  readonly headers: Readonly<Record<string, string>>;
  /** With placeholders, if it is text. */
  readonly body: string | Uint8Array | undefined;
}

const names = Object.keys(operations) as OperationName[];

const hostileText = fc.constantFrom(
  '',
  ' ',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e',
  '\ufeff',
  "' OR '1'='1",
  '"; drop table projects; --',
  '../../etc/passwd',
  '%00',
  '%n%s',
  '#{7*7}',
  '<script>',
  'x'.repeat(300),
  'y'.repeat(3000),
  '9'.repeat(400),
  '1e309',
  '-1',
  '\r\nX-Injected: 1',
  '😀'.repeat(130),
);
const anyText = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  hostileText,
);
/** One of the texts, which are separated by spaces. */
const oneOf = (words: string) => fc.constantFrom(...words.trim().split(/\s+/));
const idRef = oneOf(`{snapshotId} {webhookId} {fileId} {keyId} {memberId} {projectId}
  {strangerProjectId} {strangerSnapshotId} 01936000-0000-7000-8000-000000000000`);

/** Any JSON: deep, wide or odd. */
const anyJson = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 3, arbitrary: anyText },
  {
    weight: 1,
    arbitrary: fc.constantFrom(null, true, 0, -0, 1e308, 2 ** 53, [], {}, [[]], [null], { '': '' }),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1, max: 200 })
      .map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth))),
  },
  { weight: 1, arbitrary: idRef },
);

const name = fc.oneof(fc.string({ minLength: 1, maxLength: 200 }), anyText);
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const map = (value: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.oneof(fc.string({ maxLength: 20 }), anyText), value, { maxKeys: 6 });
const role = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('admin', 'member', 'viewer') },
  { weight: 1, arbitrary: fc.constantFrom('owner', 'root', '') },
);
const newKey = fc.record({ label: optional(fc.option(anyText)), role: optional(role) });
/** Literal addresses only: tests must not use a name server. */
const webhookUrl = oneOf(`http://127.0.0.1:9/hook https://10.0.0.1/ http://[::1]:9/x?y=z
  http://2130706433/ http://0x7f.1/ http://user:pw@127.0.0.1/ ftp://127.0.0.1/ http://`);
const events = fc.array(
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...webhookEvents) }, { weight: 1, arbitrary: anyText }),
  { maxLength: 7 },
);
const texts = fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: 'grapheme', maxLength: 10 }));

/** Bodies that are valid more often than not. */
const bodies: Partial<Record<OperationName, fc.Arbitrary<object>>> = {
  bootstrap: fc.record({ projectName: name, description: optional(fc.option(anyText)) }),
  createProject: fc.record({ name, description: optional(fc.option(anyText)) }),
  updateProject: fc.record({ name: optional(name), description: optional(fc.option(anyText)) }),
  createKey: newKey,
  inviteMember: newKey,
  updateMember: fc.record({ role }),
  createSnapshot: fc.record({
    machineName: fc.oneof(fc.string({ minLength: 1, maxLength: 40 }), anyText),
    os: optional(fc.option(texts)),
    arch: optional(fc.option(texts)),
    runtimeVersions: optional(map(texts)),
    dependencies: optional(map(map(texts))),
    envVars: optional(map(texts)),
    metadata: optional(map(fc.jsonValue({ maxDepth: 2 }))),
  }),
  compareSnapshots: fc.record({
    snapshotA: fc.oneof(
      { weight: 5, arbitrary: fc.constant('{snapshotId}') },
      { weight: 1, arbitrary: idRef },
    ),
    snapshotB: fc.oneof(
      { weight: 5, arbitrary: fc.constant('{snapshotId}') },
      { weight: 1, arbitrary: idRef },
    ),
    includeEnvValues: optional(fc.boolean()),
    compareEnvValues: optional(fc.boolean()),
  }),
  diagnose: fc.record({
    passed: optional(fc.array(fc.oneof(fc.constant('{snapshotId}'), idRef), { maxLength: 3 })),
    failed: optional(fc.array(fc.constant('{snapshotId}'), { maxLength: 3 })),
    outcomeOf: optional(anyText),
    machineName: optional(anyText),
    last: optional(fc.integer({ min: -1, max: 2000 })),
  }),
  createShare: fc.record({
    kind: fc.constant('snapshot'),
    snapshotId: fc.constant('{snapshotId}'),
    expiresIn: optional(fc.integer({ min: 200, max: 2_600_000 })),
  }),
  createConsoleLink: fc.record({
    page: optional(fc.oneof(fc.constantFrom('runs', 'compare?a=1&b=2'), anyText)),
  }),
  createWebhook: fc.record({ url: webhookUrl, events, secret: optional(anyText) }),
  updateWebhook: fc.record({
    url: optional(webhookUrl),
    events: optional(events),
    active: optional(fc.boolean()),
  }),
};

/** A body as it is sent: valid, with a field corrupted or left out, any JSON, or not JSON. */
function bodyOf(operationName: OperationName): fc.Arbitrary<string | Uint8Array | undefined> {
  const valid = bodies[operationName];
  const rubbish = fc.oneof(
    fc.constantFrom('', '{', '[]', 'null', '"', '{"a":}', '\ufeff{}', '{}{}', '[1,', 'true'),
    anyJson.map((value) => JSON.stringify(value)),
    fc.uint8Array({ maxLength: 200 }),
  );
  if (!valid)
    return fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: rubbish });
  const spoilt = fc.tuple(valid, fc.nat(), anyJson, fc.boolean()).map(([body, at, value, drop]) => {
    const keys = Object.keys(body);
    const key = keys[at % Math.max(1, keys.length)] ?? 'x';
    return JSON.stringify({ ...body, [key]: drop ? undefined : value });
  });
  return fc.oneof(
    { weight: 10, arbitrary: valid.map((body) => JSON.stringify(body)) },
    { weight: 5, arbitrary: spoilt },
    { weight: 1, arbitrary: rubbish },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

const paramRefs: Record<string, string> = {
  projectId: '{projectId}',
  memberId: '{memberId}',
  deliveryId: '{deliveryId}',
};
const idRefs: Partial<Record<Operation['group'], string>> = {
  keys: '{keyId}',
  projects: '{projectId}',
  snapshots: '{snapshotId}',
  shares: '{shareId}',
  webhooks: '{webhookId}',
  files: '{fileId}',
};

function pathOf(operation: Operation): fc.Arbitrary<string> {
  const parts = operation.path.split('/').map((part) => {
    if (!part.startsWith(':')) return fc.constant(part);
    const ofGroup = operation.path.includes(':deliveryId') ? '{sentWebhookId}' : idRefs[operation.group];
    const reference = paramRefs[part.slice(1)] ?? ofGroup ?? '{snapshotId}';
    return fc.oneof(
      { weight: 12, arbitrary: fc.constant(reference) },
      { weight: 1, arbitrary: idRef },
      { weight: 1, arbitrary: fc.constant('{strangerId}') },
      {
        weight: 1,
        arbitrary: fc.oneof(
          anyText.filter((text) => !/\p{Surrogate}/u.test(text)).map(encodeURIComponent),
          fc.constantFrom('%zz', '%E0%A4%A', '%00', '..', '.', '%2e%2e', '%2F', '*', ':id', '~'),
        ),
      },
    );
  });
  return fc.tuple(...parts).map((values) => values.join('/'));
}

const queryValue = fc.oneof(
  fc.oneof(
    {
      weight: 14,
      arbitrary: oneOf('1 50 100 0 -1 abc 1e3 999999999999999 2026-02-01 2026-02-30 %zz %00 + x%ED%A0%80'),
    },
    { weight: 1, arbitrary: fc.constant('') },
  ),
  oneOf('hour day week month year os arch runtimes.node env.PATH metadata.a.b dependencies:f/p runtimes.*'),
  anyText.filter((text) => !/\p{Surrogate}/u.test(text)).map(encodeURIComponent),
);
const queryName = oneOf(
  'limit offset machineName os arch from to period key keys snapshots unknown __proto__ limit[]',
);
const query = fc
  .array(fc.tuple(queryName, queryValue), { maxLength: 4 })
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map(([key, value]) => `${key}=${value}`).join('&')}`));

/** Text that a header can carry. */
const headerText = fc.oneof(
  fc.string({ maxLength: 40 }).map((text) => text.trim()),
  fc.constantFrom('x'.repeat(255), 'x'.repeat(256), 'é', 'a,b', '"a"', '*'),
);
const oddHeaders = fc.dictionary(
  oneOf(`if-none-match x-request-id accept accept-encoding x-forwarded-for x-http-method-override
    range cookie x-bootstrap-token`),
  headerText,
  { maxKeys: 2 },
);
const idempotencyKey = fc.option(fc.constantFrom('k1', 'k2', 'k3', '', 'x'.repeat(300)), {
  nil: undefined,
  freq: 3,
});

/** How a JSON body is encoded. */
const travel = fc.oneof(
  { weight: 20, arbitrary: fc.constant('plain') },
  { weight: 3, arbitrary: fc.constantFrom('gzip', 'br') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'wrong type',
      'no type',
      'wrong charset',
      'lying encoding',
      'unknown encoding',
    ),
  },
);

const uploads = fc
  .oneof(
    { weight: 6, arbitrary: fc.tuple(fc.uint8Array({ maxLength: 2000 }), texts) },
    { weight: 2, arbitrary: fc.tuple(fc.uint8Array({ maxLength: 10 }), hostileText) },
  )
  .map(([bytes, filename]) => multipart(bytes, filename.replace(/["\r\n]/g, '_')));
const brokenUploads = fc.constantFrom(
  multipart('x', 'f.txt', 'other'),
  { body: Buffer.from('--b\r\n\r\n'), headers: { 'content-type': 'multipart/form-data; boundary=b' } },
  { body: Buffer.from('{}'), headers: { 'content-type': 'application/json' } },
  { body: Buffer.from('x'), headers: { 'content-type': 'multipart/form-data' } },
  { body: Buffer.alloc(0), headers: { 'content-type': 'multipart/form-data; boundary=b' } },
  { body: multipart('x').body.subarray(0, 60), headers: multipart('x').headers },
);

function dress(body: string | Uint8Array | undefined, how: string) {
  if (body === undefined) return { body, headers: {} };
  const type = { 'content-type': 'application/json' };
  if (how === 'gzip') return { body: gzipSync(body), headers: { ...type, 'content-encoding': 'gzip' } };
  if (how === 'br') return { body: brotliCompressSync(body), headers: { ...type, 'content-encoding': 'br' } };
  if (how === 'wrong type') return { body, headers: { 'content-type': 'text/plain' } };
  if (how === 'no type') return { body, headers: {} };
  if (how === 'wrong charset')
    return { body, headers: { 'content-type': 'application/json; charset=utf-16' } };
  if (how === 'lying encoding') return { body, headers: { ...type, 'content-encoding': 'gzip' } };
  if (how === 'unknown encoding') return { body, headers: { ...type, 'content-encoding': 'exi' } };
  return { body, headers: type };
}

function requestTo(operationName: OperationName): fc.Arbitrary<GeneratedRequest> {
  const operation: Operation = operations[operationName];
  const content = operation.upload
    ? fc.oneof({ weight: 4, arbitrary: uploads }, { weight: 1, arbitrary: brokenUploads })
    : fc.tuple(bodyOf(operationName), travel).map(([body, how]) => dress(body, how));
  return fc
    .record({
      path: pathOf(operation),
      query: operation.query
        ? query
        : fc.oneof({ weight: 8, arbitrary: fc.constant('') }, { weight: 1, arbitrary: query }),
      content,
      caller: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...(['owner', 'admin'] as const)) },
        { weight: 4, arbitrary: fc.constantFrom(...callers) },
      ),
      odd: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: oddHeaders }),
      key: idempotencyKey,
      method: fc.oneof(
        { weight: 40, arbitrary: fc.constant(operation.method) },
        {
          weight: 1,
          arbitrary: fc.constantFrom('PUT', 'OPTIONS', 'TRACE', 'DELETE', 'POST', 'GET', 'PATCH'),
        },
      ),
    })
    .map(({ path, query: queryText, content: { body, headers }, caller, odd, key, method }) => ({
      name: operationName,
      method,
      target: path + queryText,
      caller,
      body,
      headers: { ...odd, ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    }));
}

/** Requests to all operations; deletions of projects are rare, because they remove what all requests use. */
export const generatedRequest: fc.Arbitrary<GeneratedRequest> = fc.oneof(
  ...names.map((operationName) => ({
    weight: operationName === 'deleteProject' ? 1 : operationName.startsWith('delete') ? 6 : 10,
    arbitrary: requestTo(operationName),
  })),
);
