// A real headless Chromium for tests of pages: the one inside the npm package @sparticuz/chromium.

import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** Starts the browser, its web security on. It may reach nothing but what a test serves or opens. */
export async function launchBrowser(): Promise<Browser> {
  // The package's own list is made for scraping.
  const args = chromium.args.filter((arg) => arg !== '--disable-web-security');
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [
      ...args,
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    headless: true,
  });
}
