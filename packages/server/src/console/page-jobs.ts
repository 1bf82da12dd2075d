// Pages whose cost grows with what is stored, made in the thread of jobs.

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
  type SnapshotPageData,
  searchPage,
  snapshotPage,
  type WhyPageData,
  whyPage,
} from '@envsnap/console/stored';
import type { Operations, ResponseOf } from '@envsnap/shared';
import { type CompressedPage, compressPage } from '../infra/http/compressed-page.ts';
import { judgeStored, readEnvironment } from '../snapshots/stored-environment.ts';
import type { StoredJob } from '../snapshots/stored-rows.ts';

/** Compares two snapshots and draws the page. Errors: `snapshot_not_found`. */
export const makeComparePage: StoredJob<
  { readonly a: string; readonly b: string; readonly all: boolean; readonly context: PageContext },
  CompressedPage
> = async ({ a, b, all, context }, ask) => {
  const verdict = judgeStored(await readEnvironment(ask, a), await readEnvironment(ask, b));
  return compressPage(comparePage(context, { ...verdict, all }));
};

/** Draws the page of a snapshot. Errors: `snapshot_not_found`. */
export const makeSnapshotPage: StoredJob<
  {
    readonly id: string;
    readonly showsValues: boolean;
    readonly others: SnapshotPageData['others'];
    readonly context: PageContext;
  },
  CompressedPage
> = async ({ id, context, showsValues, others }, ask) => {
  const snapshot = await readEnvironment(ask, id);
  const names = Object.keys(snapshot.envVars).map((name) => [name, '']);
  const shown = showsValues ? snapshot : { ...snapshot, envVars: Object.fromEntries(names) };
  return compressPage(snapshotPage(context, { snapshot: shown, showsValues, others }));
};

/** Compares a run with the last one that passed, and draws its page. Errors: `snapshot_not_found`. */
export const makeRunPage: StoredJob<
  { readonly id: string; readonly around: RunAround; readonly context: PageContext },
  CompressedPage
> = async ({ id, around, context }, ask) => {
  const snapshot = await readEnvironment(ask, id);
  const { lastPassedId, result } = around;
  const { report } =
    lastPassedId === null || result === 'passed'
      ? { report: null }
      : judgeStored(await readEnvironment(ask, lastPassedId), snapshot);
  return compressPage(runPage(context, { snapshot, around, report }));
};

type MachineList = ResponseOf<Operations['listMachines']>;

/** JSON of an answer, in UTF-8. */
type AnswerBytes = Uint8Array;

/** A page over answers of the API: what is asked for, and the answers. */
export type PageRequest =
  | ({ readonly page: 'machine'; readonly list: AnswerBytes } & Omit<MachinePageData, 'list'>)
  | ({ readonly page: 'search'; readonly machines: AnswerBytes | null } & Omit<SearchPageData, 'machines'>)
  | ({ readonly page: 'runs'; readonly list: AnswerBytes } & Pick<RunsPageData, 'of' | 'outcome'>)
  | ({ readonly page: 'matrix'; readonly machines: AnswerBytes } & Pick<
      MatrixPageData,
      'keys' | 'known' | 'onlyDifferent' | 'all'
    >)
  | ({
      readonly page: 'history';
      readonly history: AnswerBytes | null;
    } & Pick<HistoryPageData, 'path' | 'known' | 'machineName' | 'runs'>)
  | ({ readonly page: 'why'; readonly diagnosis: AnswerBytes } & Pick<
      WhyPageData,
      'of' | 'test' | 'names' | 'showsValues'
    >);

export const makePage: StoredJob<
  { readonly request: PageRequest; readonly context: PageContext },
  CompressedPage
> = async ({ request, context }) => compressPage(drawPage(request, context));

function drawPage(request: PageRequest, context: PageContext) {
  switch (request.page) {
    case 'machine':
      return machinePage(context, { ...request, list: parse(request.list) });
    case 'search':
      return searchPage(context, { ...request, machines: request.machines && parse(request.machines) });
    case 'runs':
      return runsPage(context, { ...request, list: parse(request.list) });
    case 'matrix': {
      const { machines, total } = parse<MachineList>(request.machines);
      return matrixPage(context, { ...request, machines, total });
    }
    case 'history':
      return historyPage(context, {
        ...request,
        history: request.history && parse(request.history),
      });
    case 'why':
      return whyPage(context, { ...request, diagnosis: parse(request.diagnosis) });
  }
}

const decoder = new TextDecoder();

function parse<Answer>(bytes: AnswerBytes): Answer {
  return JSON.parse(decoder.decode(bytes)) as Answer;
}
