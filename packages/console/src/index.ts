// The public surface of the console's pages.

export { type ConsoleForm, consoleForms, type FormName, maySend } from './forms.ts';
export { type ConsoleCaller, type ConsolePage, type PageContext, rootOf } from './page.ts';
export { type AuditPageData, auditPage } from './pages/audit.ts';
export { type ComparePageData, comparePage } from './pages/compare.ts';
export { errorPage } from './pages/error.ts';
export { type HistoryPageData, historyPage } from './pages/history.ts';
export { type ConsoleSession, type KeysPageData, keysPage } from './pages/keys.ts';
export { type MatrixPageData, matrixPage } from './pages/matrix.ts';
export { type OverviewPageData, overviewPage } from './pages/overview.ts';
export { type RunsPageData, runsPage } from './pages/runs.ts';
export { type SharedContent, sharePage } from './pages/share.ts';
export { type SharesPageData, sharesPage } from './pages/shares.ts';
export { type SignInPageData, signInPage } from './pages/sign-in.ts';
export { type SnapshotPageData, snapshotPage } from './pages/snapshot.ts';
export { type TeamPageData, teamPage } from './pages/team.ts';
export { type WebhookPageData, webhookPage } from './pages/webhook.ts';
export { type WebhooksPageData, webhooksPage } from './pages/webhooks.ts';
export { type WhyPageData, whyPage } from './pages/why.ts';
