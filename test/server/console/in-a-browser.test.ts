// The console in a real browser, from a real server: sign in, compare, share, open the share as a stranger, revoke it.
//
// @module-tag release

import { EnvSnap } from '@envsnap/sdk';
import type { Browser, Page } from 'playwright-core';
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

async function startProject() {
  const { apiKey } = await EnvSnap.bootstrap({ baseUrl: server.url, projectName: 'shop' });
  const client = new EnvSnap({ baseUrl: server.url, apiKey });
  const store = (machineName: string, node: string) =>
    client.snapshots.create({ machineName, runtimeVersions: { node } });
  return { apiKey, a: await store('works-here', '22.1.0'), b: await store('fails-there', '24.1.0') };
}

/** The focused element: its text, and whether its focus is visible. */
const focused = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { width, height, top, left } = element.getBoundingClientRect();
  const isInView = width > 0 && height > 0 && top >= 0 && left >= 0 && top < innerHeight;
  const isMarked = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
  return JSON.stringify({ words: (element.innerText || element.name || '').trim(), isSeen: isInView && isMarked });
})()`;

/** Presses Tab until the element with this text has the focus, and returns the elements on the way. */
async function tabTo(page: Page, words: string): Promise<string[]> {
  const way: string[] = [];
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab');
    const at = JSON.parse(await page.evaluate<string>(focused));
    expect([at.words, at.isSeen]).toEqual([at.words, true]);
    way.push(at.words);
    if (at.words.startsWith(words)) return way;
  }
  throw new Error(`Tab does not lead to ${words}: ${way.join(', ')}`);
}

it('needs nothing but a keyboard: signs in, compares, folds, shares and signs out', async () => {
  const { apiKey } = await startProject();
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${server.url}/console/`);
  // The browser moves there when it draws the first frame.
  await page.locator('input[name="key"]:focus').waitFor();
  await page.keyboard.type(apiKey);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${server.url}/console/`);

  expect(await tabTo(page, 'Sign out')).toEqual(['Skip to the content', 'envsnap', 'q', 'API', 'Sign out']);
  expect((await tabTo(page, 'Audit')).slice(0, 3)).toEqual(['Overview', 'Runs', 'Why']);
  await page.goto(`${server.url}/console/`);
  await tabTo(page, 'Skip to the content');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Compare A with B');
  // The machine that was captured last is B at first.
  await tabTo(page, 'b');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL(/compare\?/);
  expect(await page.locator('h1').textContent()).toMatch(/^node is 22\.1\.0 on works-here/);

  await tabTo(page, 'Share with anyone');
  await tabTo(page, 'Runtimes');
  await page.keyboard.press('Space');
  expect(await page.locator('details.fold').first().getAttribute('open')).toBeNull();
  await page.keyboard.press('Enter');
  expect(await page.locator('details.fold').first().getAttribute('open')).toBe('');
  await page.reload();
  await tabTo(page, 'Share with anyone');
  await page.keyboard.press('Enter');
  await page
    .getByText(/\/share\/[\w-]{43}/)
    .first()
    .waitFor();
  await tabTo(page, 'Sign out');
  await page.keyboard.press('Enter');
  await page.waitForURL(/sign-in/);
});

it('signs in, compares, shares a page with a stranger, and revokes it', async () => {
  const { apiKey, a, b } = await startProject();
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
  await visitor.getByText('The share was revoked').waitFor();
  expect((await stranger.goto(url))?.status()).toBe(404);
  expect(trouble).toEqual([]);
});
