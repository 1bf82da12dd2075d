// The pages over snapshots: machines, runs, comparisons and what follows from them. All are drawn in the thread of jobs.

import { operations } from '@envsnap/shared';
import type { NoteDisclosure } from '../audit/disclosures.ts';
import { AppError } from '../infra/app-error.ts';
import { checkRole } from '../infra/http/check-role.ts';
import { validate } from '../infra/http/validate.ts';
import { bytesOf } from '../infra/json-text.ts';
import type { StoredJobs } from '../snapshots/stored-rows.ts';
import type { Features } from '../work.ts';
import type { makeComparePage, makePage, makeSnapshotPage, PageRequest } from './page-jobs.ts';
import { given, type MadePage, type Visit } from './visit.ts';

export interface SnapshotPageDeps {
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
/** Snapshots to compare one with: of its machine, and of all. */
const otherSnapshots = 10;

/** The pages by their addresses below the console, as Express writes them. */
export function createSnapshotPages({ read, jobs, noteDisclosure }: SnapshotPageDeps) {
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
    const { projectId } = principal;
    const machineName = await read.snapshots.machineOf(projectId, id);
    const [ofMachine, ofAll] = await Promise.all([
      read.snapshots.heads({ projectId, machineName }, otherSnapshots),
      read.snapshots.heads({ projectId }, otherSnapshots),
    ]);
    const others = [...ofMachine, ...ofAll];
    const page = await jobs.snapshotPage({ id, context, showsValues, others }, visit.jobContext);
    if (showsValues) {
      const target = { type: 'snapshot', id } as const;
      await noteDisclosure(request, { action: 'snapshot.variables_read', target, every: true });
    }
    return page;
  }

  async function why(visit: Visit, of: unknown, showsValues: boolean): Promise<MadePage> {
    const { principal, request, jobContext } = visit;
    checkRole(operations.diagnose, principal.role);
    const body = given({ outcomeOf: of, last: diagnosedRuns });
    const asked = validate(operations.diagnose.body, body, 'body');
    const diagnosis = bytesOf(await read.diagnosis.diagnose(asked, jobContext, !showsValues));
    if (showsValues) {
      const target = { type: 'project', id: principal.projectId } as const;
      await noteDisclosure(request, { action: 'diagnosis.made', target, every: true });
    }
    const names = new Set((await runHeads(visit)).flatMap(({ run }) => run?.of ?? []));
    if (asked.outcomeOf !== undefined) names.add(asked.outcomeOf);
    return draw(visit, {
      page: 'why',
      of: asked.outcomeOf ?? null,
      showsValues,
      diagnosis,
      names: [...names].sort(),
    });
  }

  const pages = {
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
    why: (visit) => why(visit, visit.query('of'), false),
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
  } satisfies Record<string, (visit: Visit) => Promise<MadePage>>;

  /** Forms whose answer is a page by itself. */
  const answers = {
    showValues: (visit: Visit) => snapshot(visit, true),
    showDiagnosis: (visit: Visit, { of }: Record<string, unknown>) => why(visit, of, true),
  };
  return { pages, answers };
}

/** An id in an address. What is none names no snapshot. */
function idOf(text: unknown): string {
  const parsed = operations.getSnapshot.params.safeParse({ id: text });
  if (!parsed.success) throw new AppError('snapshot_not_found', 'Snapshot not found');
  return parsed.data.id;
}

function cursorOf(text: string | undefined): string | undefined {
  const parsed = operations.listSnapshots.query.safeParse(given({ after: text }));
  return parsed.success ? parsed.data.after : undefined;
}
