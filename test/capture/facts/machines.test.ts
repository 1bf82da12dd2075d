// The facts that a capture reads on machines in memory: machines.yaml, and cases that need more than data.

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { factNames } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { describe, expect, it } from 'vitest';
import type { FakeMachine } from '../../support/fake-system.ts';
import { readTestData } from '../../support/test-data.ts';
import { readFacts } from './read-facts.ts';

interface Case {
  readonly it: string;
  readonly machine: FakeMachine;
  readonly hasAccount?: false;
  readonly facts: Record<string, unknown>;
  readonly absent?: readonly string[];
  readonly unknown?: readonly unknown[];
  readonly executions?: readonly unknown[];
}

const { server, secrets, cases } = readTestData<{ server: FakeMachine; secrets: string[]; cases: Case[] }>(
  import.meta,
);

it.each(cases)('$it', async ({ machine, hasAccount, facts: expected, absent = [], unknown, executions }) => {
  const state = hasAccount === false ? { processState: { accountHome: undefined as never } } : {};
  const found = await readFacts({ ...machine, ...state });
  const fits = Object.entries(expected).map(([name, value]) => {
    const [, pattern] = /^\/(.*)\/$/.exec(String(value)) ?? [];
    return [name, pattern === undefined ? value : expect.stringMatching(new RegExp(pattern))];
  });
  expect(found.facts).toMatchObject(Object.fromEntries(fits));
  for (const name of absent)
    expect(Object.keys(found.facts).filter((each) => path.matchesGlob(each, name))).toEqual([]);
  if (unknown) expect(found.unknown).toEqual(unknown);
  if (executions) expect(found.system.executions).toEqual(executions);
  for (const secret of secrets) expect(JSON.stringify(found.facts)).not.toContain(secret);
});

it('no fact of the catalogue is without a test of its reader', () => {
  const folder = path.dirname(import.meta.dirname);
  const tests = globSync('**/*.{test.ts,yaml}', { cwd: folder }).map((file) =>
    readFileSync(path.join(folder, file), 'utf8'),
  );
  const names = (test: string, name: string) => test.includes(`'${name}'`) || test.includes(` ${name}:`);
  expect(factNames.filter((name) => !tests.some((test) => names(test, name)))).toEqual([]);
});

describe('facts of a Linux machine', () => {
  it('distinguish a changed security level from the rest of the configuration', async () => {
    const { facts } = await readFacts(server);
    const stricter = {
      ...server,
      files: {
        ...server.files,
        '/etc/ssl/openssl.cnf': 'openssl_conf = default\nCipherString = DEFAULT@SECLEVEL=2\n',
      },
    };
    const { facts: changed } = await readFacts(stricter);
    expect(changed['openssl.securityLevel']).toBe(2);
    expect(changed['openssl.config']).toBe(facts['openssl.config']);
  });

  it('recognise a case-insensitive file system by an existing name', async () => {
    const files = {
      ...server.files,
      // Like a case-insensitive mount: the other spelling exists too, although the folder does not list it.
      '/srv/app': { folder: true as const },
      '/srv/app/only/Makefile': '',
    };
    const { facts } = await readFacts({ ...server, files }, '/srv/app/only');
    expect(facts['fs.caseSensitive']).toBe(true);
  });

  it('list the locales of the archive', async () => {
    const archive = Buffer.alloc(200);
    const head = [0xde020109, 0, 56, 2, 2, 80, 40, 40, 0, 0];
    for (const [index, word] of head.entries()) archive.writeUInt32LE(word, index * 4);
    archive.writeUInt32LE(80, 56 + 4);
    archive.writeUInt32LE(150, 56 + 8);
    archive.write('de_DE.utf8\0', 80, 'latin1');
    const { facts } = await readFacts({ files: { '/usr/lib/locale/locale-archive': archive } });
    expect(facts['locale.installed']).toEqual(['de_DE.utf8']);
  });
});

describe('what is not there at all', () => {
  it('says what Java trusts, and what a virtual environment adds', async () => {
    const store = Buffer.alloc(300);
    store.writeUInt32BE(0xfeedfeed, 0);
    const { facts } = await readFacts({
      env: { PATH: '/usr/bin' },
      files: {
        '/usr/bin/java': { link: '/opt/java/bin/java' },
        '/opt/java/bin/java': { executable: true, content: '\x7fELF' },
        '/opt/java/lib/security/cacerts': store,
        '/opt/java/conf/security/java.security': '# rules\njdk.tls.disabledAlgorithms=SSLv3\n',
        '/srv/app/.venv/pyvenv.cfg':
          'home = /usr/bin\ninclude-system-site-packages = true\nversion = 3.11.2\n',
        '/srv/app/.venv/lib/python3.11/site-packages/own.pth': '/work/own\nimport hook\n',
        '/srv/app/.venv/lib/python3.11/site-packages/distutils-precedence.pth': '/never\n',
        '/home/dev/.local/lib/python3.11/site-packages/usercustomize.py': '',
        '/home/dev/.local/lib/python3.11/site-packages/Requests-2.0.0.dist-info/METADATA': '',
      },
    });
    expect(facts).toMatchObject({
      'java.security': expect.stringMatching(/^sha256:/),
      'java.trustStore': '0',
      'python.addedFolders': ['/work/own', 'code'],
      'python.customize': ['usercustomize (/home/dev/.local/lib/python3.11/site-packages)'],
      'python.environment': '3.11.2',
      'python.systemPackages': true,
      'python.userPackages': ['requests 2.0.0'],
    });
  });

  it('is unknown if only the search path is missing, or the program is not a known one', async () => {
    const { facts, unknown } = await readFacts({
      files: { '/bin/sh': { executable: true, content: '\x7fELF' } },
    });
    expect(Object.keys(facts).filter((name) => name.startsWith('program.'))).toEqual([]);
    expect(unknown.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['program.sh', 'program.sed', 'program.ld']),
    );
  });
});
