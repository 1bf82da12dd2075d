import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutTerminalHints } from '../../../packages/compare/src/causes/terminal-hints.ts';
import { renderJunit } from '../../../packages/compare/src/formats/junit.ts';
import { renderComparisonFile } from '../../../packages/console/src/comparison/comparison-file.ts';
import { findingsOf, launchBrowser } from '../../support/browser.ts';
import { equalReport, sampleReport } from './sample.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => browser?.close());

interface View {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly javaScriptEnabled?: boolean;
}

/** A page with scripts and one without, which show one report after the other. */
const opened = new Map<boolean, Page>();
let shown = '';
let trouble: string[] = [];

async function openPage(javaScriptEnabled: boolean): Promise<Page> {
  const page = await browser.newPage({ javaScriptEnabled });
  page.on('console', (message) => trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(String(error)));
  page.on('dialog', (dialog) => {
    trouble.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== 'http://report.test/') trouble.push(`request to ${request.url()}`);
  });
  await page.route('**', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: shown }));
  return page;
}

async function open(
  html: string,
  { colorScheme = 'light', width = 1200, javaScriptEnabled = true }: View = {},
) {
  const page = await (opened.get(javaScriptEnabled) ?? openPage(javaScriptEnabled));
  opened.set(javaScriptEnabled, page);
  [shown, trouble] = [html, []];
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await page.goto('http://report.test/');
  return { page, trouble };
}
const rendered = (all = false) => renderComparisonFile(sampleReport(), { all, madeAt: new Date(0) });
const shownRows = (page: Page) => page.locator('tr[data-kind]:visible').count();
const shownKinds = async (page: Page) =>
  new Set(
    await page
      .locator('tr[data-kind]:visible')
      .evaluateAll((rows) =>
        rows.map((row) => (row as unknown as { dataset: { kind: string } }).dataset.kind),
      ),
  );

describe('the HTML report in a browser', () => {
  it('runs under its own policy, asks no host for anything, and runs no script from data', async () => {
    const { page, trouble } = await open(rendered());
    expect(await page.locator('h1').textContent()).toContain('node is 24.1.0');
    expect(await page.locator('img').count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  it('says first what the cause is and what to do, and lists the causes with what to do about each', {
    tags: 'release',
  }, async () => {
    const report = sampleReport();
    const { page } = await open(rendered());
    expect(await page.locator('main').getAttribute('data-verdict')).toBe('failed');
    expect(await page.locator('[data-next] code').textContent()).toContain('install node');
    expect(await page.locator('[data-next] button').count()).toBe(1);
    const causes = await page.locator('[data-cause]').allTextContents();
    expect(causes).toHaveLength(10);
    for (const [place, cause] of causes.entries())
      expect(cause).toContain(withoutTerminalHints(report.causes[place]?.advice ?? '-'));
  });

  it('offers the commands of a repair to copy, with the side that they are for', {
    tags: 'release',
  }, async () => {
    const report = sampleReport();
    const repair = {
      side: 'b',
      kind: 'use',
      what: 'node',
      commands: ['nvm install 22', 'nvm use 22'],
    } as const;
    const causes = report.causes.map((cause) => ({ ...cause, repair }));
    const { page } = await open(
      renderComparisonFile({ ...report, causes, policy: null }, { madeAt: new Date(0) }),
    );
    expect(await page.locator('[data-next] code').allTextContents()).toEqual(repair.commands);
    expect(await page.locator('[data-next]').textContent()).toContain('Run in B:');
    await page.locator('[data-next] button').first().click();
    expect(await page.locator('[data-next] button').first().textContent()).toBe('Copied');
  });

  it('finds entries by words, anywhere in name and version', async () => {
    const { page } = await open(rendered());
    const before = await shownRows(page);
    await page.keyboard.press('/');
    await page.keyboard.type('zod 4.0.2');
    expect(await shownRows(page)).toBe(1);
    expect(await page.locator('output').textContent()).toMatch(/^1 of \d+ shown$/);
    await page.getByRole('searchbox').fill('nothing like it');
    expect(await page.locator('.filter + div > details:visible').count()).toBe(0);
    await page.getByRole('searchbox').fill('');
    expect(await shownRows(page)).toBe(before);
  });

  it.each([true, false])(
    'hides rows by how they differ, with scripts: %s',
    { tags: 'release' },
    async (javaScriptEnabled) => {
      const { page } = await open(rendered(), { javaScriptEnabled });
      expect((await shownKinds(page)).size).toBe(3);
      await page.getByLabel('only in A').uncheck();
      await page.getByLabel('changed').uncheck();
      expect(await shownKinds(page)).toEqual(new Set(['added']));
    },
  );

  it('keeps what does not count behind one closed fold, each row with its reason', async () => {
    const { page } = await open(rendered());
    const fold = page.locator('details[data-not-counting]');
    expect(await fold.count()).toBe(1);
    const rows = fold.locator('tr.uncounted');
    expect(await rows.first().isVisible()).toBe(false);
    expect(await page.locator('tr.uncounted').count()).toBe(await rows.count());
    await fold.locator('summary').click();
    for (const text of await rows.locator('td:last-child').allTextContents()) expect(text).not.toBe('');
  });

  it('has equal entries where everything was asked for', { tags: 'release' }, async () => {
    const { page } = await open(rendered(true));
    expect(await page.getByText('Dependencies, equal').count()).toBe(1);
    await page.locator('[data-not-counting] > summary').click();
    expect(await shownRows(page)).toBeGreaterThan(200);
  });

  it('reads without JavaScript: every difference is there, and no control that would do nothing', async () => {
    const { page } = await open(rendered(), { javaScriptEnabled: false });
    expect(await page.locator('tr[data-kind]').first().isVisible()).toBe(true);
    expect(await page.locator('.filter').isVisible()).toBe(false);
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`has no finding of axe-core of any weight in ${colorScheme}`, { tags: 'release' }, async () => {
      for (const html of [rendered(true), renderComparisonFile(equalReport(), { madeAt: new Date(0) })]) {
        const { page } = await open(html, { colorScheme });
        expect(await findingsOf(page)).toEqual([[]]);
      }
    });

  it('uses the reader’s colours', { tags: 'release' }, async () => {
    const background = async (colorScheme: 'light' | 'dark') => {
      const { page } = await open(rendered(), { colorScheme });
      return page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    };
    expect(await background('light')).toBe('rgb(255, 255, 255)');
    expect(await background('dark')).toBe('rgb(13, 17, 23)');
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
