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
  type SnapshotPageData,
  searchPage,
  snapshotPage,
  type WhyPageData,
  whyPage,
} from '@envsnap/console/stored';
import type { Operations, ResponseOf } from '@envsnap/shared';
import { type CompressedPage, compressPage } from '../infra/http/compressed-page.ts';
import type { AskForRows, StoredJob } from '../snapshots/snapshot-rows.ts';
import { readEnvironment } from '../snapshots/stored-environment.ts';

type MachineList = ResponseOf<Operations['listMachines']>;

type AnswerBytes = Uint8Array;

/** A page: its address, and the API responses that it shows. */
export type PageRequest =
  | { readonly page: 'compare'; readonly a: string; readonly b: string; readonly all: boolean }
  | ({ readonly page: 'snapshot'; readonly id: string } & Omit<SnapshotPageData, 'snapshot'>)
  | { readonly page: 'run'; readonly id: string; readonly around: RunAround }
  | ({ readonly page: 'machine'; readonly list: AnswerBytes } & Omit<MachinePageData, 'list'>)
  | ({ readonly page: 'search'; readonly machines: AnswerBytes | null } & Omit<SearchPageData, 'machines'>)
  | ({ readonly page: 'runs'; readonly list: AnswerBytes } & Pick<RunsPageData, 'of' | 'outcome'>)
  | ({ readonly page: 'matrix'; readonly machines: AnswerBytes } & Pick<
      MatrixPageData,
      'keys' | 'known' | 'onlyDifferent' | 'all' | 'by'
    >)
  | ({
      readonly page: 'history';
      readonly history: AnswerBytes | null;
    } & Pick<HistoryPageData, 'path' | 'known' | 'machineName' | 'runs'>)
  | ({ readonly page: 'why'; readonly diagnosis: AnswerBytes } & Pick<
      WhyPageData,
      'of' | 'test' | 'names' | 'showsValues'
    >);

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
      const { id, showsValues, others } = request;
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
