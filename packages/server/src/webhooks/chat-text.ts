// The text of an event in a chat: one to four lines for people. docs/specification.md §5.

import type { WebhookFormat, WebhookPayload } from '@envsnap/shared';
import { counted } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';

/** The services that take such lines. Mattermost, Rocket.Chat and Google Chat also take `slack`. */
type ChatFormat = 'slack' | 'discord';

/** Longest part that came from a capture or a person, in UTF-16 units: four lines stay under the 2,000 that Discord takes. */
const longestPart = 300;

const broadcast = /@(?=(?:everyone|here|channel|all)\b)/giu;
const discordToken = /<(?=[@#:a-z/])/giu;
/** Invisible; separates texts that would otherwise be read as one word. */
const wordBreak = '\u200b';

/** The body that a webhook with this format gets for an event. */
export function bodySent(
  format: WebhookFormat,
  { payload, console_url }: { readonly payload: string; readonly console_url: string | null },
): string {
  return format === 'standard' ? payload : chatBody(format, payload, console_url);
}

export function chatBody(format: ChatFormat, payload: string, consoleUrl: string | null): string {
  const text = chatText(format, JSON.parse(payload) as WebhookPayload, consoleUrl);
  return JSON.stringify(format === 'slack' ? { text } : { content: text });
}

function chatText(format: ChatFormat, payload: WebhookPayload, consoleUrl: string | null): string {
  const part = (text: string) => quoted(format, text);
  const [lines, page] = linesOf(payload, part);
  // In angle brackets, Discord shows no preview of a page that asks for a key anyway.
  const link = consoleUrl === null || page === null ? [] : [`${consoleUrl}${page}`];
  const shown = format === 'slack' ? link.map(escapeSlack) : link.map((url) => `<${url}>`);
  return [...lines, ...shown].join('\n');
}

type Quote = (text: string) => string;

function linesOf(payload: WebhookPayload, part: Quote): [lines: string[], page: string | null] {
  switch (payload.event) {
    case 'environment.changed': {
      const { machineName, counting, causes, previousSnapshotId, snapshotId } = payload.data;
      const verb = counting === 1 ? 'counts' : 'count';
      return [
        [
          `${part(machineName)} changed: ${counted(counting, 'difference')} ${verb}.`,
          ...causeLines(causes, part),
        ],
        `compare?a=${previousSnapshotId}&b=${snapshotId}`,
      ];
    }
    case 'run.failed': {
      const { of, machineName, failingSince, causes, snapshotId } = payload.data;
      const since = `${failingSince.slice(0, 16).replace('T', ' ')} UTC`;
      return [
        [`${part(of)} fails on ${part(machineName)}, since ${since}.`, ...causeLines(causes, part)],
        `runs/${snapshotId}`,
      ];
    }
    case 'run.recovered': {
      const { of, machineName, failedRuns, snapshotId } = payload.data;
      const after = `after ${counted(failedRuns, 'failed run')}`;
      return [[`${part(of)} passes again on ${part(machineName)}, ${after}.`], `runs/${snapshotId}`];
    }
    case 'snapshot.created':
      return [
        [`A snapshot of ${part(payload.data.machineName)} was stored.`],
        `snapshots/${payload.data.snapshotId}`,
      ];
    case 'snapshot.deleted':
      return [[`The snapshot ${part(payload.data.snapshotId)} was deleted.`], null];
    case 'file.uploaded':
      return [[`The file ${part(payload.data.filename)} was uploaded.`], null];
    case 'file.deleted':
      return [[`The file ${part(payload.data.filename)} was deleted.`], null];
    case 'member.invited':
      return [[`A member was invited, with the role ${part(payload.data.role)}.`], 'team'];
    case 'member.removed':
      return [['A member was removed, and the key revoked.'], 'team'];
    case 'key.expiring': {
      const { label, role, expiresAt } = payload.data;
      const key = label === null ? `A key with the role ${part(role)}` : `The key ${part(label)}`;
      return [[`${key} ends on ${expiresAt.slice(0, 10)}.`], 'keys'];
    }
    case 'webhook.test':
      return [['envsnap can reach this channel: this is a test.'], `webhooks/${payload.data.webhookId}`];
  }
}

function causeLines(causes: readonly { what: string; advice: string }[], part: Quote): string[] {
  const [first] = causes;
  if (!first) return [];
  const more = causes.length > 1 ? `, and ${causes.length - 1} more` : '';
  return [`Likeliest cause: ${part(first.what)}${more}`, `To do: ${part(first.advice)}`];
}

/** Text that is data: as code, where no service looks for mentions, links or markup. */
function quoted(format: ChatFormat, text: string): string {
  const line = visible(text).replaceAll('`', "'");
  const cut = line.length > longestPart ? `${line.slice(0, longestPart).toWellFormed()}…` : line;
  const code = `\`${cut.replace(broadcast, `@${wordBreak}`)}\``;
  return format === 'slack' ? escapeSlack(code) : code.replace(discordToken, `<${wordBreak}`);
}

/** Escapes as Slack asks for: without `<` there is neither a mention nor a link. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
