// One snapshot: what a machine was like at a moment.

import type { Snapshot } from '@envsnap/shared';
import { consolePage } from '../frame/document.ts';
import { commandLine, definitions, moment, shellCommand } from '../frame/parts.ts';
import { html } from '../markup.ts';
import type { ConsolePage, PageContext } from '../page.ts';

export interface SnapshotPageData {
  readonly snapshot: Snapshot;
  /** Whether the values of variables are shown: in the answer to the form `showValues` only. */
  readonly showsValues: boolean;
  /** Other snapshots to compare it with: the newest ones, of this machine and of others. */
  readonly others: readonly {
    readonly id: string;
    readonly machineName: string;
    readonly createdAt: string;
  }[];
}

/**
 * The page at `snapshots/ID`, and the answer to its form `showValues`. Other forms: `createShare`, `deleteSnapshot`. Costs with
 * the size of the snapshot: render it off the server's thread.
 */
export function snapshotPage(context: PageContext, { snapshot }: SnapshotPageData): ConsolePage {
  const body = html`<h1>${snapshot.machineName}</h1>${definitions([['Captured', moment(snapshot.createdAt, context)]])}
${commandLine(shellCommand('envsnap', 'snapshot', 'show', snapshot.id))}`;
  return consolePage(context, { title: snapshot.machineName, body, place: '' });
}
