// Versions from dpkg's records: only of programs that are unchanged since their package was installed.

import { describe, expect, test } from 'vitest';
import { upstreamVersion, versionFromDpkg } from '../../../packages/capture/src/runtimes/debian-record.ts';
import { versionIn } from '../../../packages/capture/src/runtimes/tool.ts';
import { toolTable } from '../../../packages/capture/src/runtimes/tool-table.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../../packages/capture/src/system/node-system.ts';
import { createFakeSystem, type FakeMachine } from '../../support/fake-system.ts';
import { readTestData } from '../../support/test-data.ts';

const { status, upstreams } = readTestData<{ status: string; upstreams: [string, string | null][] }>(
  import.meta,
);

const installedMs = 1_700_000_000_000;
const untouched: NonNullable<FakeMachine['files']> = {
  '/usr/bin/gdb': { executable: true, modifiedMs: installedMs - 86_400_000 },
  '/var/lib/dpkg/status': status,
  '/var/lib/dpkg/info/gdb.list': { content: '/.\n/usr/bin\n/usr/bin/gdb\n', modifiedMs: installedMs },
  '/var/lib/dpkg/diversions': '/usr/bin/other\n/usr/bin/other.real\nother\n',
};

function read(changes: NonNullable<FakeMachine['files']>, name = 'gdb', path = '/usr/bin/gdb') {
  const machine = createFakeSystem({ files: { ...untouched, ...changes } });
  return versionFromDpkg(openMachine(machine), name, path);
}

describe('a program of a Debian package', () => {
  test('has the version of its package', async () => {
    expect(await read({})).toBe('13.1');
    const list = { content: '/.\n/bin/gdb\n', modifiedMs: installedMs };
    expect(await read({ '/var/lib/dpkg/info/gdb.list': list })).toBe('13.1');
  });

  test.each<[why: string, changes: NonNullable<FakeMachine['files']>]>([
    ['it was replaced later', { '/usr/bin/gdb': { executable: true, modifiedMs: installedMs + 1000 } }],
    [
      'the package has no such file',
      { '/var/lib/dpkg/info/gdb.list': { content: '/usr/bin/gdbtui\n', modifiedMs: installedMs } },
    ],
    ['it is diverted', { '/var/lib/dpkg/diversions': '/usr/bin/gdb\n/usr/bin/gdb.distrib\nmy-gdb\n' }],
    [
      'the package was removed',
      { '/var/lib/dpkg/status': status.replaceAll('install ok installed', 'deinstall ok config-files') },
    ],
    [
      'only half of the package is installed',
      { '/var/lib/dpkg/status': status.replaceAll('ok installed', 'ok half-installed') },
    ],
    ['the records end within the paragraph', { '/var/lib/dpkg/status': 'Package: gdb\nVersion: 13' }],
    ['there are no records', { '/var/lib/dpkg/status': { error: 'EACCES' } }],
  ])('is asked where %s', async (_why, changes) => {
    expect(await read(changes)).toBeUndefined();
  });
});

test.each(upstreams)('%s is upstream %s', (version, upstream) => {
  expect(upstreamVersion(version)).toBe(upstream ?? undefined);
});

test('is what the programs of this machine print', { tags: 'release' }, async ({ skip }) => {
  let compared = 0;
  const system = createSystem();
  const machine = openMachine(system);
  for (const tool of toolTable) {
    const { debianPackage } = tool;
    for (const name of debianPackage === undefined ? [] : tool.executables) {
      const path = await system.realPath(`/usr/bin/${name}`).catch(() => undefined);
      const owner = typeof debianPackage === 'function' ? path && debianPackage(path) : debianPackage;
      const recorded = path && owner && (await versionFromDpkg(machine, owner, path));
      if (!recorded) continue;
      compared += 1;
      const { stdout, stderr } = await system.execute(path, tool.args ?? ['--version'], {
        timeoutMs: 20_000,
      });
      expect(versionIn(stdout, tool.pattern) ?? versionIn(stderr, tool.pattern), tool.name).toBe(recorded);
    }
  }
  if (compared === 0) skip('dpkg has installed none of the tools on this machine');
});

describe('without starting a wrapper', () => {
  function fromFiles(name: string, realPath: string, files: NonNullable<FakeMachine['files']>) {
    const tool = toolTable.find((each) => each.name === name);
    const machine = openMachine(createFakeSystem({ files }));
    return tool?.files?.({ machine, path: `/usr/bin/${name}`, realPath, folder: '/work' });
  }

  const client = (major: number): NonNullable<FakeMachine['files']> => ({
    [`/usr/lib/postgresql/${major}/bin/psql`]: { executable: true, modifiedMs: installedMs - 1 },
    [`/var/lib/dpkg/info/postgresql-client-${major}.list`]: {
      content: `/usr/lib/postgresql/${major}/bin/psql\n`,
      modifiedMs: installedMs,
    },
  });
  const clients = [15, 16].map(
    (major) =>
      `Package: postgresql-client-${major}\nStatus: install ok installed\nVersion: ${major}.1-0+deb12u1\n`,
  );
  const records = { '/var/lib/dpkg/status': clients.join('\n') };

  test('psql is the only client of PostgreSQL that is installed', async () => {
    const wrapper = '/usr/share/postgresql-common/pg_wrapper';
    expect(await fromFiles('psql', wrapper, { ...records, ...client(15) })).toBe('15.1');
    expect(await fromFiles('psql', wrapper, { ...records, ...client(15), ...client(16) })).toBeUndefined();
    expect(await fromFiles('psql', '/usr/local/bin/psql', { ...records, ...client(15) })).toBeUndefined();
  });

  test("kubectl of Google Cloud's command line is the component that it records", async () => {
    const components = [
      { id: 'core', version: { version_string: '2025.06.20' } },
      { id: 'kubectl', version: { build_number: 20_250_620, version_string: '1.32.4' } },
    ];
    const files = {
      '/opt/google-cloud-sdk/bin/kubectl': { executable: true },
      '/opt/google-cloud-sdk/.install/kubectl.snapshot.json': JSON.stringify({ components }),
    };
    expect(await fromFiles('kubectl', '/opt/google-cloud-sdk/bin/kubectl', files)).toBe('1.32.4');
    expect(await fromFiles('kubectl', '/usr/local/bin/kubectl', files)).toBeUndefined();
  });
});
