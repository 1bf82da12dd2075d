// The frame of every console page: navigation, the result of the last form, and the policy for the browser.

import { operations } from '@envsnap/shared';
import { consoleForms, isAllowed } from '../forms.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';
import { bareDocument, documentPolicy } from './bare-document.ts';
import { problemBesideFields } from './field.ts';
import { postForm } from './post-form.ts';

/** The links of the navigation, in order: the address relative to the console's first page, the label, and who may see it. */
const groups = {
  Diagnose: [
    ['', 'Overview', operations.getProjectHealth.access],
    ['runs', 'Runs', operations.listSnapshots.access],
    ['why', 'Why', operations.diagnose.access],
    ['matrix', 'Matrix', operations.listMachines.access],
    ['history', 'History', operations.getHistory.access],
    ['search', 'Search', operations.listMachines.access],
  ],
  Project: [
    ['shares', 'Shares', operations.listShares.access],
    ['files', 'Files', operations.listFiles.access],
    ['webhooks', 'Webhooks', operations.listWebhooks.access],
    ['keys', 'Keys', 'any'],
    ['team', 'Team', operations.listMembers.access],
    ['audit', 'Audit', operations.listAuditEntries.access],
    ['usage', 'Usage', operations.getUsage.access],
    ['settings', 'Settings', operations.getProject.access],
  ],
} as const;

type NavigationPlace = (typeof groups)[keyof typeof groups][number][0];

interface DocumentParts {
  readonly title: string;
  readonly body: MarkupContent;
  /** The link of the navigation that is marked as current; null for none. */
  readonly place: NavigationPlace | null;
  /** HTTP status. Default 200, or 400 if the page shows a refused form again. */
  readonly status?: number;
  /** `data-verdict` of the main part, for programs. */
  readonly verdict?: string | undefined;
  /** Uses the whole width of the window. Default false. */
  readonly wide?: boolean;
}

const contentSecurityPolicy = documentPolicy("form-action 'self'", "frame-ancestors 'none'");

export function consolePage(
  context: PageContext,
  { title, body, place, status = context.returned?.error ? 400 : 200, verdict, wide = false }: DocumentParts,
): ConsolePage {
  const document = bareDocument({
    title,
    body: html`<a class="skip" href="#main">Skip to the content</a>
${context.caller === null ? null : navigation(context, place)}
<main id="main"${wide ? html` class="wide"` : null}${verdict === undefined ? null : html` data-verdict="${verdict}"`}>
${noticeOf(context)}
${body}
</main>`,
  });
  return { status, html: document, contentSecurityPolicy };
}

function navigation(context: PageContext, place: NavigationPlace | null): MarkupContent {
  const { caller } = context;
  const lists = Object.entries(groups).map(([name, places]) => {
    const links = places
      .filter(([, , access]) => isAllowed(caller?.role ?? null, access))
      .map(
        ([path, label]) =>
          html`<li><a href="${linkTo(context, [path])}"${path === place ? html` aria-current="page"` : null}>${label}</a></li>`,
      );
    return html`<ul aria-label="${name}">${links}</ul>`;
  });
  return html`<header class="top">
<div class="bar"><a class="brand" href="${context.root}">envsnap</a> <span class="project">${caller?.projectName}</span>
<span class="who dim">${caller?.role}, key <code>${caller?.prefix}…</code>${caller?.label ? html` ${caller.label}` : null}</span>
<form method="get" action="${linkTo(context, ['search'])}" class="find" role="search" aria-label="Project"><input type="search" name="q" maxlength="200" placeholder="Search (press /)" aria-label="Machine, tool, package or variable"></form>
<a href="${context.root}../docs">API</a>
${postForm(context, 'signOut', { label: 'Sign out' })}</div>
<nav aria-label="Console">${lists}</nav>
</header>`;
}

function noticeOf({ done, returned, isShownNoMore }: PageContext): MarkupContent {
  if (returned !== undefined) {
    if (returned.error === null)
      return html`<p class="notice done" role="status">The form below has what you typed before your session ended. Nothing has been sent yet.</p>`;
    const problems = problemBesideFields(returned);
    return (
      problems.length > 0 &&
      html`<div class="notice refused" role="alert">${problems.map((problem) => html`<p>${problem}</p>`)}</div>`
    );
  }
  if (isShownNoMore)
    return html`<p class="notice caution" role="status">This address showed a result for ten minutes. Reloading it created nothing. If you did not copy the result, delete what you created and create another.</p>`;
  const notice = done === undefined ? '' : consoleForms[done].done;
  return notice !== '' && html`<p class="notice done" role="status">${notice}</p>`;
}
