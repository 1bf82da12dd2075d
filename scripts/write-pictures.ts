// The pictures in the README: a failing command at a terminal, and a comparison in the console. Both come from the built
// programs, in light and in dark. It needs Linux, for util-linux's `script`.
//
//   node --conditions=envsnap-source scripts/write-pictures.ts

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startListening } from '../bench/process.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { ensureBuilt } from './build.ts';

const root = path.resolve(import.meta.dirname, '..');
const pictures = path.join(root, 'docs/pictures');
const themes = ['light', 'dark'] as const;
/** Characters in a line of the terminal, and pixels per character. */
const columns = 96;
const cell = { width: 8.4, height: 20 };
const palettes = {
  light: { back: '#ffffff', text: '#1f2328', dim: '#656d76', 31: '#b3261e', 32: '#116329', 33: '#7a4e00' },
  dark: { back: '#0d1117', text: '#e6edf3', dim: '#9198a1', 31: '#ff7b72', 32: '#56d364', 33: '#e3b341' },
};

const testFile = `
const day = new Date('2026-03-08T02:00:00Z').toLocaleDateString('en-CA');
console.log(day === '2026-03-08' ? '✔ an order keeps its day' : '✖ an order keeps its day: expected 2026-03-08, got ' + day);
process.exit(day === '2026-03-08' ? 0 : 1);
`;

/** What the terminal shows of a test that passes in one time zone and fails in the next. */
function failingTest(folder: string): string {
  const home = path.join(folder, 'home');
  const shop = path.join(folder, 'shop');
  for (const made of [home, shop]) mkdirSync(made);
  writeFileSync(path.join(home, '.npmrc'), 'loglevel=silent\n');
  writeFileSync(
    path.join(shop, 'package.json'),
    '{ "name": "shop", "scripts": { "test": "node dates.js" } }',
  );
  writeFileSync(path.join(shop, 'dates.js'), testFile);
  const program = path.join(root, 'packages/cli/bin/run.js');
  const run = (timeZone: string, machine: string) => {
    const command = `stty cols ${columns} rows 40; '${process.execPath}' '${program}' run --machine-name ${machine} -- npm test`;
    const env = { PATH: process.env.PATH, HOME: home, TZ: timeZone, LANG: 'C.UTF-8', TERM: 'xterm-256color' };
    return execFileSync('script', ['-qc', command, '/dev/null'], { cwd: shop, env, encoding: 'utf8' });
  };
  run('UTC', 'anna-mbp');
  return `$ envsnap run -- npm test\n${run('America/Los_Angeles', 'ci-runner')}`;
}

/** Draws text with the escape sequences of a terminal. */
function drawTerminal(text: string, palette: (typeof palettes)['light']): string {
  const lines = text.replaceAll('\r', '').trimEnd().split('\n');
  let bold = false;
  let fill = palette.text;
  const apply = (code: number) => {
    if (code === 1 || code === 22 || code === 0) bold = code === 1;
    if (code === 2) fill = palette.dim;
    if (code === 0 || code === 22 || code === 39) fill = palette.text;
    if (code === 31 || code === 32 || code === 33) fill = palette[code];
  };
  const escaped = (plain: string) => plain.replace(/[&<>]/g, (sign) => `&#${sign.codePointAt(0)};`);
  const span = (plain: string) =>
    plain && `<tspan fill="${fill}"${bold ? ' font-weight="700"' : ''}>${escaped(plain)}</tspan>`;
  const rows = lines.map((line, row) => {
    const [plain = '', ...painted] = line.split('\x1b[');
    const before = span(plain);
    const spans = painted.map((part) => {
      const end = part.indexOf('m');
      for (const code of part.slice(0, end).split(';')) apply(Number(code));
      return span(part.slice(end + 1));
    });
    return `<text x="20" y="${(row + 1) * cell.height + 16}" xml:space="preserve">${before}${spans.join('')}</text>`;
  });
  const [width, height] = [Math.ceil(columns * cell.width + 40), lines.length * cell.height + 36];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">
<title>A failing command and its likeliest cause</title>
<rect width="100%" height="100%" rx="8" fill="${palette.back}" stroke="${palette.dim}" stroke-opacity="0.3"/>
${rows.join('\n')}
</svg>
`;
}

/** Takes a picture of the console's comparison of the two machines in `docs/examples/compare`. */
async function drawConsole(folder: string): Promise<void> {
  const program = path.join(root, 'packages/server/bin/envsnap-server.js');
  const env = { ENVSNAP_DATA_DIR: path.join(folder, 'data'), ENVSNAP_LOG_LEVEL: 'error' };
  const server = await startListening([program, 'start', '--port', '0'], env);
  const browser = await launchBrowser();
  try {
    const post = async (target: string, apiKey: string, body: string) => {
      const headers = { 'content-type': 'application/json', ...(apiKey && { 'x-api-key': apiKey }) };
      const answer = await fetch(`${server.url}/machine/${target}`, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`${target}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    };
    const { apiKey } = await post('keys/bootstrap', '', '{"projectName":"shop"}');
    const [a, b] = await Promise.all(
      ['laptop', 'ci'].map((name) =>
        post(
          'snapshots',
          apiKey,
          readFileSync(path.join(root, `docs/examples/compare/${name}.json`), 'utf8'),
        ),
      ),
    );
    const { url } = await post('console-links', apiKey, '{}');
    const page = await browser.newPage({ viewport: { width: 1200, height: 760 } });
    await page.goto(url);
    await page.goto(`${server.url}/console/compare?a=${a.id}&b=${b.id}`);
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: path.join(pictures, `console-${colorScheme}.png`) });
    }
  } finally {
    await browser.close();
    await server.stop();
  }
}

ensureBuilt();
const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-pictures-'));
mkdirSync(pictures, { recursive: true });
try {
  const text = failingTest(folder);
  for (const theme of themes)
    writeFileSync(path.join(pictures, `terminal-${theme}.svg`), drawTerminal(text, palettes[theme]));
  await drawConsole(folder);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
