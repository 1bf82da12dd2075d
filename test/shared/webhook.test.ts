import { operations, webhookEventData, webhookEvents } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import { readTestData } from '../support/test-data.ts';

const { refusedEvents } = readTestData<{ refusedEvents: unknown[][] }>(import.meta);

const create = (body: unknown) => operations.createWebhook.body.safeParse(body);
const update = (body: unknown) => operations.updateWebhook.body.safeParse(body);
const good = { url: 'https://example.org/hook', events: ['snapshot.created'] };

describe('a new webhook', () => {
  it.each([
    'https://example.org',
    'http://127.0.0.1:4780/x?y=1#z',
    'http://[::1]/',
    'HTTPS://EXAMPLE.ORG/',
    'http://2130706433/',
    'https://bücher.example/',
  ])('may have the address %s: what may be reached is decided at connection time', (url) => {
    expect(create({ ...good, url }).success).toBe(true);
  });

  it.each([
    '',
    'example.org/hook',
    '/hook',
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://',
    'https://me@example.org/',
    'https://me:secret@example.org/',
    'https://:secret@example.org/',
    'https://exa mple.org/',
    'https://example.org/\0',
    `https://example.org/${'x'.repeat(2048)}`,
    7,
    null,
  ])('is refused with the address %j', (url) => {
    expect(create({ ...good, url }).success).toBe(false);
  });

  it('keeps each event once', () => {
    expect(
      create({ ...good, events: ['file.deleted', 'file.deleted', 'file.uploaded'] }).data?.events,
    ).toEqual(['file.deleted', 'file.uploaded']);
    expect(create({ ...good, events: webhookEvents }).data?.events).toEqual([...webhookEvents]);
  });

  it.each(refusedEvents)('is refused with the events %j', (events) => {
    expect(create({ ...good, events }).success).toBe(false);
  });

  it('may have a secret of 8 to 256 characters', () => {
    for (const [secret, accepted] of [
      ['x'.repeat(7), false],
      ['x'.repeat(8), true],
      ['x'.repeat(256), true],
      ['x'.repeat(257), false],
      ['xxxxxxxx\0', false],
      [null, true],
    ])
      expect(create({ ...good, secret }).success).toBe(accepted);
  });
});

describe('a change of a webhook', () => {
  it('holds at least one known field', () => {
    expect(update({}).success).toBe(false);
    expect(update({ secret: 'xxxxxxxx' }).success).toBe(false);
    expect(update({ active: false }).data).toEqual({ active: false });
    expect(update({ events: [] }).success).toBe(false);
    expect(update({ active: 'false' }).success).toBe(false);
  });
});

describe('event data', () => {
  it('is declared for every event that can be subscribed to, and for the test', () => {
    expect(Object.keys(webhookEventData).sort()).toEqual([...webhookEvents, 'webhook.test'].sort());
  });
});
