// The public surface of the console's pages.

export { type ConsoleForm, consoleForms, type FormName, type ReturnedForm } from './forms.ts';
export { type ConsoleCaller, type ConsolePage, type PageContext, rootOf } from './page.ts';
export { type AuditPageData, auditPage } from './pages/audit.ts';
export { errorPage } from './pages/error.ts';
export { filesPage } from './pages/files.ts';
export { type ConsoleSession, type KeysPageData, keysPage } from './pages/keys.ts';
export { overviewPage } from './pages/overview.ts';
export { settingsPage } from './pages/settings.ts';
export { type SharesPageData, sharesPage } from './pages/shares.ts';
export { type SignInPageData, signInPage } from './pages/sign-in.ts';
export { type TeamPageData, teamPage } from './pages/team.ts';
export { type UsagePageData, usagePage } from './pages/usage.ts';
export { attemptsCounted, type SentEvent, type WebhookPageData, webhookPage } from './pages/webhook.ts';
export { type FailingWebhook, type WebhooksPageData, webhooksPage } from './pages/webhooks.ts';
