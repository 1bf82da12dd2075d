// Browsers and the drivers that tests steer them with.

import { applicationIni, macApplication, versionedSibling } from './installed-versions.ts';
import { firstOf, type Tool } from './tool.ts';

function chromiumFamily(
  name: string,
  executables: readonly string[],
  macName: string,
  windowsFolder: string,
  windowsProgram: string,
): Tool {
  const windowsRoots = ['C:\\Program Files', 'C:\\Program Files (x86)', '~\\AppData\\Local'];
  return {
    name,
    executables,
    places: {
      darwin: [`/Applications/${macName}.app/Contents/MacOS/${macName}`],
      win32: windowsRoots.map((root) => `${root}\\${windowsFolder}\\Application\\${windowsProgram}`),
    },
    files: firstOf(macApplication, versionedSibling),
    withoutHome: true,
    heavy: true,
  };
}

export const browsers: readonly Tool[] = [
  {
    ...chromiumFamily('chromium', ['chromium', 'chromium-browser'], 'Chromium', 'Chromium', 'chrome.exe'),
    // The program is a script that starts ten other programs.
    debianPackage: 'chromium',
  },
  chromiumFamily(
    'chrome',
    ['google-chrome', 'google-chrome-stable'],
    'Google Chrome',
    'Google\\Chrome',
    'chrome.exe',
  ),
  chromiumFamily(
    'edge',
    ['microsoft-edge', 'microsoft-edge-stable'],
    'Microsoft Edge',
    'Microsoft\\Edge',
    'msedge.exe',
  ),
  chromiumFamily(
    'brave',
    ['brave-browser', 'brave'],
    'Brave Browser',
    'BraveSoftware\\Brave-Browser',
    'brave.exe',
  ),
  {
    name: 'firefox',
    executables: ['firefox', 'firefox-esr'],
    places: {
      darwin: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
      win32: ['C:\\Program Files\\Mozilla Firefox\\firefox.exe'],
    },
    files: firstOf(macApplication, applicationIni),
    withoutHome: true,
    heavy: true,
  },
  {
    name: 'safari',
    executables: [],
    places: { darwin: ['/Applications/Safari.app/Contents/MacOS/Safari'] },
    files: macApplication,
    filesOnly: true,
  },
  { name: 'chromedriver', withoutHome: true, heavy: true },
  { name: 'geckodriver', withoutHome: true },
];
