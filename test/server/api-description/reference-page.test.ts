// The reference page as a reader sees it: in a browser, from a real server, wide and narrow, light and dark.
//
// @module-tag release

import { operations } from '@envsnap/shared';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { type ServerProcess, startServerProcess } from '../../support/programs.ts';

describe('the reference page in a browser', () => {
  let server: ServerProcess;
  let browser: Browser;
  /** Each test continues where the previous one stopped. */
  let page: Page;
  /** Errors, and requests to other hosts. */
  const trouble: string[] = [];
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServerProcess(), launchBrowser()]);
    page = await browser.newPage({ reducedMotion: 'reduce', viewport: { width: 1400, height: 900 } });
    page.on('console', (message) => {
      if (message.type() !== 'info') trouble.push(message.text());
    });
    page.on('pageerror', (error) => trouble.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) trouble.push(`request to ${request.url()}`);
    });
    await page.goto(`${server.url}/docs`);
    await page.getByRole('heading', { name: 'envsnap', exact: true }).waitFor();
  });
  afterAll(() => browser?.close());

  it('scrolls sideways neither wide and light nor narrow and dark', async () => {
    for (const [width, colorScheme] of [
      [390, 'dark'],
      [1400, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const [content, window] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      expect(content).toBe(window);
    }
  });

  it('shows every operation, every guide, and how to call an operation from programs', async () => {
    const document = await (await fetch(`${server.url}/docs/openapi.json`)).json();
    const described = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>)
      .flatMap((methods) => Object.values(methods))
      .map(({ operationId }) => operationId);
    expect(described.sort()).toEqual(Object.keys(operations).sort());
    for (const guide of ['Webhooks', 'Rate limits and quotas', 'Safe retries'])
      await page.getByRole('heading', { name: guide, exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Create a project with its first key' }).click();
    await page.getByText('$ENVSNAP_BASE_URL').filter({ visible: true }).first().waitFor({ timeout: 10_000 });
  });

  it('lists every operation without scripts, and calls each with curl first', async () => {
    const html = await (await fetch(`${server.url}/docs`)).text();
    for (const { method, path } of Object.values(operations))
      expect(html).toContain(`<dt><code>${method} ${path}</code></dt>`);
    const document = await (await fetch(`${server.url}/docs/openapi.json`)).json();
    const { parameters, 'x-codeSamples': samples } = document.paths['/machine/snapshots'].get;
    const { examples } = parameters.find(({ name }: { name: string }) => name === 'outcome');
    expect([samples[0].label, examples.default['x-disabled'], samples[0].source]).toEqual([
      'curl',
      true,
      `curl "$ENVSNAP_BASE_URL/machine/snapshots" \\\n  -H 'X-API-Key: mk_…'`,
    ]);
  });

  it('finds an operation by words with a slip in them', { tags: 'release' }, async () => {
    await page
      .getByRole('button', { name: /search/i })
      .first()
      .click();
    await page.keyboard.type('revok a key');
    await page.getByRole('dialog').getByText('Revoke a key').first().waitFor();
    await page.keyboard.press('Escape');
  });

  it('keeps no key beyond the page', async () => {
    await page.getByPlaceholder('mk_…').first().fill('mk_secret');
    const storage = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(storage).not.toContain('mk_secret');
  });

  it('redirects the address that refusals name to the table of limits', { tags: 'release' }, async () => {
    await page.goto(`${server.url}/docs/limits`);
    const { hash } = new URL(page.url());
    const heading = page.locator(`h2[id="${hash.slice(1)}"]`);
    await heading.waitFor();
    expect(await heading.textContent()).toBe('Limits');
  });

  it('requests nothing from other hosts and reports no error, whatever is done with it', () => {
    expect(trouble).toEqual([]);
  });
});
