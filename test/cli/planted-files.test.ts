// A link, a pipe or a folder in a checkout cannot choose where a document is written.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { git } from '../support/git.ts';
import { createSandbox, type Sandbox } from '../support/programs.ts';

/** A checkout with snapshots to compare, and a file and a folder outside of it. */
async function checkout(): Promise<{ sandbox: Sandbox; secret: string; elsewhere: string }> {
  const sandbox = createSandbox();
  git(sandbox.cwd, 'init', '--quiet');
  const secret = path.join(sandbox.home, 'secret');
  const elsewhere = path.join(sandbox.home, 'elsewhere');
  writeFileSync(secret, 'secret');
  mkdirSync(elsewhere);
  await sandbox.run(['capture', '--output', 'a.json']);
  return { sandbox, secret, elsewhere };
}

describe('in a checkout', () => {
  let place: Awaited<ReturnType<typeof checkout>>;
  const write = (file: string) =>
    place.sandbox.run(['compare', 'a.json', 'a.json', '--report', `html=${file}`]);
  const inCheckout = (name: string) => path.join(place.sandbox.cwd, name);
  beforeEach(async () => {
    place = await checkout();
  });

  it('no report is written through a link, to a file or to a device', async () => {
    symlinkSync(place.secret, inCheckout('file.html'));
    symlinkSync('/dev/null', inCheckout('device.html'));
    symlinkSync(path.join(place.elsewhere, 'new'), inCheckout('dangling.html'));
    for (const name of ['file.html', 'device.html', 'dangling.html'])
      expect(await write(name)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(`${name} is a link, which somebody else may have put there`),
      });
    expect(readFileSync(place.secret, 'utf8')).toBe('secret');
  });

  it('nothing waits for the other end of a pipe, nor passes a policy that leads nowhere', async () => {
    const own = path.join(place.elsewhere, 'pipe');
    spawnSync('mkfifo', [inCheckout('pipe.html'), own]);
    symlinkSync('nowhere', inCheckout('.envsnap.yaml'));
    expect(await place.sandbox.run(['check'])).toMatchObject({ exitCode: 4 });
    const about = (args: string[]) =>
      place.sandbox.run(['compare', 'a.json', 'a.json', '--no-policy', ...args]);
    expect(await about(['--report', `html=${own}`])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('no program reads from it'),
    });
    expect(await about(['--failure', own])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('this is a pipe'),
    });
    rmSync(inCheckout('.envsnap.yaml'));
    symlinkSync(place.secret, inCheckout('.envsnap.yaml'));
    expect(await place.sandbox.run(['check'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('leads out of the project'),
    });
    rmSync(inCheckout('.envsnap.yaml'));
    expect(await write('pipe.html')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('pipe.html is a pipe or a device'),
    });
  });

  it('no document goes to a linked folder, whichever command writes it', { tags: 'release' }, async () => {
    symlinkSync(place.elsewhere, inCheckout('out'));
    mkdirSync(path.join(place.elsewhere, 'below'));
    const refused = { exitCode: 2, stderr: expect.stringContaining('out is a link to another folder') };
    expect(await write('out/r.html')).toMatchObject(refused);
    expect(await write('out/below/r.html')).toMatchObject(refused);
    expect(await place.sandbox.run(['capture', '--output', 'out/c.json'])).toMatchObject(refused);
    expect(await place.sandbox.run(['issue', '--output', 'out/issue.md'])).toMatchObject(refused);
    git(place.elsewhere, 'init', '--quiet');
    expect(await write('out/another-checkout.html')).toMatchObject(refused);
  });

  it('the skill for agents is not written into a linked folder, nor any part of it', async () => {
    symlinkSync(place.elsewhere, inCheckout('.agents'));
    expect(await place.sandbox.run(['init', '--agent'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('.agents is a link to another folder'),
    });
    expect(spawnSync('ls', ['-A', inCheckout('.claude')]).status).not.toBe(0);
  });

  it('a file is replaced, and a folder outside takes what is named', { tags: 'release' }, async () => {
    writeFileSync(inCheckout('plain.html'), 'before');
    expect((await write('plain.html')).exitCode).toBe(0);
    expect(readFileSync(inCheckout('plain.html'), 'utf8')).toContain('<html');
    expect((await write(path.join(place.elsewhere, 'r.html'))).exitCode).toBe(0);
    // A link that the account made, in its own folder.
    symlinkSync('/dev/null', path.join(place.elsewhere, 'null.html'));
    expect((await write(path.join(place.elsewhere, 'null.html'))).exitCode).toBe(0);
    expect((await write('/dev/null')).exitCode).toBe(0);
  });
});
