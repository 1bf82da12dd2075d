// Pages whose cost grows with what is stored, rendered in the job thread.

import { judgeStored, relations } from '@envsnap/compare/workspace/machines/verdict';
import type { PageContext } from '@envsnap/console';
import {
  comparePage,
  type HistoryPageData,
  historyPage,
  type MachinePageData,
  type MatrixPageData,
  machinePage,
  matrixPage,
  type RunAround,
  type RunsPageData,
  runPage,
  runsPage,
  type SearchPageData,
  searchPage,
  snapshotPage,
  type WhyPageData,
  whyPage,
} from '@envsnap/console/stored';
import type { Operations, ResponseOf } from '@envsnap/shared';
import { type CompressedPage, compressPage } from '../infra/http/compressed-page.ts';
import type { AskForRows, StoredJob } from '../snapshots/snapshot-rows.ts';
import { readEnvironment } from '../snapshots/stored-environment.ts';

/** Data of a page, with one of its parts as the API returned it. */
type Sent<Data, Part extends keyof Data> = Omit<Data, Part> & {
  readonly [Name in Part]: Uint8Array | Extract<Data[Name], null>;
};

/** A page: what is asked for, and the answers of the API that it is drawn from. */
export type PageRequest =
  | { readonly page: 'compare'; readonly a: string; readonly b: string; readonly all: boolean }
  | ({ readonly page: 'snapshot'; readonly id: string } & {
      readonly showsValues: boolean;
      readonly others: readonly Uint8Array[];
    })
  | { readonly page: 'run'; readonly id: string; readonly around: RunAround }
  | ({ readonly page: 'machine' } & Sent<MachinePageData, 'list'>)
  | ({ readonly page: 'search' } & Sent<SearchPageData, 'machines'>)
  | ({ readonly page: 'runs' } & Sent<RunsPageData, 'list'>)
  | ({ readonly page: 'matrix' } & Sent<Omit<MatrixPageData, 'total'>, 'machines'>)
  | ({ readonly page: 'history' } & Sent<HistoryPageData, 'history'>)
  | ({ readonly page: 'why' } & Sent<WhyPageData, 'diagnosis'>);

/** Draws a page. Errors: `snapshot_not_found`. */
export const makePage: StoredJob<
  { readonly request: PageRequest; readonly context: PageContext },
  CompressedPage
> = async ({ request, context }, ask) => compressPage(await drawPage(request, context, ask));

async function drawPage(request: PageRequest, context: PageContext, ask: AskForRows) {
  switch (request.page) {
    case 'compare': {
      const verdict = judgeStored(
        await readEnvironment(ask, request.a),
        await readEnvironment(ask, request.b),
      );
      return comparePage(context, { ...verdict, all: request.all });
    }
    case 'snapshot': {
      const { id, showsValues } = request;
      const others = request.others.flatMap((list) => parse<RunsPageData['list']>(list).snapshots);
      const snapshot = await readEnvironment(ask, id);
      const names = Object.keys(snapshot.envVars).map((name) => [name, '']);
      const shown = showsValues ? snapshot : { ...snapshot, envVars: Object.fromEntries(names) };
      return snapshotPage(context, { snapshot: shown, showsValues, others });
    }
    case 'run': {
      // Compared with the last run that passed.
      const { id, around } = request;
      const snapshot = await readEnvironment(ask, id);
      const { lastPassedId, result } = around;
      const { report } =
        lastPassedId === null || result === 'passed'
          ? { report: null }
          : judgeStored(await readEnvironment(ask, lastPassedId), snapshot, relations.run);
      return runPage(context, { snapshot, around, report });
    }
    case 'machine':
      return machinePage(context, { ...request, list: parse(request.list) });
    case 'search':
      return searchPage(context, { ...request, machines: request.machines && parse(request.machines) });
    case 'runs':
      return runsPage(context, { ...request, list: parse(request.list) });
    case 'matrix': {
      const { machines, total } = parse<ResponseOf<Operations['listMachines']>>(request.machines);
      return matrixPage(context, { ...request, machines, total });
    }
    case 'history':
      return historyPage(context, { ...request, history: request.history && parse(request.history) });
    case 'why':
      return whyPage(context, { ...request, diagnosis: parse(request.diagnosis) });
  }
}

const decoder = new TextDecoder();

function parse<Answer>(bytes: Uint8Array): Answer {
  return JSON.parse(decoder.decode(bytes)) as Answer;
}
