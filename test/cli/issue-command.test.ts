// envsnap issue, and the skill for agents that init writes.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSandbox, programs } from '../support/programs.ts';
import { countTokens } from '../support/tokens.ts';

describe('a bug report', () => {
  it('has what a maintainer asks for in at most 60 lines', async () => {
    const sandbox = createSandbox();
    const { stdout, exitCode } = await sandbox.run(['issue', '--preset', 'node']);
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').length).toBeLessThanOrEqual(61);
    expect(stdout).toMatch(
      new RegExp(`^\\| node \\| ${process.versions.node.replaceAll('.', '\\.')} \\|$`, 'm'),
    );
    expect(stdout).toContain('| System | linux');
    await sandbox.run(['issue', '--output', 'issue.md']);
    expect(readFileSync(path.join(sandbox.cwd, 'issue.md'), 'utf8')).toContain('### Environment');
  });

  it('names no person, machine, place, address or secret, whatever the comparison holds', async () => {
    const sandbox = createSandbox();
    const canaries = {
      SERVICE_URL: 'https://canary-host.example/path',
      DB_PASSWORD: 'canary-secret-9182',
      HTTPS_PROXY: 'http://10.11.12.13:8080',
      OWNER_MAIL: 'canary@example.org',
      LANG: 'C.UTF-8 | <b>canary</b>',
      APP_HOME: path.join(sandbox.home, 'canary'),
    };
    await sandbox.run(['capture', '--machine-name', 'canary-machine', '--output', 'theirs.json']);
    const file = path.join(sandbox.cwd, 'theirs.json');
    const theirs = JSON.parse(readFileSync(file, 'utf8'));
    theirs.metadata.facts['net.resolvers'] = ['10.9.8.7'];
    theirs.metadata.facts['git.core.hooksPath'] = '/canary/hooks';
    theirs.metadata.facts['net.hosts'] = ['canary-db.example private'];
    writeFileSync(file, JSON.stringify(theirs));
    const { stdout } = await sandbox.run(['issue', '--with', 'theirs.json'], {
      env: { ...canaries, TZ: 'America/Argentina/Buenos_Aires' },
    });
    expect(stdout).toMatch(/^\d+ differences count\.$/m);
    expect(stdout).toMatch(/^- the time zone is UTC in A, … in B$/m);
    expect(stdout).toContain('APP\\_HOME');
    expect(stdout).toMatch(/^- net\.hosts lacks \S*address\S* in B/m);
    expect(stdout).not.toMatch(/canary-|10\.11\.12\.13|10\.9\.8\.7|@example|<b>|\/canary/);
    expect(stdout.split(/[^\w.-]+/)).not.toContain(hostname());
    for (const place of [sandbox.home, sandbox.cwd]) expect(stdout).not.toContain(place);
  });
});

describe('init --agent', () => {
  it('writes the skill where agents look, as the package has it, without a server', async () => {
    const sandbox = createSandbox();
    const { document } = await sandbox.json(['init', '--agent']);
    const shipped = readFileSync(path.join(path.dirname(programs.cli), '../SKILL.md'), 'utf8');
    expect(document.written).toContain('.claude/skills/envsnap/SKILL.md');
    for (const file of document.written)
      expect(readFileSync(path.join(sandbox.cwd, file), 'utf8')).toBe(shipped);
    expect(countTokens(shipped)).toBeLessThanOrEqual(250);
    expect(existsSync(sandbox.configFile)).toBe(false);
  });
});
