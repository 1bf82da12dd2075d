// A bisection as the document that --json prints.

import type { BisectOutcome, BisectVerdict } from '../../actions/bisect/bisect.ts';
import type { Change, NotTried, Plan } from '../../actions/bisect/bisect-change.ts';
import { type SideTitles, sentenceOf } from './bisect.ts';

/** A difference with what each side has: `TZ=Asia/Kolkata`, `no TZ`. Never a secret. */
interface ToldChange {
  readonly key: string;
  readonly a: string;
  readonly b: string;
}

export interface BisectDocument {
  readonly verdict: BisectVerdict | 'planned';
  /** One sentence for a person; null for a plan. */
  readonly what: string | null;
  /** The differences that make the command fail; where `set` differs, each set alone does. */
  readonly cause: readonly (ToldChange & { readonly set: number })[];
  /** Whether it failed with each set alone, and passed with everything but the sets. */
  readonly proven: boolean;
  readonly runs: number;
  readonly notTried: readonly NotTried[];
  /** How often each side failed, as it was measured first. */
  readonly sides: BisectOutcome['sides'];
  /** Folder with the output of each run. */
  readonly outputFolder: string | null;
  /** Only with --dry-run: what would be tried. */
  readonly planned?: readonly ToldChange[];
}

export function bisectToDocument(outcome: BisectOutcome, names: SideTitles): BisectDocument {
  const { verdict, causes, runs, notTried, sides, outputFolder } = outcome;
  return {
    verdict,
    what: sentenceOf(outcome, names),
    cause: causes.flatMap((cause, set) => cause.map((change) => ({ ...toldOf(change), set }))),
    proven: verdict === 'proven',
    runs,
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
    notTried,
    sides: {},
    outputFolder: null,
    planned: changes.map(toldOf),
  };
}

function toldOf({ id, told }: Change): ToldChange {
  return { key: id, a: told.a, b: told.b };
}
