// The reference page as a reader meets it: in a browser, under its own policy, wide and narrow, light and dark.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { operations } from '@envsnap/shared';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pageScript } from '../../../packages/server/src/api-description/page-script.ts';
import { renderReference } from '../../../packages/server/src/api-description/reference-page.ts';
import { pagePolicy } from '../../../packages/server/src/api-description/routes.ts';
import { samples } from '../../../packages/server/src/api-description/samples.ts';
import { guidesFile, guidesPath } from '../../../scripts/write-guides.ts';
import { launchBrowser } from '../../support/browser.ts';

const root = path.resolve(import.meta.dirname, '../../..');

describe('the guides', () => {
  it('are those of docs/guides (scripts/write-guides.ts writes them)', () => {
    expect(normalized(readFileSync(guidesPath, 'utf8'))).toBe(normalized(guidesFile()));
  });
});

/** The formatter breaks lines and quotes differently. */
function normalized(text: string): string {
  return text.replaceAll('\\', '').replace(/[\s"',]/g, '');
}

describe('the samples', () => {
  it('compile against the SDK as they stand', { timeout: 60_000 }, () => {
    const folder = path.join(root, 'node_modules/.cache/envsnap-samples');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const values = 'baseUrl id projectId memberId before after url deliveryId'.split(' ');
    const functions = Object.entries(samples).map(
      ([name, { sdk }]) => `export async function ${name}(): Promise<void> {\n${sdk}\n}`,
    );
    writeFileSync(
      path.join(folder, 'samples.ts'),
      `import { EnvSnap } from '@envsnap/sdk';\ndeclare const client: EnvSnap;\ndeclare const bytes: Uint8Array<ArrayBuffer>;\n${values
        .map((name) => `declare const ${name}: string;`)
        .join('\n')}\n${functions.join('\n')}\n`,
    );
    const args = [
      '--noEmit',
      '--strict',
      '--target',
      'es2024',
      '--module',
      'nodenext',
      '--customConditions',
      'envsnap-source',
    ];
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
    const lax = [
      '--ignoreConfig',
      '--allowImportingTsExtensions',
      '--skipLibCheck',
      '--lib',
      'es2024,dom,dom.iterable,dom.asynciterable',
    ];
    const { stdout } = spawnSync(
      process.execPath,
      [compiler, ...args, ...lax, path.join(folder, 'samples.ts')],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    expect(stdout).toBe('');
  });
});

describe('the reference page in a browser', () => {
  let server: Server;
  let url = '';
  let browser: Browser;
  beforeAll(async () => {
    const page = renderReference('1.2.3');
    server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.setHeader('Content-Security-Policy', pagePolicy);
      response.end(page);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  afterEach(async () => browser?.close());

  async function open(options: BrowserContextOptions = {}): Promise<{ page: Page; trouble: string[] }> {
    browser = await launchBrowser();
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(String(error)));
    page.on('request', (request) => {
      if (request.url() !== url) trouble.push(`request to ${request.url()}`);
    });
    await page.goto(url);
    return { page, trouble };
  }
  const axeFindings = (page: Page) =>
    page.evaluate(async () => {
      const { violations } = await (
        globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }
      ).axe.run();
      return violations.map(({ id }) => id);
    });

  it.each([
    ['light and wide', { viewport: { width: 1400, height: 900 } }],
    ['dark and narrow', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
  ] as const)(
    '%s: no finding of axe, no sideways scroll, nothing from elsewhere',
    { timeout: 60_000 },
    async (_, options) => {
      const { page, trouble } = await open(options);
      const [content, window] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      expect(content).toBe(window);
      await page.evaluate(axe.source);
      expect(await axeFindings(page)).toEqual([]);
      expect(trouble).toEqual([]);
    },
  );

  it('finds operations and guides by words', async () => {
    const { page } = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('rotate fingerprint');
    expect(await page.locator('article:visible').count()).toBeLessThan(4);
    expect(await page.locator('#rotateFingerprintKey').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.locator('article:visible').count()).toBe(Object.keys(operations).length);
  });

  it('shows one kind of sample at a time, and the same kind everywhere', async () => {
    const { page } = await open();
    const shown = () => page.locator('#createSnapshot [data-kind]:visible').getAttribute('data-kind');
    expect(await shown()).toBe('curl');
    await page.locator('#bootstrap').getByRole('button', { name: 'SDK' }).click();
    expect(await shown()).toBe('sdk');
  });

  it('is whole without scripts', async () => {
    const { page } = await open({ javaScriptEnabled: false });
    expect(await page.locator('article:visible').count()).toBe(Object.keys(operations).length);
    expect(await page.locator('#createSnapshot [data-kind]:visible').count()).toBe(3);
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(pageScript).not.toContain('</script');
  });
});
