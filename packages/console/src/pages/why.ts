// What separates the runs that failed from those that passed.

import type { DiagnosisAnswer } from '@envsnap/shared';
import { consolePage } from '../frame/document.ts';
import { commandLine, shellCommand } from '../frame/parts.ts';
import { html } from '../markup.ts';
import type { ConsolePage, PageContext } from '../page.ts';

export interface WhyPageData {
  /** Only runs of this name; null for all. */
  readonly of: string | null;
  /** Names of runs to choose from. */
  readonly names: readonly string[];
  readonly diagnosis: DiagnosisAnswer;
}

/** The page at `why[?of=NAME]`. */
export function whyPage(context: PageContext, { of, diagnosis }: WhyPageData): ConsolePage {
  const body = html`<h1>Why runs fail</h1><ol>${diagnosis.findings.map(({ what }) => html`<li>${what}</li>`)}</ol>
${commandLine(shellCommand('envsnap', 'why', ...(of === null ? [] : ['--outcome-of', of])))}`;
  return consolePage(context, { title: 'Why', body, place: 'why' });
}
