// Every page in a real browser: for people with low vision, on small and wide screens, in light and dark.

import { compareEnvironments } from '@envsnap/compare';
import type { ConsolePage } from '@envsnap/console';
import { comparePage } from '@envsnap/console/stored';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findingsOf, launchBrowser } from '../support/browser.ts';
import { sampleContext, samplePages, sampleSnapshot } from './sample-pages.ts';

const plain = (text: string) => text;
const pages = samplePages(plain);
let browser: Browser;
let page: Page;
let shown: ConsolePage;
const trouble: string[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  page = await browser.newPage();
  page.on('console', (message) => trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(String(error)));
  page.on('dialog', (dialog) => {
    trouble.push(dialog.message());
    void dialog.dismiss();
  });
  await page.route('**', (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: shown.html,
      headers: { 'content-security-policy': shown.contentSecurityPolicy },
    }),
  );
});
afterAll(async () => browser?.close());

async function open(one: ConsolePage | undefined): Promise<void> {
  if (one === undefined) throw new Error('There is no such page.');
  shown = one;
  await page.goto('http://console.test/console/');
}

/** Widths of telephones, tablets, laptops and the widest screens. */
const widths = [320, 768, 1280, 2560];
const isTooWide = 'document.documentElement.scrollWidth > innerWidth';

// Checks that depend on width or colours run for each; all others run once.
const again = "{ runOnly: ['color-contrast', 'target-size', 'scrollable-region-focusable'] }";
type View = readonly [width: number, colorScheme: 'light' | 'dark', rules: string];

const findsNothing = (views: readonly View[]) => async (_: string, one: ConsolePage) => {
  await open(one);
  const found = await findingsOf(
    page,
    views.map(([, , rules]) => rules),
    async (place) => {
      const [width, colorScheme] = views[place] as View;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
    },
  );
  expect(found).toEqual(views.map(() => []));
  // A page that breaks its own policy says so on the console.
  expect(trouble).toEqual([]);
};

// Pages share their parts: every sixteenth one is looked at, wide and light or small and dark in turn.
const views: readonly View[] = [
  [1280, 'light', '{}'],
  [320, 'dark', '{}'],
];
it.each(
  [...pages].filter((_, place) => place % 16 === 0).map((one, place) => [...one, views[place % 2]] as const),
)('axe-core finds nothing on the page %s, wide and light or small and dark', (name, one, view) =>
  findsNothing([view as View])(name, one),
);

it.each([...pages])(
  'axe-core finds nothing on the page %s, wide and small, light and dark',
  { tags: 'release' },
  findsNothing([...views, [1280, 'dark', again], [320, 'light', again]]),
);

it('no page scrolls sideways, on any screen or on paper, whatever it is called', {
  tags: 'release',
}, async () => {
  const long = samplePages((text) => `${text} ${'averylongword'.repeat(10)}`);
  const found: unknown[] = [];
  for (const [name, one] of [...pages, ...long]) {
    await open(one);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      if (await page.evaluate<boolean>(isTooWide)) found.push([name, width]);
    }
    // A matrix has as many columns as there are machines.
    if (name.startsWith('matrix')) continue;
    await page.setViewportSize({ width: 700, height: 900 });
    await page.emulateMedia({ media: 'print' });
    if (await page.evaluate<boolean>(isTooWide)) found.push([name, 'paper']);
    await page.emulateMedia({ media: 'screen' });
  }
  expect(found).toEqual([]);
});

it('no text of others becomes an element or runs', async () => {
  const hostile = samplePages((text) => `${text}"'><img src=x onerror=alert(1)><svg onload=alert(1)>`);
  await open(hostile.get('compare'));
  const counts = await page.evaluate<string>(
    `JSON.stringify(${JSON.stringify([...hostile.values()].map(({ html }) => html)).replaceAll('</', '<\\/')}.map((html) => {
      const made = new DOMParser().parseFromString(html, 'text/html');
      const attributes = [...made.querySelectorAll('*')].flatMap((element) => element.getAttributeNames());
      return [made.querySelectorAll('img, iframe, svg[onload]').length, made.scripts.length, attributes.filter((name) => name.startsWith('on')).length];
    }))`,
  );
  expect(JSON.parse(counts)).toEqual([...hostile].map(() => [0, 1, 0]));
  expect(trouble).toEqual([]);
});

/** Problems for screen readers that axe-core does not find. */
const unreadable = `(html) => {
  const made = new DOMParser().parseFromString(html, 'text/html');
  const all = (selector) => [...made.querySelectorAll(selector)];
  const nameOf = (element) => (element.getAttribute('aria-label') ?? element.textContent).trim();
  const levels = all('h1,h2,h3,h4').map(({ tagName }) => Number(tagName[1]));
  const leap = levels.find((level, place) => level > (levels[place - 1] ?? 0) + 1);
  const repeated = (selector) => {
    const names = all(selector).map((each) => each.getAttribute('aria-label') ?? '');
    return names.filter((name, place) => names.indexOf(name) !== place || (name === '' && names.length > 1));
  };
  const problems = {
    mains: all('main').length === 1 ? [] : [all('main').length],
    headings: [...(levels.filter((level) => level === 1).length === 1 ? [] : ['h1']), ...(leap ? ['h' + leap] : [])],
    landmarks: [...repeated('nav'), ...repeated('section[aria-label]')],
    tables: all('table').filter((table) => !(table.getAttribute('aria-label') || table.caption) || !table.querySelector('th[scope]')).map((table) => table.outerHTML.slice(0, 80)),
    nameless: all('a[href],button,summary').filter((each) => nameOf(each) === '').map((each) => each.outerHTML.slice(0, 80)),
    fields: all('input:not([type=hidden]),select,textarea').filter((each) => !each.labels.length && !each.getAttribute('aria-label')).map((each) => each.outerHTML),
    described: all('[aria-describedby],[aria-labelledby],label[for]').flatMap((each) => (each.getAttribute('aria-describedby') ?? each.getAttribute('aria-labelledby') ?? each.htmlFor).split(' ')).filter((id) => !made.getElementById(id)),
    pictures: all('svg').filter((svg) => svg.getAttribute('aria-hidden') !== 'true' && !svg.getAttribute('aria-label') && !svg.querySelector('title')).map((svg) => svg.outerHTML.slice(0, 80)),
    invalid: all('[aria-invalid]').filter((each) => !each.getAttribute('aria-describedby')).map((each) => each.outerHTML),
    unsaid: all('div.notice.refused:not([role=alert]),.notice.done:not([role=status])').map((each) => each.outerHTML.slice(0, 80)),
  };
  return Object.entries(problems).filter(([, found]) => found.length > 0);
}`;

it('has headings, landmarks, tables, fields and pictures that a screen reader reads out in order', async () => {
  const all = JSON.stringify([...pages].map(([name, { html }]) => [name, html])).replaceAll('</', '<\\/');
  const found = await page.evaluate<string>(
    `JSON.stringify(${all}.map(([name, html]) => [name, (${unreadable})(html)]).filter(([, found]) => found.length > 0))`,
  );
  expect(JSON.parse(found)).toEqual([]);
});

it('prints runs, events of a webhook, and 900 rows that do not count on two sheets each', {
  tags: 'release',
}, async () => {
  const variables = Object.fromEntries(
    Array.from({ length: 900 }, (_, place) => [`XDG_SESSION_PART_${place}`, String(place)]),
  );
  const [a, b] = [sampleSnapshot(plain, 1, 1), sampleSnapshot(plain, 0, 0, true)];
  const report = compareEnvironments({ ...a, envVars: {} }, { ...b, envVars: variables });
  const uncounted = report.differences.length - report.counting.size;
  expect(uncounted).toBeGreaterThan(900);
  await open(comparePage(sampleContext(plain), { report, policyProblem: null, all: false }));
  await page.emulateMedia({ media: 'print', colorScheme: 'light' });
  const margin = { top: '1cm', right: '1cm', bottom: '1cm', left: '1cm' };
  const sheets = async () => {
    const document = (await page.pdf({ format: 'A4', margin })).toString('latin1');
    return document.match(/\/Type\s*\/Page\b/g)?.length;
  };
  expect(await sheets()).toBeLessThanOrEqual(2);
  for (const [name, part] of [
    ['runs', '[aria-label=Runs] tbody tr:has(.passed)'],
    ['webhook', '.event:not([open])'],
  ] as const) {
    await open(pages.get(name));
    await page.evaluate(`(([one]) => { for (let i = 0; i < 100; i++) one.after(one.cloneNode(true)); })(
      document.querySelectorAll('${part}'))`);
    expect([name, await sheets()]).toEqual([name, 2]);
  }
  await page.emulateMedia({ media: 'screen' });
});

it('uses the width of a very wide screen for the matrix', { tags: 'release' }, async () => {
  await page.setViewportSize({ width: 2560, height: 1200 });
  await open(pages.get('matrix'));
  expect((await page.locator('.frame').boundingBox())?.width).toBeGreaterThan(2400);
  expect(await page.evaluate<boolean>(isTooWide)).toBe(false);
});

describe('the script', () => {
  it('filters what differs by words, and unfolds what it finds', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await open(pages.get('compare'));
    const row = page.locator('[id="facts:limits.openFiles"]');
    expect(await row.isVisible()).toBe(false);
    await page.keyboard.press('/');
    await page.keyboard.type('limits open');
    expect(await row.isVisible()).toBe(true);
    expect(await page.locator('.filter + div > details:visible').count()).toBe(1);
    await page.keyboard.press('Escape');
    expect(await row.isVisible()).toBe(false);
  });

  it('unfolds the section of a cause that is followed', { tags: 'release' }, async () => {
    await open(pages.get('compare'));
    await page.locator('[data-cause="facts:limits.openFiles"] a').click();
    expect(await page.locator('[id="facts:limits.openFiles"]').isVisible()).toBe(true);
  });

  it('copies a command, over plain HTTP too', async () => {
    await open(pages.get('overview-empty'));
    const button = page.locator('button[data-copy]').first();
    await button.click();
    expect(await button.textContent()).toBe('Copied');
    expect(await page.evaluate<string>('String(getSelection())')).toContain('envsnap init');
  });
});
