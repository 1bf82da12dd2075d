// The console in a real browser, from a real server: sign in, compare, share, open the share as a stranger, revoke it.

import { EnvSnap } from '@envsnap/sdk';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { type ServerProcess, startServerProcess } from '../../support/programs.ts';

let server: ServerProcess;
let browser: Browser;

beforeAll(async () => {
  server = await startServerProcess({ ENVSNAP_RATE_PER_MINUTE: '1000' });
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

it('signs in, compares, shares, lets a stranger in, and shuts the door again', async () => {
  const { apiKey } = await EnvSnap.bootstrap({ baseUrl: server.url, projectName: 'shop' });
  const client = new EnvSnap({ baseUrl: server.url, apiKey });
  const store = (machineName: string, node: string) =>
    client.snapshots.create({ machineName, runtimeVersions: { node } });
  const [a, b] = [await store('works-here', '22.1.0'), await store('fails-there', '24.1.0')];

  const trouble: string[] = [];
  const visitor = await (await browser.newContext()).newPage();
  visitor.on('console', (message) => trouble.push(message.text()));
  visitor.on('request', (request) => {
    if (!/^data:/.test(request.url()) && !request.url().startsWith(server.url)) trouble.push(request.url());
  });
  await visitor.goto(`${server.url}/`);
  expect(visitor.url()).toBe(`${server.url}/console/sign-in`);
  await visitor.locator('input[name="key"]').fill(apiKey);
  await visitor.locator('form[action$="sign-in"] button').click();
  await visitor.getByText('fails-there').filter({ visible: true }).first().waitFor();
  expect(visitor.url()).toBe(`${server.url}/console/`);

  await visitor.goto(`${server.url}/console/compare?a=${a.id}&b=${b.id}`);
  expect(await visitor.locator('main').getAttribute('data-verdict')).toBe('failed');
  expect(await visitor.locator('[data-cause]').first().getAttribute('data-cause')).toBe('runtimes:node');
  const share = visitor.locator('form[action$="shares"]');
  await share.evaluate((form) => {
    for (let fold = form.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
      fold.open = true;
  });
  await share.locator('button').click();
  const address = visitor.getByText(/\/share\/[\w-]{43}/).first();
  await address.waitFor();
  const url = /http:\S+\/share\/[\w-]{43}/.exec((await address.textContent()) ?? '')?.[0] ?? '';

  const stranger = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  expect((await stranger.goto(url))?.status()).toBe(200);
  expect(await stranger.locator('main').getAttribute('data-verdict')).toBe('failed');
  expect(await stranger.content()).not.toMatch(/works-here|fails-there/);
  const revoke = visitor.locator('form[action*="/revoke"]').first();
  await revoke.evaluate((form) => {
    for (let fold = form.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
      fold.open = true;
  });
  await revoke.locator('button').click();
  await visitor.getByText('The share is revoked').waitFor();
  expect((await stranger.goto(url))?.status()).toBe(404);
  expect(trouble).toEqual([]);
});
