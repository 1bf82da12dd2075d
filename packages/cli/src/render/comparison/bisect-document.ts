// A bisection as the document that --json prints.

import type { BisectOutcome } from '../../actions/bisect/bisect.ts';
import type { Change, Plan } from '../../actions/bisect/bisect-change.ts';
import type { BisectDocument, ToldChange } from '../../documents/run-documents.ts';
import { type SideTitles, sentenceOf } from './bisect.ts';

export function bisectToDocument(outcome: BisectOutcome, names: SideTitles): BisectDocument {
  const { verdict, causes, runs, skipped, notTried, sides, outputFolder } = outcome;
  return {
    verdict,
    what: sentenceOf(outcome, names),
    cause: causes.flatMap((cause, set) => cause.map((change) => ({ ...toldOf(change), set }))),
    proven: verdict === 'proven',
    runs,
    skipped,
    notTried,
    sides,
    outputFolder,
  };
}

/** The document of a dry run. */
export function planToDocument({ changes, notTried }: Plan): BisectDocument {
  return {
    verdict: 'planned',
    what: null,
    cause: [],
    proven: false,
    runs: 0,
    skipped: 0,
    notTried,
    sides: {},
    outputFolder: null,
    planned: changes.map(toldOf),
  };
}

function toldOf({ id, told }: Change): ToldChange {
  return { key: id, a: told.a, b: told.b };
}
