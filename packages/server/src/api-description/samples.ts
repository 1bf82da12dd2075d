// Samples of each operation for the SDK and the command line, for the reference page.

import type { OperationName } from '@envsnap/shared';
import rows from './samples.json' with { type: 'json' };

interface Sample {
  readonly sdk: string;
  readonly cli: string | null;
}

/** The samples of every operation. `id` and similar names are values from an earlier call. */
export const samples: Readonly<Record<OperationName, Sample>> = rows;
