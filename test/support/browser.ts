// A real headless Chromium for tests of pages: the one inside the npm package @sparticuz/chromium.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';

const modules = path.resolve(import.meta.dirname, '../../node_modules');

/** The browser's file, which is unpacked once per checkout. */
async function browserFile(): Promise<string> {
  const manifest = readFileSync(path.join(modules, '@sparticuz/chromium/package.json'), 'utf8');
  const folder = path.join(modules, '.cache/envsnap-tests', `chromium-${JSON.parse(manifest).version}`);
  const file = path.join(folder, 'chromium');
  if (existsSync(file)) return file;
  mkdirSync(path.dirname(folder), { recursive: true });
  // In a folder that is moved when it is complete, so that another worker never starts half a browser.
  const own = mkdtempSync(`${folder}-`);
  const { TMPDIR = '/tmp' } = process.env;
  // The package knows no other folder.
  process.env.TMPDIR = own;
  const unpacked = chromium.executablePath();
  process.env.TMPDIR = TMPDIR;
  await unpacked;
  try {
    renameSync(own, folder);
  } catch {
    // Another worker was first.
    rmSync(own, { recursive: true });
  }
  return file;
}

/** Starts the browser, its web security on. It can reach only what a test serves or opens. */
export async function launchBrowser(): Promise<Browser> {
  // The package's own list is made for scraping: it emulates a graphics processor, which costs more than all the tests.
  const leftOut =
    /^--(disable-web-security|use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu|in-process-gpu)/;
  const undrawn = ['--disable-gpu', '--disable-gpu-compositing', '--disable-software-rasterizer'];
  const silent = ['quic', 'background-networking', 'component-update', 'sync'].map(
    (name) => `--disable-${name}`,
  );
  return playwright.launch({
    executablePath: await browserFile(),
    // No page lives long enough to be worth an optimizing compiler.
    args: [
      ...chromium.args.filter((arg) => !leftOut.test(arg)),
      ...undrawn,
      ...silent,
      '--js-flags=--no-opt --no-maglev',
    ],
    headless: true,
  });
}

const axe = readFileSync(path.join(modules, 'axe-core/axe.min.js'), 'utf8');

/** The findings of axe-core on a page for each view; `view` is called before each. */
export async function findingsOf(
  page: Page,
  options: readonly string[] = ['{}'],
  view: (place: number) => Promise<void> = async () => undefined,
): Promise<unknown[][]> {
  const found: unknown[][] = [];
  await page.evaluate(axe);
  for (const [place, each] of options.entries()) {
    await view(place);
    const violations = await page.evaluate<string>(
      `axe.run({ ...${each}, resultTypes: ['violations'] }).then((r) => JSON.stringify(r.violations.map((v) => [v.id, v.nodes[0].html.slice(0, 160)])))`,
    );
    found.push(JSON.parse(violations));
  }
  return found;
}
