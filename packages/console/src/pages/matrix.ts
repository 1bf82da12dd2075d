// The newest snapshots of all machines, value by value.

import type { Machine } from '@envsnap/shared';
import { consolePage } from '../frame/document.ts';
import { commandLine, shellCommand } from '../frame/parts.ts';
import { html } from '../markup.ts';
import type { ConsolePage, PageContext } from '../page.ts';

export interface MatrixPageData {
  /** The machines, each with the values of `keys`, as `GET /machine/machines` answers them. At most 100 are shown. */
  readonly machines: readonly Machine[];
  /** How many machines there are in all. */
  readonly total: number;
  /** The values that were asked for beside the usual ones: `env:TZ`, `dependencies:package-lock.json/zod`. */
  readonly keys: readonly string[];
  /** Leaves out what is the same on every machine. */
  readonly onlyDifferent: boolean;
  /** Shows also runtimes that no project asks for and facts that are seldom a cause. */
  readonly all: boolean;
}

/** The page at `matrix[?only=different][&all=1][&key=KEY…]`; `key` may come several times. */
export function matrixPage(context: PageContext, { machines, onlyDifferent }: MatrixPageData): ConsolePage {
  const body = html`<h1>Matrix</h1><ul>${machines.map(({ machineName }) => html`<li>${machineName}</li>`)}</ul>
${commandLine(shellCommand('envsnap', 'matrix', ...(onlyDifferent ? ['--only-different'] : [])))}`;
  return consolePage(context, { title: 'Matrix', body, place: 'matrix' });
}
