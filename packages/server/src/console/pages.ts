// The pages of the console: what each asks for, and who draws it. Addresses: docs/specification.md §18.

import {
  auditPage,
  type ConsolePage,
  keysPage,
  sharesPage,
  teamPage,
  webhookPage,
  webhooksPage,
} from '@envsnap/console';
import { auditAction, operations } from '@envsnap/shared';
import type { NoteDisclosure } from '../audit/disclosures.ts';
import { AppError } from '../infra/app-error.ts';
import { checkRole } from '../infra/http/check-role.ts';
import type { PackedPage } from '../infra/http/packed-page.ts';
import { bytesOf, type JsonText } from '../infra/json-text.ts';
import type { StoredJobs } from '../snapshots/stored-rows.ts';
import type { Features } from '../work.ts';
import type { makeComparePage, makePage, makeSnapshotPage, PageRequest } from './page-jobs.ts';
import type { Visit } from './visit.ts';

/** A page, drawn here or in the thread of jobs. */
export type MadePage = ConsolePage | JsonText<PackedPage>;

/** Makes the page of an address. */
export type MakePage = (visit: Visit) => Promise<MadePage>;

export interface PageDeps {
  readonly read: Features;
  readonly jobs: StoredJobs<{
    comparePage: typeof makeComparePage;
    snapshotPage: typeof makeSnapshotPage;
    page: typeof makePage;
  }>;
  readonly noteDisclosure: NoteDisclosure;
}

/** Machines and runs on the first page: their snapshots are read whole. */
const fewMachines = '20';
const fewRuns = 10;
/** Runs that are drawn on a time line, and whose names can be chosen. */
const manyRuns = 50;
/** Newest runs that a diagnosis looks at, so that a page is there in a second. */
const diagnosedRuns = 200;
const listedSessions = 100;
/** Snapshots to compare one with: of its machine, and of all. */
const otherSnapshots = 10;

/** The pages by their addresses below the console, as Express writes them. */
export function createPages({ read, jobs, noteDisclosure }: PageDeps) {
  const draw = (visit: Visit, request: PageRequest) =>
    jobs.page({ request, context: visit.context }, visit.jobContext);

  /** The newest runs, without what is in them. */
  const runHeads = ({ principal }: Visit, machineName?: string) =>
    read.snapshots.heads({ projectId: principal.projectId, hasOutcome: true, machineName }, manyRuns);

  async function runs(
    { principal, jobContext }: Visit,
    limit: number,
    filter: { outcome?: string; outcomeOf?: string; after?: string } = {},
  ): Promise<Uint8Array> {
    const { after, ...rest } = filter;
    const list = await read.snapshots.list(
      { projectId: principal.projectId, hasOutcome: true, ...rest },
      { limit, offset: 0, after },
      jobContext.hold,
    );
    return bytesOf(list);
  }

  /** The snapshot that an address names: by id, or the newest one by `latest` or `latest:MACHINE`, as on the command line. */
  async function snapshotIdOf({ principal, query }: Visit, side: 'a' | 'b'): Promise<string> {
    const latest = /^latest(?::(.+))?$/s.exec(query(side) ?? '');
    if (!latest) return idOf(query(side));
    const [head] = await read.snapshots.heads({ projectId: principal.projectId, machineName: latest[1] }, 1);
    if (!head) throw new AppError('snapshot_not_found', 'That machine has no snapshot');
    return head.id;
  }

  async function snapshot(visit: Visit, showsValues: boolean): Promise<MadePage> {
    const { principal, request, context } = visit;
    checkRole(operations.getSnapshot, principal.role);
    const id = idOf(request.params.id);
    if (showsValues) {
      const target = { type: 'snapshot', id } as const;
      await noteDisclosure(request, { action: 'snapshot.variables_read', target, every: true });
    }
    const { projectId } = principal;
    const machineName = await read.snapshots.machineOf(projectId, id);
    const [ofMachine, ofAll] = await Promise.all([
      read.snapshots.heads({ projectId, machineName }, otherSnapshots),
      read.snapshots.heads({ projectId }, otherSnapshots),
    ]);
    const others = [...ofMachine, ...ofAll];
    return jobs.snapshotPage({ id, context, showsValues, others }, visit.jobContext);
  }

  const keys = async (
    visit: Visit,
    made?: Awaited<ReturnType<typeof visit.ask<typeof operations.createKey>>>,
  ) => {
    const { role, projectId, apiKeyId } = visit.principal;
    const mayList = operations.listKeys.access.some((each) => each === role);
    const offset = offsetOf(visit.query('offset'));
    const { sessions, hasMore } = await read.sessions.list(
      { projectId, apiKeyId: mayList ? undefined : apiKeyId, limit: listedSessions, offset },
      visit.sessionId,
    );
    return keysPage(visit.context, {
      keys: mayList ? (await visit.ask(operations.listKeys)).keys : null,
      sessions,
      nextOffset: hasMore ? offset + listedSessions : null,
      made,
    });
  };

  const pages: Readonly<Record<string, MakePage>> = {
    '': async (visit) =>
      draw(visit, {
        page: 'overview',
        machines: await visit.askForBytes(operations.listMachines, {
          query: given({ limit: fewMachines, offset: visit.query('offset') }),
        }),
        runs: await runs(visit, fewRuns),
      }),
    async compare(visit) {
      checkRole(operations.compareSnapshots, visit.principal.role);
      const [a, b] = [await snapshotIdOf(visit, 'a'), await snapshotIdOf(visit, 'b')];
      const all = visit.query('all') === '1';
      return jobs.comparePage({ a, b, all, context: visit.context }, visit.jobContext);
    },
    async matrix(visit) {
      const keys = [visit.request.query.key ?? []]
        .flat()
        .map(String)
        .filter((key) => key !== '');
      const query = given({ limit: '100', keys: keys.length > 0 ? keys.join(',') : undefined });
      return draw(visit, {
        page: 'matrix',
        machines: await visit.askForBytes(operations.listMachines, { query }),
        keys,
        onlyDifferent: visit.query('only') === 'different',
        all: visit.query('all') === '1',
      });
    },
    async history(visit) {
      const [path, machineName] = [visit.query('path'), visit.query('machine')];
      const query = given({ key: path, machineName });
      return draw(visit, {
        page: 'history',
        path: path ?? null,
        machineName: machineName ?? null,
        history: path === undefined ? null : await visit.askForBytes(operations.getHistory, { query }),
        runs: await runHeads(visit, machineName),
      });
    },
    async why(visit) {
      const of = visit.query('of');
      const body = async () => given<unknown>({ outcomeOf: of, last: diagnosedRuns });
      return draw(visit, {
        page: 'why',
        of: of ?? null,
        diagnosis: await visit.askForBytes(operations.diagnose, { body }),
        names: [...new Set((await runHeads(visit)).flatMap(({ run }) => run?.of ?? []))].sort(),
      });
    },
    async runs(visit) {
      const [of, outcome, after] = [visit.query('of'), visit.query('outcome'), visit.query('after')];
      const known = outcome === 'passed' || outcome === 'failed' ? outcome : undefined;
      const filter = given({ outcomeOf: of, outcome: known, after: cursorOf(after) });
      return draw(visit, {
        page: 'runs',
        of: of ?? null,
        outcome: known ?? null,
        list: await runs(visit, 50, filter),
      });
    },
    'snapshots/:id': (visit) => snapshot(visit, false),
    webhooks: async (visit) =>
      webhooksPage(visit.context, { list: await visit.ask(operations.listWebhooks) }),
    'webhooks/:id': async (visit) =>
      webhookPage(visit.context, {
        webhook: await visit.ask(operations.getWebhook, { params: visit.request.params }),
      }),
    keys: (visit) => keys(visit),
    team: async (visit) => teamPage(visit.context, { list: await listMembers(visit) }),
    async audit(visit) {
      const action = auditAction.safeParse(visit.query('action')).data;
      const query = given({ action, after: visit.query('after') });
      return auditPage(visit.context, {
        list: await visit.ask(operations.listAuditEntries, { query }),
        action: action ?? null,
      });
    },
    shares: async (visit) => sharesPage(visit.context, { list: await visit.ask(operations.listShares) }),
  };

  /** What is shown after a form that makes something: it is shown this once. Each sends its form and draws the page. */
  const made = {
    showValues: (visit: Visit) => snapshot(visit, true),
    createKey: async (visit: Visit, body: unknown) =>
      keys(visit, await visit.ask(operations.createKey, { body: async () => body })),
    async createWebhook(visit: Visit, body: unknown) {
      const webhook = await visit.ask(operations.createWebhook, { body: async () => body });
      return webhooksPage(visit.context, { list: await visit.ask(operations.listWebhooks), made: webhook });
    },
    async inviteMember(visit: Visit, body: unknown) {
      const { projectId } = visit.principal;
      const input = { params: { projectId }, body: async () => body };
      const member = await visit.ask(operations.inviteMember, input);
      return teamPage(visit.context, { list: await listMembers(visit), made: member });
    },
    async createShare(visit: Visit, body: unknown) {
      const share = await visit.ask(operations.createShare, { body: async () => body });
      return sharesPage(visit.context, { list: await visit.ask(operations.listShares), made: share });
    },
  } satisfies Readonly<Record<string, (visit: Visit, body: unknown) => Promise<MadePage>>>;

  return { pages, made };
}

function listMembers(visit: Visit) {
  const { projectId } = visit.principal;
  return visit.ask(operations.listMembers, { params: { projectId } });
}

/** What is given of a query or body. */
function given<Value>(values: Record<string, Value | undefined>): Record<string, Value> {
  const pairs = Object.entries(values).filter((pair): pair is [string, Value] => pair[1] !== undefined);
  return Object.fromEntries(pairs);
}

/** An id in an address. What is none names no snapshot. */
function idOf(text: unknown): string {
  const parsed = operations.getSnapshot.params.safeParse({ id: text });
  if (!parsed.success) throw new AppError('snapshot_not_found', 'Snapshot not found');
  return parsed.data.id;
}

function offsetOf(text: string | undefined): number {
  return /^\d{1,7}$/.test(text ?? '') ? Number(text) : 0;
}

function cursorOf(text: string | undefined): string | undefined {
  const parsed = operations.listSnapshots.query.safeParse(given({ after: text }));
  return parsed.success ? parsed.data.after : undefined;
}
