// What a diagnosis cannot tell apart: keys whose runs are the same.

import type { Feature } from './run-table.ts';
import type { Split } from './splits.ts';

export interface Group {
  readonly members: readonly {
    readonly feature: Feature;
    readonly split: Split;
    readonly weight: number;
    /** The code that most of the passing runs without the trait have; undefined for what is not described by it. */
    readonly passingCode: number | undefined;
    /** Only repeats another member, or is the image or machine that brought it. */
    readonly echo: boolean;
  }[];
  readonly split: Split;
  readonly qValue: number;
  /** When the runs that have it began; null when they are mixed with the others. */
  readonly since: string | null;
}
