// The pages about snapshots: machines, runs, comparisons and so on. All are rendered in the job thread.

import { overviewPage } from '@envsnap/console';
import { operations, type ResponseOf } from '@envsnap/shared';
import type { NoteDisclosure } from '../audit/disclosures.ts';
import { AppError } from '../infra/app-error.ts';
import { checkRole } from '../infra/http/check-role.ts';
import { validate } from '../infra/http/validate.ts';
import { bytesOf } from '../infra/json-text.ts';
import type { StoredJobs } from '../snapshots/snapshot-rows.ts';
import type { Features } from '../work.ts';
import type { makePage, PageRequest } from './page-jobs.ts';
import { given, type MadePage, type Visit } from './visit.ts';

export interface SnapshotPageDeps {
  readonly read: Features;
  readonly jobs: StoredJobs<{ page: typeof makePage }>;
  readonly noteDisclosure: NoteDisclosure;
}

/** Snapshots on one page of a machine. The changes at each are computed once. */
const machineSnapshots = 20;
/** Machines on a page that lists them, whose newest snapshots are read. */
const machinesListed = '50';
const longestSearch = 200;
/** Runs that a timeline shows, and whose names are offered. */
const manyRuns = 50;
/** Newest runs that a diagnosis reads, so that a page takes about a second. */
const diagnosedRuns = 200;
/** Number of snapshots that are offered for a comparison: of the same machine, and of all machines. */
const otherSnapshots = 10;

/** The pages by their addresses below the console, as Express writes them. */
export function createSnapshotPages({ read, jobs, noteDisclosure }: SnapshotPageDeps) {
  const draw = (visit: Visit, request: PageRequest) =>
    jobs.page({ request, context: visit.context }, visit.jobContext);

  async function knownValues({ jobContext }: Visit): Promise<readonly string[]> {
    const { tools, variables } = await read.snapshots.search('', jobContext);
    return ['os', 'arch', ...[...tools, ...variables].map(({ key }) => key)];
  }

  const runHeads = ({ principal }: Visit, machineName?: string) =>
    read.snapshots.heads({ projectId: principal.projectId, hasOutcome: true, machineName }, manyRuns);

  const listed = async (
    { principal: { projectId }, jobContext }: Visit,
    limit: number,
    filter: Record<string, string | true | undefined>,
  ) => {
    const { after, ...rest } = filter as { after?: string };
    const page = { limit, offset: 0, after };
    return bytesOf(await read.snapshots.list({ projectId, ...rest }, page, jobContext.hold));
  };

  /** The snapshot that an address names: by id, or the newest one by `latest` or `latest:MACHINE`, as on the command line. */
  async function snapshotIdOf({ principal, query }: Visit, side: 'a' | 'b'): Promise<string> {
    const latest = /^latest(?::(.+))?$/s.exec(query(side) ?? '');
    if (query(side) === undefined)
      throw new AppError(
        'snapshot_not_found',
        'Choose two snapshots, on the start page or on the page of a machine',
      );
    if (!latest) return idOf(query(side));
    const [head] = await read.snapshots.heads({ projectId: principal.projectId, machineName: latest[1] }, 1);
    if (!head) throw new AppError('snapshot_not_found', 'That machine has no snapshot');
    return head.id;
  }

  async function snapshot(visit: Visit, showsValues: boolean): Promise<MadePage> {
    const { principal, request } = visit;
    checkRole(operations.getSnapshot, principal.role);
    const id = idOf(request.params.id);
    const { projectId } = principal;
    const machineName = await read.snapshots.machineOf(projectId, id);
    const others = await Promise.all(
      [{ machineName }, {}].map((filter) => listed(visit, otherSnapshots, filter)),
    );
    const page = await draw(visit, { page: 'snapshot', id, showsValues, others });
    if (showsValues) {
      const target = { type: 'snapshot', id } as const;
      await noteDisclosure(request, { action: 'snapshot.variables_read', target, every: true });
    }
    return page;
  }

  async function why(visit: Visit, of: unknown, test: unknown, showsValues: boolean): Promise<MadePage> {
    const { principal, request, jobContext } = visit;
    checkRole(operations.diagnose, principal.role);
    const body = given({ outcomeOf: of, test, last: diagnosedRuns });
    const query = validate(operations.diagnose.body, body, 'body');
    const diagnosis = bytesOf(await read.diagnosis.diagnose(query, jobContext, !showsValues));
    if (showsValues) {
      const target = { type: 'project', id: principal.projectId } as const;
      await noteDisclosure(request, { action: 'diagnosis.made', target, every: true });
    }
    const names = new Set((await runHeads(visit)).flatMap(({ run }) => run?.of ?? []));
    if (query.outcomeOf !== undefined) names.add(query.outcomeOf);
    return draw(visit, {
      page: 'why',
      of: query.outcomeOf ?? null,
      test: query.test ?? null,
      showsValues,
      diagnosis,
      names: [...names].sort(),
    });
  }

  const pages = {
    '': async ({ ask, context }) => overviewPage(context, { health: await ask(operations.getProjectHealth) }),
    async 'machines/:name'(visit) {
      const { principal, jobContext } = visit;
      const { projectId } = principal;
      const named = { machineName: visit.request.params.name };
      const { machineName = '' } = validate(operations.listSnapshots.query, named, 'path');
      const after = cursorOf(visit.query('after'));
      const page = { limit: machineSnapshots, offset: 0, after };
      const list = await read.snapshots.list({ projectId, machineName }, page, jobContext.hold);
      const heads = (JSON.parse(list.text) as SnapshotList).snapshots;
      if (heads.length === 0 && after === undefined)
        throw new AppError('snapshot_not_found', 'No machine with this name has a snapshot');
      const changes = await read.health.changes(
        heads.map(({ id }) => id),
        jobContext,
      );
      return draw(visit, {
        page: 'machine',
        machineName,
        list: bytesOf(list),
        changes,
        chosen: chosenOf(visit),
      });
    },
    async search(visit) {
      const q = visit.query('q')?.trim().slice(0, longestSearch) || null;
      const page = given({ limit: machinesListed, offset: visit.query('offset') });
      return draw(visit, {
        page: 'search',
        q,
        chosen: chosenOf(visit),
        results: q === null ? null : await read.snapshots.search(q, visit.jobContext),
        machines: q === null ? await visit.askForBytes(operations.listMachines, { query: page }) : null,
      });
    },
    async 'runs/:id'(visit) {
      const id = idOf(visit.request.params.id);
      const around = await read.health.aroundRun(visit.principal.projectId, id);
      if (!around)
        throw new AppError('snapshot_not_found', 'This run does not exist; it may have been deleted');
      return draw(visit, { page: 'run', id, around });
    },
    async compare(visit) {
      checkRole(operations.compareSnapshots, visit.principal.role);
      const [a, b] = [await snapshotIdOf(visit, 'a'), await snapshotIdOf(visit, 'b')];
      const all = visit.query('all') === '1';
      return draw(visit, { page: 'compare', a, b, all });
    },
    async matrix(visit) {
      const keys = [visit.request.query.key ?? []]
        .flat()
        .map(String)
        .filter((key) => key !== '');
      const by = visit.query('by');
      const query = given({ limit: '100', keys: keys.length > 0 ? keys.join(',') : undefined });
      return draw(visit, {
        page: 'matrix',
        machines: await visit.askForBytes(operations.listMachines, { query }),
        keys,
        known: await knownValues(visit),
        onlyDifferent: visit.query('only') === 'different',
        all: visit.query('all') === '1',
        by: by === 'machine' || by === 'value' ? by : null,
      });
    },
    async history(visit) {
      const [path, machineName] = [visit.query('path'), visit.query('machine')];
      const query = given({ key: path, machineName, snapshots: visit.query('snapshots') });
      return draw(visit, {
        page: 'history',
        path: path ?? null,
        known: await knownValues(visit),
        machineName: machineName ?? null,
        history: path === undefined ? null : await visit.askForBytes(operations.getHistory, { query }),
        runs: await runHeads(visit, machineName),
      });
    },
    why: (visit) => why(visit, visit.query('of'), visit.query('test'), false),
    async runs(visit) {
      const [of, outcome, after] = [visit.query('of'), visit.query('outcome'), visit.query('after')];
      const known = outcome === 'passed' || outcome === 'failed' ? outcome : undefined;
      const filter = { hasOutcome: true as const, outcomeOf: of, outcome: known, after: cursorOf(after) };
      return draw(visit, {
        page: 'runs',
        of: of ?? null,
        outcome: known ?? null,
        list: await listed(visit, 50, filter),
      });
    },
    'snapshots/:id': (visit) => snapshot(visit, false),
  } satisfies Record<string, (visit: Visit) => Promise<MadePage>>;

  const answers = {
    showValues: (visit: Visit) => snapshot(visit, true),
    showDiagnosis: (visit: Visit, { of, test }: Record<string, unknown>) => why(visit, of, test, true),
  };
  return { pages, answers };
}

/** The snapshot that was chosen on another page, to be compared with the next one. */
function chosenOf(visit: Visit): string | null {
  const chosen = visit.query('with');
  return chosen === undefined ? null : idOf(chosen);
}

function idOf(text: unknown): string {
  const parsed = operations.getSnapshot.params.safeParse({ id: text });
  if (!parsed.success) throw new AppError('snapshot_not_found', 'Snapshot not found');
  return parsed.data.id;
}

type SnapshotList = ResponseOf<typeof operations.listSnapshots>;

function cursorOf(text: string | undefined): string | undefined {
  const parsed = operations.listSnapshots.query.safeParse(given({ after: text }));
  return parsed.success ? parsed.data.after : undefined;
}
