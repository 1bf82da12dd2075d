// The reference page as a reader meets it: in a browser, from a real server, under its own policy, wide and narrow, light and dark.

import { operations } from '@envsnap/shared';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { type ServerProcess, startServerProcess } from '../../support/programs.ts';

describe('the reference page in a browser', () => {
  let server: ServerProcess;
  let browser: Browser | undefined;
  beforeAll(async () => {
    server = await startServerProcess();
  });
  afterEach(() => browser?.close());

  /** Opens the page and waits until the viewer shows the API. `trouble` holds errors and requests to anywhere else. */
  async function open(options: BrowserContextOptions = {}): Promise<{ page: Page; trouble: string[] }> {
    browser = await launchBrowser();
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    const trouble: string[] = [];
    page.on('console', (message) => {
      if (message.type() !== 'info') trouble.push(message.text());
    });
    page.on('pageerror', (error) => trouble.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) trouble.push(`request to ${request.url()}`);
    });
    await page.goto(`${server.url}/docs`);
    await page.getByRole('heading', { name: 'envsnap', exact: true }).waitFor();
    return { page, trouble };
  }

  it.each([
    ['light and wide', { viewport: { width: 1400, height: 900 } }],
    ['dark and narrow', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
  ] as const)('%s: no sideways scroll, no error, nothing from elsewhere', async (_, options) => {
    const { page, trouble } = await open(options);
    const [content, window] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(content).toBe(window);
    expect(trouble).toEqual([]);
  });

  it('shows every operation, every guide, and how to call an operation from programs', async () => {
    const document = await (await fetch(`${server.url}/docs/openapi.json`)).json();
    const described = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>)
      .flatMap((methods) => Object.values(methods))
      .map(({ operationId }) => operationId);
    expect(described.sort()).toEqual(Object.keys(operations).sort());
    const { page } = await open({ viewport: { width: 1400, height: 900 } });
    for (const guide of ['Webhooks', 'Rate limits and quotas', 'Safe retries']) {
      await page.getByRole('heading', { name: guide, exact: true }).first().waitFor();
    }
    await page.getByRole('link', { name: 'Create a project with its first key' }).click();
    await page.getByText('TypeScript SDK').filter({ visible: true }).first().waitFor();
  });

  it('leads from the address that refusals name to the table of limits', async () => {
    const { page } = await open({ viewport: { width: 1400, height: 900 } });
    await page.goto(`${server.url}/docs/limits`);
    const { hash } = new URL(page.url());
    const heading = page.locator(`h2[id="${hash.slice(1)}"]`);
    await heading.waitFor();
    expect(await heading.textContent()).toBe('Limits');
  });

  it('finds an operation by words with a slip in them', async () => {
    const { page } = await open({ viewport: { width: 1400, height: 900 } });
    await page
      .getByRole('button', { name: /search/i })
      .first()
      .click();
    await page.keyboard.type('revok a key');
    await page.getByRole('dialog').getByText('Revoke a key').first().waitFor();
  });

  it('keeps no key beyond the page', async () => {
    const { page } = await open({ viewport: { width: 1400, height: 900 } });
    await page.getByPlaceholder('QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT').first().fill('mk_secret');
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(kept).not.toContain('mk_secret');
  });
});
