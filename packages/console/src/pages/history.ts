// When a value changed, and how the runs around it ended.

import type { Operations, ResponseOf, SnapshotSummary } from '@envsnap/shared';
import { consolePage } from '../frame/document.ts';
import { commandLine, shellCommand } from '../frame/parts.ts';
import { html } from '../markup.ts';
import type { ConsolePage, PageContext } from '../page.ts';

export interface HistoryPageData {
  /** The key that is followed; null where none was asked for yet. */
  readonly path: string | null;
  /** Only this machine; null for all. */
  readonly machineName: string | null;
  /** What `GET /machine/history` answers for it; null with `path`. */
  readonly history: ResponseOf<Operations['getHistory']> | null;
  /** Runs to draw on the same axis: the newest snapshots with an outcome, of the machines that are shown. */
  readonly runs: readonly SnapshotSummary[];
}

/** The page at `history[?path=KEY][&machine=NAME]`. */
export function historyPage(context: PageContext, { path }: HistoryPageData): ConsolePage {
  const body = html`<h1>History</h1>${commandLine(shellCommand('envsnap', 'history', path ?? 'runtimes.node'))}`;
  return consolePage(context, { title: 'History', body, place: 'history' });
}
