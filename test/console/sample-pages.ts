// Every page of the console with data for all of its parts. Each text that others may choose passes through `word`.

import { compareEnvironments } from '@envsnap/compare';
import { diagnose } from '@envsnap/compare/diagnosis';
import { parsePolicy } from '@envsnap/compare/policy';
import {
  auditPage,
  type ConsolePage,
  errorPage,
  filesPage,
  keysPage,
  overviewPage,
  type PageContext,
  settingsPage,
  sharesPage,
  signInPage,
  teamPage,
  usagePage,
  webhookPage,
  webhooksPage,
} from '@envsnap/console';
import {
  comparePage,
  historyPage,
  machinePage,
  matrixPage,
  runPage,
  runsPage,
  searchPage,
  sharePage,
  snapshotPage,
  whyPage,
} from '@envsnap/console/stored';
import type {
  ErrorBody,
  OperationName,
  Operations,
  ProjectHealth,
  ResponseOf,
  Role,
  Snapshot,
} from '@envsnap/shared';
import examples from '../../packages/shared/src/openapi/examples.json' with { type: 'json' };

/** A text of the data, as it must appear. */
export type Word = (text: string) => string;

const now = new Date('2026-11-22T18:00:00.000Z');
const id = (digit: number) => `0193a5c2-0000-7000-8000-${String(digit).padStart(12, '0')}`;
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();

export function sampleContext(word: Word, role: Role | null = 'owner', root = './'): PageContext {
  const caller = role && {
    id: id(1),
    apiKeyId: id(1),
    label: word('anna'),
    role,
    prefix: 'mk_1a2b3c4d',
    createdAt: daysAgo(90),
    lastUsedAt: daysAgo(0),
    expiresAt: null,
    projectId: id(2),
    projectName: word('Shop'),
  };
  return { root, serverUrl: 'https://envsnap.example.com', caller, now };
}

const machineNames = ['ci-runner', 'anna-laptop', 'ben-laptop', 'staging-1', 'build-7'];

/** Fields whose text nobody can choose. */
const fixedFields =
  /^(?:\w*id|snapshots|\w+At|role|format|kind|type|action|events|checksum|apiKey|period|from|to)$/i;

/** A server's response to an operation, with each text passed through `word`. */
function exampleOf<Name extends OperationName>(name: Name, word: Word): ResponseOf<Operations[Name]> {
  const { answer } = (examples as Record<string, { readonly answer?: unknown }>)[name] ?? {};
  const worded = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return fixedFields.test(key) ? value : word(value);
    if (Array.isArray(value)) return value.map((each) => worded(each, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([each, one]) => [each, worded(one, each)]));
  };
  return worded(answer, '') as ResponseOf<Operations[Name]>;
}

/** A snapshot of one of the sample machines, a given number of days old. */
export function sampleSnapshot(word: Word, place: number, age: number, failed?: boolean): Snapshot {
  const isLaptop = place === 1 || place === 2;
  const outcome = failed === undefined ? {} : { outcome: outcomeOf(word, failed) };
  return {
    id: id(100 + place * 50 + Math.round(age)),
    machineName: word(machineNames[place] ?? 'machine'),
    os: isLaptop ? word('darwin') : 'linux',
    arch: isLaptop ? 'arm64' : 'x64',
    createdAt: daysAgo(age),
    runtimeVersions: {
      node: word(failed ? '24.4.1' : '22.11.0'),
      npm: failed ? '11.4.2' : '10.9.0',
      python: place === 3 ? '3.11.2' : '3.12.4',
      [word('terraform')]: '1.9.5',
    },
    dependencies: {
      [word('package-lock.json')]: {
        [word('zod')]: word(place === 1 ? '3.24.0' : '4.0.1'),
        express: '5.1.0',
        ...(isLaptop ? { fsevents: '2.3.3' } : {}),
      },
    },
    envVars: {
      LOG_LEVEL: isLaptop ? 'canary-debug' : 'canary-info',
      PATH: isLaptop ? '/opt/homebrew/bin:/usr/bin' : '/usr/local/bin:/usr/bin',
      [word('TZ')]: word(isLaptop ? 'Europe/Berlin' : 'UTC'),
      ...(isLaptop ? { [word('DATABASE_URL')]: 'hmac:0123456789abcdef0123456789abcdef' } : { CI: 'true' }),
    },
    metadata: {
      ...outcome,
      project: { ecosystems: ['npm'], tools: ['node'] },
      toolchain: {
        node: {
          present: failed ? '24.4.1' : '22.11.0',
          declared: [{ version: word('22.11'), source: word('.nvmrc'), satisfied: !failed }],
        },
      },
      git: { branch: word('main'), commit: '1a2b3c4d5e6f7a8b', dirty: isLaptop },
      system: {
        libc: { family: word('glibc'), version: '2.36' },
        distribution: 'debian 12',
        [word('kernel')]: word('6.1'),
      },
      timezone: isLaptop ? 'Europe/Berlin' : 'UTC',
      facts: {
        'limits.openFiles': isLaptop ? 256 : 1_048_576,
        'process.umask': '0022',
        [word('odd.fact')]: word('value'),
      },
      capture: {
        unknown: [{ section: 'runtimes', key: word('ruby'), reason: word('did not answer within 3 s') }],
      },
      policy: { text: '', path: '.envsnap.yaml' },
    },
  };
}

function outcomeOf(word: Word, failed: boolean) {
  return {
    result: failed ? 'failed' : 'passed',
    of: word('test'),
    attempt: failed ? 2 : 1,
    durationMs: 64_000,
    tests: {
      passed: 120,
      skipped: 3,
      failed: failed ? [word('orders are shown in the reader’s time zone'), word('invoices')] : [],
      flaky: [],
      ran: { digest: 'a'.repeat(64) },
    },
  };
}

/** All pages by name, for a reader of this role. */
export function samplePages(word: Word, role: Role = 'owner'): ReadonlyMap<string, ConsolePage> {
  const context = sampleContext(word, role);
  const below = sampleContext(word, role, '../');
  const error: ErrorBody = {
    error: word('This request cannot be answered.'),
    code: 'validation_error',
    requestId: word('req_1'),
    details: [{ path: word('url'), message: word('must be an absolute http or https URL') }],
  };
  const newest = machineNames.map((_, place) => sampleSnapshot(word, place, place === 3 ? 40 : place / 5));
  const machines = newest.map((latest, place) => ({
    machineName: latest.machineName,
    snapshots: 12 + place,
    latest,
    values: [{ key: word('env:TZ'), value: word('set') }],
  }));
  const runs = Array.from({ length: 12 }, (_, place) =>
    sampleSnapshot(word, place % 2 === 0 ? 0 : 4, place + 0.2, place < 5),
  );
  const policy = parsePolicy(
    'expect:\n  runtimes:\n    node: ">=23"\nrequired: [MISSING_ONE]\nignore: ["env:CI"]\n',
    word('.envsnap.yaml'),
  );
  const [ci, laptop] = newest as [Snapshot, Snapshot];
  const report = compareEnvironments(laptop, ci, { policy, now });
  const ownRules = compareEnvironments(laptop, ci, { now });
  const equal = compareEnvironments(ci, ci, { now });
  const parts = { limit: null, offset: 0 };
  const webhook = {
    id: id(3),
    url: word('https://example.com/hooks/envsnap'),
    events: ['snapshot.created' as const, 'file.deleted' as const],
    format: 'standard' as const,
    active: true,
    createdAt: daysAgo(20),
  };
  const attempt = {
    id: id(4),
    event: word('snapshot.created'),
    attemptedAt: daysAgo(0.1),
    attempt: 1,
    durationMs: 83,
  };
  const answered = { ...attempt, responseStatus: 204, success: true, error: null };
  const refused = { ...attempt, responseStatus: 500, success: false, error: word('answered 500') };
  const sent = JSON.stringify({ event: 'environment.changed', data: { machineName: word('ci-runner') } });
  const timedOut = { ...refused, attempt: 2, responseStatus: null, error: word('no response within 10 s') };
  const keys = [
    { id: id(1), label: word('anna'), role: 'owner' as const },
    { id: id(5), label: word('ci'), role: 'member' as const },
    { id: id(6), label: null, role: 'viewer' as const },
  ].map((key, place) => ({
    ...key,
    apiKeyId: key.id,
    prefix: word(`mk_1a2b3c4${place}`),
    createdAt: daysAgo(50),
    lastUsedAt: place === 2 ? null : daysAgo(place),
    expiresAt: place === 1 ? daysAgo(-40) : null,
  }));
  const series = [0, 4].map((place) => ({
    machineName: machineNames[place] === undefined ? '' : word(machineNames[place]),
    snapshots: 16,
    changes: [
      { at: 15, value: null, outcome: null },
      { at: 12, value: word('22.11.0'), outcome: 'passed' as const },
      { at: 4.2, value: word('24.4.1'), outcome: 'failed' as const },
    ].map(({ at, value, outcome }) => ({
      snapshotId: id(700 + place * 20 + Math.round(at)),
      createdAt: daysAgo(at),
      value,
      outcome,
    })),
  }));
  const steady = {
    machineName: word('staging-1'),
    snapshots: 9,
    changes: series[0]?.changes.slice(1, 2) ?? [],
  };
  const diagnosis = diagnose(
    runs.map((environment, place) => ({ environment, outcome: place < 5 ? 'failed' : 'passed' })),
  );
  const tooFew = diagnose([
    { environment: runs[0] as Snapshot, outcome: 'failed' },
    { environment: runs[9] as Snapshot, outcome: 'passed' },
  ]);
  const whyData = { showsValues: false, test: null, names: [word('test'), word('build')], of: word('test') };
  const list = { total: runs.length, limit: 50, offset: 0, next: id(9), snapshots: runs };
  const share = { sharedAt: daysAgo(0), expiresAt: daysAgo(-7) };
  const failedRun = runs[0] as Snapshot;
  const runReport = compareEnvironments(runs[9] as Snapshot, failedRun, { now });
  const cause = { what: word('node is 24.4.1 where .nvmrc asks for 22.11'), advice: word('Install it') };
  const around = {
    of: word('test'),
    result: 'failed' as const,
    beforeId: id(71),
    afterId: null,
    lastPassedId: id(72),
    failing: { runs: 5, since: daysAgo(3) },
  };
  const changes = runs.slice(0, 4).map((run, place) => ({
    id: run.id,
    previousId: place === 3 ? null : id(80 + place),
    counting: place === 2 ? null : place,
    cause: place === 1 ? cause : null,
  }));
  const hit = (key: string, version: string | null) => ({
    key: word(key),
    versions: [
      { version: version && word(version), machines: [word('ci-runner'), word('build-7')], count: 12 },
    ],
  });
  const health: ProjectHealth = {
    machines: newest.map((each, place) => ({
      machineName: each.machineName,
      snapshotId: each.id,
      createdAt: each.createdAt,
      state: place === 0 ? 'departs' : place < 3 ? 'changed' : 'steady',
      counting: place === 2 ? null : place,
      previousSnapshotId: place === 4 ? null : id(90 + place),
      cause: place < 2 ? cause : null,
    })),
    machineCount: 120,
    runs: [
      {
        of: word('test'),
        last: runs.map((run, place) => ({
          id: run.id,
          result: place < 5 ? 'failed' : 'passed',
          createdAt: run.createdAt,
        })),
        failingSince: daysAgo(3),
        failedRuns: 5,
        lastPassedId: id(72),
        cause,
      },
    ],
    quotas: {
      snapshots: { used: 45, max: 50 },
      runs: { used: 120, max: 1000 },
      files: { used: 1, max: 100 },
      storageBytes: { used: 1234, max: 104_857_600 },
      snapshotBytes: { used: 41_230, max: 268_435_456 },
    },
    webhooks: { failing: 1, ids: [id(3)] },
  };
  const steadyHealth = {
    machines: [{ ...(health.machines[4] as ProjectHealth['machines'][number]), cause: null }],
    runs: [],
    machineCount: 1,
    quotas: { ...health.quotas, snapshots: { used: 3, max: 50 } },
    webhooks: { failing: 0, ids: [] },
  };
  const pages: Record<string, ConsolePage> = {
    'sign-in': signInPage({ ...context, caller: null }, { next: word('compare?a=1'), error: null }),
    'sign-in-refused': signInPage({ ...context, caller: null }, { next: null, error }),
    'sign-in-ended': signInPage(
      { ...context, caller: null },
      { next: null, error: null, hasEnded: true, keepsForm: true },
    ),
    overview: overviewPage(context, { health }),
    'overview-steady': overviewPage(context, { health: { ...health, ...steadyHealth } }),
    'overview-empty': overviewPage(context, {
      health: { ...health, ...steadyHealth, machines: [], machineCount: 0, runs: [] },
    }),
    run: runPage(below, { snapshot: failedRun, around, report: runReport }),
    'run-first': runPage(below, {
      snapshot: failedRun,
      around: { ...around, lastPassedId: null, beforeId: null },
      report: null,
    }),
    'run-passed': runPage(below, {
      snapshot: runs[9] as Snapshot,
      around: { ...around, result: 'passed', failing: null },
      report: null,
    }),
    machine: machinePage(below, { machineName: word('ci-runner'), list, changes, chosen: null }),
    'machine-chosen': machinePage(below, { machineName: word('ci-runner'), list, changes, chosen: id(1) }),
    search: searchPage(context, {
      q: word('no'),
      chosen: null,
      machines: null,
      results: {
        machines: [word('node-builder')],
        tools: [hit('runtimes.node', '22.11.0')],
        packages: [hit('dependencies:package-lock.json/nodemailer', '6.9.1')],
        variables: [hit('env:NODE_ENV', null)],
        searched: 5,
        total: 9,
        isCut: true,
      },
    }),
    'search-none': searchPage(context, {
      q: word('nothing'),
      chosen: null,
      machines: null,
      results: { machines: [], tools: [], packages: [], variables: [], searched: 5, total: 5, isCut: false },
    }),
    'search-machines': searchPage(context, {
      q: null,
      chosen: id(100),
      results: null,
      machines: { machines, total: 9, limit: 50, offset: 0 },
    }),
    files: filesPage(context, { list: { ...exampleOf('listFiles', word), next: id(9) } }),
    usage: usagePage(context, {
      usage: exampleOf('getUsage', word),
      history: {
        period: 'day',
        from: daysAgo(30),
        to: daysAgo(0),
        data: Object.fromEntries(
          Array.from({ length: 20 }, (_, place) => [
            daysAgo(place).slice(0, 10),
            {
              total: 40 + place * 7,
              endpoints: [
                { path: word('/machine/snapshots'), statusCode: 201, count: 40, avgResponseMs: 12 },
                { path: '/console/', statusCode: 429, count: place * 7, avgResponseMs: 1 },
              ],
            },
          ]),
        ),
      },
    }),
    settings: settingsPage(context, { project: { ...exampleOf('getProject', word), role } }),
    compare: comparePage(context, { report, policyProblem: null, all: false }),
    'compare-all': comparePage(context, {
      report: ownRules,
      policyProblem: word('line 3: no such section'),
      all: true,
    }),
    'compare-equal': comparePage(context, { report: equal, policyProblem: null, all: false }),
    matrix: matrixPage(context, {
      machines,
      total: 120,
      keys: [word('env:TZ')],
      known: [word('env:LANG')],
      onlyDifferent: false,
      by: null,
      all: true,
    }),
    'matrix-empty': matrixPage(context, {
      machines: [],
      total: 0,
      keys: [],
      known: [],
      onlyDifferent: false,
      by: null,
      all: false,
    }),
    'matrix-different': matrixPage(context, {
      machines,
      total: 5,
      keys: [],
      known: [],
      onlyDifferent: true,
      by: 'machine',
      all: false,
    }),
    history: historyPage(context, {
      path: word('runtimes.node'),
      known: [word('env:LANG')],
      machineName: word('ci-runner'),
      history: {
        key: word('runtimes.node'),
        series: [...series, steady],
        scanned: 32,
        total: 40,
        limitReached: false,
      },
      runs: runs.map((run, place) => ({
        ...run,
        run: { result: place < 5 ? ('failed' as const) : ('passed' as const), of: word('test') },
      })),
    }),
    'history-empty': historyPage(context, {
      path: null,
      known: [],
      machineName: null,
      history: null,
      runs: [],
    }),
    why: whyPage(context, { ...whyData, diagnosis }),
    'why-values': whyPage(context, { ...whyData, showsValues: true, diagnosis }),
    'why-empty': whyPage(context, { ...whyData, of: null, names: [], diagnosis: diagnose([]) }),
    'why-too-few': whyPage(context, { ...whyData, diagnosis: tooFew }),
    snapshot: snapshotPage(below, {
      snapshot: runs[0] as Snapshot,
      showsValues: false,
      others: [...runs, ...newest],
    }),
    'snapshot-values': snapshotPage(below, { snapshot: laptop, showsValues: true, others: [] }),
    runs: runsPage(context, { list, of: word('test'), outcome: 'failed' }),
    webhooks: webhooksPage(context, {
      list: { ...parts, total: 1, webhooks: [webhook] },
      failing: [{ id: webhook.id, failed: 12, attempts: 12 }],
      made: { ...webhook, secret: word('whsec_c2VjcmV0') },
    }),
    webhook: webhookPage(
      { ...below, done: 'testWebhook' },
      {
        webhook,
        events: [
          {
            id: id(40),
            state: 'retrying',
            nextAttemptAt: daysAgo(-0.1),
            attempts: [timedOut, refused],
            body: sent,
          },
          { id: id(41), state: 'failed', nextAttemptAt: null, attempts: [refused], body: null },
          { id: id(42), state: 'delivered', nextAttemptAt: null, attempts: [answered], body: sent },
        ],
        next: id(43),
        days: [0, 1].map((age) => ({ day: daysAgo(age).slice(0, 10), total: 3, failed: 2 })),
        failing: { id: webhook.id, failed: 3, attempts: 4 },
        event: 'run.failed',
        onlyFailed: true,
      },
    ),
    keys: keysPage(context, {
      keys,
      offset: 0,
      total: 120,
      sessions: [0, 1].map((place) => ({
        id: id(30 + place),
        keyPrefix: word('mk_1a2b3c4d'),
        keyLabel: word('anna'),
        createdAt: daysAgo(1),
        lastUsedAt: daysAgo(0),
        expiresAt: daysAgo(-6),
        current: place === 0,
      })),
      made: exampleOf('createKey', word),
    }),
    'keys-refused': keysPage(
      {
        ...context,
        returned: {
          name: 'createKey',
          fields: { label: word('ci'), role: 'viewer', expiresAt: word('2026-01-01') },
          error: {
            ...error,
            details: [
              { path: 'expiresAt', message: word('must lie in the future') },
              { path: word('elsewhere'), message: word('is odd') },
            ],
          },
        },
      },
      { keys: null, offset: 0, total: 0, sessions: [] },
    ),
    'webhooks-refused': webhooksPage(
      {
        ...context,
        returned: {
          name: 'createWebhook',
          fields: { url: word('nonsense'), 'events[]': 'file.deleted' },
          error: {
            ...error,
            details: ['url', 'events.0'].map((path) => ({ path, message: word('must be another') })),
          },
        },
      },
      { list: { ...parts, total: 0, webhooks: [] }, failing: [] },
    ),
    'shares-returned': sharesPage(
      {
        ...context,
        returned: {
          name: 'createShare',
          fields: { kind: 'snapshot', snapshotId: word(id(1)), expiresIn: '86400' },
          error: null,
        },
      },
      { list: { ...parts, total: 0, shares: [] } },
    ),
    team: teamPage(context, { list: exampleOf('listMembers', word) }),
    audit: auditPage(context, {
      action: 'key.created',
      actor: id(1),
      from: '2026-11-01',
      to: null,
      keys,
      list: { ...exampleOf('listAuditEntries', word), next: id(8) },
    }),
    shares: sharesPage(context, {
      list: exampleOf('listShares', word),
      made: exampleOf('createShare', word),
    }),
    'share-comparison': sharePage(context, { kind: 'comparison', report, ...share }),
    'share-snapshot': sharePage(context, { kind: 'snapshot', snapshot: ci, ...share }),
    error: errorPage(context, { ...error, status: 404, leadsBack: true }),
    'error-limited': errorPage({ ...context, caller: null }, { ...error, status: 429, retryAfter: 12 }),
  };
  return new Map(Object.entries(pages));
}
