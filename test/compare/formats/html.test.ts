import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderHtml } from '../../../packages/compare/src/formats/html.ts';
import { renderJunit } from '../../../packages/compare/src/formats/junit.ts';
import { launchBrowser } from '../../support/browser.ts';
import { equalReport, sampleReport } from './sample.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => browser?.close());

async function open(
  html: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; trouble: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  const trouble: string[] = [];
  page.on('console', (message) => trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(String(error)));
  page.on('dialog', (dialog) => {
    trouble.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== 'http://report.test/') trouble.push(`request to ${request.url()}`);
  });
  await page.route('**', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }));
  await page.goto('http://report.test/');
  return { page, trouble };
}
const rendered = (all = false) => renderHtml(sampleReport(), { all, madeAt: new Date(0) });
const shownRows = (page: Page) => page.locator('tr[data-kind]:visible').count();

describe('the HTML report in a browser', () => {
  it('runs under its own policy, asks no host for anything, and runs no script from data', async () => {
    const { page, trouble } = await open(rendered());
    expect(await page.locator('h1').textContent()).toContain('node is 24.1.0');
    expect(await page.locator('img').count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  it('finds entries by words, anywhere in name, version and file', async () => {
    const { page } = await open(rendered());
    const before = await shownRows(page);
    await page.keyboard.press('/');
    await page.keyboard.type('zod api');
    expect(await shownRows(page)).toBe(1);
    expect(await page.locator('output').textContent()).toBe('1 entry shown');
    await page.getByRole('searchbox').fill('nothing like it');
    expect(await page.locator('details.section:visible').count()).toBe(0);
    await page.getByRole('searchbox').fill('');
    expect(await shownRows(page)).toBe(before);
  });

  it('filters by kind', async () => {
    const { page } = await open(rendered());
    await page.getByLabel('only in A').uncheck();
    await page.getByLabel('changed').uncheck();
    await page.getByLabel('not counted').uncheck();
    const kinds = await page
      .locator('tr[data-kind]:visible')
      .evaluateAll((rows) =>
        rows.map((row) => (row as unknown as { dataset: { kind: string } }).dataset.kind),
      );
    expect(new Set(kinds)).toEqual(new Set(['added counts']));
  });

  it('shows equal entries where they are in the file', async () => {
    const { page } = await open(rendered(true));
    expect(await page.getByText('Dependencies, equal').count()).toBe(1);
    await page.getByLabel('equal', { exact: true }).check();
    await page.getByRole('button', { name: 'Unfold all' }).click();
    expect(await shownRows(page)).toBeGreaterThan(200);
  });

  it('folds its sections', async () => {
    const { page } = await open(rendered());
    await page.getByRole('button', { name: 'Fold all' }).click();
    expect(await shownRows(page)).toBe(0);
    await page.getByRole('button', { name: 'Unfold all' }).click();
    expect(await shownRows(page)).toBeGreaterThan(10);
  });

  it('reads without JavaScript: every difference is there, and no control that would do nothing', async () => {
    const { page } = await open(rendered(), { javaScriptEnabled: false });
    expect(await page.locator('tr[data-kind]').first().isVisible()).toBe(true);
    expect(await page.locator('.tools').isVisible()).toBe(false);
  });

  it.each(['light', 'dark'] as const)(
    'has no finding of axe-core of any weight in %s',
    async (colorScheme) => {
      for (const html of [rendered(true), renderHtml(equalReport(), { madeAt: new Date(0) })]) {
        const { page } = await open(html, { colorScheme, bypassCSP: true });
        await page.evaluate(axe.source);
        const found = await page.evaluate<string>(
          'axe.run().then((r) => JSON.stringify(r.violations.map((v) => [v.id, v.impact, v.nodes[0].html.slice(0, 120)])))',
        );
        expect(JSON.parse(found)).toEqual([]);
      }
    },
  );

  it('uses the reader’s colours', async () => {
    const background = async (colorScheme: 'light' | 'dark') => {
      const { page } = await open(rendered(), { colorScheme });
      return page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    };
    expect(await background('light')).toBe('rgb(255, 255, 255)');
    expect(await background('dark')).toBe('rgb(13, 17, 23)');
  });

  it('does not scroll sideways on a telephone', async () => {
    const { page } = await open(rendered(), { viewport: { width: 390, height: 800 } });
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});

describe('the JUnit report', () => {
  it('is well-formed XML that counts what it holds', async () => {
    const { page } = await open('<!doctype html><title>x</title>');
    const parse = (xml: string) =>
      page.evaluate(
        `((xml) => { const d = new DOMParser().parseFromString(xml, 'text/xml'); const root = d.documentElement;
          return { error: d.querySelector('parsererror')?.textContent ?? null, tests: root.getAttribute('tests'), cases: String(d.querySelectorAll('testcase').length),
            failures: root.getAttribute('failures'), failed: String(d.querySelectorAll('failure').length) }; })(${JSON.stringify(xml)})`,
      ) as Promise<{ error: string | null; tests: string; cases: string; failures: string; failed: string }>;
    for (const report of [sampleReport(), equalReport()]) {
      const found = await parse(renderJunit(report));
      expect(found.error).toBeNull();
      expect(found.tests).toBe(found.cases);
      expect(found.failures).toBe(found.failed);
    }
    expect(Number((await parse(renderJunit(sampleReport()))).failed)).toBeGreaterThan(10);
  });
});
