// A real headless Chromium for tests of pages: the one inside the npm package @sparticuz/chromium.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

const modules = path.resolve(import.meta.dirname, '../../node_modules');

/** The browser's file, which is unpacked once for a checkout. */
async function browserFile(): Promise<string> {
  const manifest = readFileSync(path.join(modules, '@sparticuz/chromium/package.json'), 'utf8');
  const folder = path.join(modules, '.cache/envsnap-tests', `chromium-${JSON.parse(manifest).version}`);
  const file = path.join(folder, 'chromium');
  if (existsSync(file)) return file;
  mkdirSync(path.dirname(folder), { recursive: true });
  // In a folder that is moved as a whole, so that another worker never starts half a browser.
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

/** Starts the browser, its web security on. It may reach nothing but what a test serves or opens. */
export async function launchBrowser(): Promise<Browser> {
  // The package's own list is made for scraping.
  const args = chromium.args.filter((arg) => arg !== '--disable-web-security');
  return playwright.launch({
    executablePath: await browserFile(),
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
