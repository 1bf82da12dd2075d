// Deliveries to chats, with stand-ins that accept messages as Slack and Discord document: https://docs.slack.dev/messaging and
// https://docs.discord.com/developers/resources/webhook.

import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { chatBody } from '../../../packages/server/src/webhooks/chat-text.ts';
import { type WebhookPayload, webhookEventData } from '../../../packages/shared/src/webhook.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject } from '../../support/service.ts';
import { readTestData } from '../../support/test-data.ts';
import { startReceiver } from './receiver.ts';

const { payload, names } = readTestData<{ payload: WebhookPayload; names: string[] }>(import.meta);

/** A message as a reader sees it: the text, and links and mentions that the service made. */
interface Message {
  readonly lines: string[];
  readonly links: string[];
  readonly mentions: string[];
}

const bareLink = /https?:\/\/\S+/g;
/** The text outside code, where services look for links and markup. */
const withoutCode = (text: string) => text.replace(/`[^`\n]*`/g, '');

/** Reads a message as Slack does. Throws if Slack would return 400. */
function readSlack(body: string): Message {
  const { text, ...rest } = JSON.parse(body);
  if (typeof text !== 'string' || text === '') throw new Error('no_text');
  if (Object.keys(rest).length > 0) throw new Error('unexpected members');
  if (/&(?!amp;|lt;|gt;)/.test(text)) throw new Error('an ampersand that is not escaped');
  const tokens = text.match(/<[^>]*>/g) ?? [];
  const decode = (part: string) =>
    part.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return {
    lines: decode(text).split('\n'),
    links: [...tokens, ...(withoutCode(text).match(bareLink) ?? [])].map(decode),
    mentions: [...tokens, ...(text.match(/@(?:channel|here|everyone|all)\b/g) ?? [])],
  };
}

/** Reads a message as Discord does. Throws if Discord would return 400. */
function readDiscord(body: string): Message {
  const { content, ...rest } = JSON.parse(body);
  if (typeof content !== 'string' || content === '') throw new Error('Cannot send an empty message');
  if (content.length > 2000) throw new Error('Must be 2000 or fewer in length.');
  if (Object.keys(rest).length > 0) throw new Error('unexpected members');
  const outside = withoutCode(content);
  return {
    lines: content.split('\n'),
    links: (outside.match(bareLink) ?? []).map((link: string) => link.replace(/>$/, '')),
    mentions: content.match(/<(?:@|#|:|a:|t:|\/|id:)|@(?:everyone|here)\b/g) ?? [],
  };
}

const readers = { slack: readSlack, discord: readDiscord } as const;
const consoleUrl = 'https://envsnap.example.com/console/';

/** Names that would be mentions, links or markup. */
const hostile = [...names, 'x'.repeat(255), '@'.repeat(255)];

function payloadOf(event: keyof typeof webhookEventData, name: string): WebhookPayload {
  const id = '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77';
  const timestamp = '2026-02-07T13:05:00.000Z';
  const cause = { what: name.repeat(4), advice: name };
  const values: Record<string, unknown> = { failingSince: timestamp, expiresAt: timestamp, counting: 3 };
  const own = { failedRuns: 2, causes: [cause, cause, cause] };
  const data = Object.fromEntries(
    Object.keys(webhookEventData[event].shape).map((key) => [
      key,
      /Id$/.test(key) ? id : ({ ...values, ...own }[key] ?? name),
    ]),
  );
  return { id, event, timestamp, data } as WebhookPayload;
}

describe.each(['slack', 'discord'] as const)('a message for %s', (format) => {
  const read = (payload: WebhookPayload, url: string | null = consoleUrl) =>
    readers[format](chatBody(format, JSON.stringify(payload), url));
  const events = Object.keys(webhookEventData) as (keyof typeof webhookEventData)[];

  it.each(events)('for %s has one to four lines, in which a name is only text, and one link', (event) => {
    for (const name of hostile) {
      const { lines, links, mentions } = read(payloadOf(event, name));
      expect(lines.length).toBeLessThanOrEqual(4);
      expect(mentions, name).toEqual([]);
      expect(
        links.filter((link) => !link.startsWith(consoleUrl)),
        name,
      ).toEqual([]);
      expect(links.length).toBeLessThanOrEqual(1);
      expect(read(payloadOf(event, name), null).links).toEqual([]);
    }
  });

  it('says what changed, the likeliest cause, and what to do', () => {
    const url = `${consoleUrl}compare?a=old&b=new`;
    expect(read(payload).lines).toEqual([
      '`ci-runner` changed: 2 differences count.',
      'Likeliest cause: `node is 22.11.0 before, 24.4.1 now (major)`, and 1 more',
      'To do: `use node 22.11.0 now`',
      format === 'slack' ? url : `<${url}>`,
    ]);
    expect(read(payload).links).toEqual([url]);
  });
});

describeEachDatabase((openDatabase) => {
  it('delivers to chats what they accept, signed as it is sent', async () => {
    const { service, key } = await startProject(openDatabase, {
      ENVSNAP_WEBHOOK_ALLOW: '127.0.0.0/8',
      ENVSNAP_JOB_SECONDS: '100',
    });
    const receivers = {} as Record<keyof typeof readers, Awaited<ReturnType<typeof startReceiver>>>;
    const secrets = new Map<string, string>();
    for (const format of ['slack', 'discord'] as const) {
      receivers[format] = await startReceiver(({ body }) => {
        try {
          readers[format](body.toString());
          return format === 'slack' ? 200 : 204;
        } catch {
          return 400;
        }
      });
      const url = `${receivers[format].origin}/services/T0/B0/x`;
      const created = await service.send(key, 'POST', '/machine/webhooks', {
        url,
        format,
        events: ['environment.changed'],
      });
      expect(created.body).toMatchObject({ format });
      secrets.set(format, created.body.secret);
      const test = await service.send(key, 'POST', `/machine/webhooks/${created.body.id}/test`);
      expect(test.body.delivery).toMatchObject({ success: true });
    }
    const machineName = '<!channel> @everyone';
    for (const node of ['22.11.0', '24.4.1']) {
      await service.send(key, 'POST', '/machine/snapshots', { machineName, runtimeVersions: { node } });
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    for (const format of ['slack', 'discord'] as const) {
      await vi.waitFor(() => expect(receivers[format].received.length).toBe(2), { timeout: 60_000 });
      const { body, headers } = receivers[format].received[1] as (typeof receivers.slack.received)[0];
      const { lines, links, mentions } = readers[format](body.toString());
      expect(mentions).toEqual([]);
      expect(lines[1]).toContain('node is 22.11.0 in the previous snapshot, 24.4.1 in this one');
      expect(links).toEqual([expect.stringContaining(`${service.url}/console/compare?a=`)]);
      const verified = new Webhook(secrets.get(format) ?? '').verify(body, headers as Record<string, string>);
      expect(verified).toEqual(JSON.parse(body.toString()));
    }
  });

  it('changes the format of a webhook, and refuses one that does not exist', async () => {
    const { service, key } = await startProject(openDatabase, { ENVSNAP_CONSOLE: 'off' });
    const subscription = { url: 'https://hooks.example.com/', events: ['snapshot.created'] };
    const { body: webhook } = await service.send(key, 'POST', '/machine/webhooks', subscription);
    expect(webhook.format).toBe('standard');
    const path = `/machine/webhooks/${webhook.id}`;
    const changed = await service.send(key, 'PATCH', path, { format: 'discord' });
    expect(changed.body).toMatchObject({ success: true, format: 'discord', events: subscription.events });
    expect((await service.send(key, 'GET', path)).body.format).toBe('discord');
    expect((await service.send(key, 'PATCH', path, { format: 'teams' })).status).toBe(400);
    expect((await service.send(key, 'PATCH', path, {})).status).toBe(400);
  });
});
