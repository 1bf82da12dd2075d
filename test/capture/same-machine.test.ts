import { describe, expect, it } from 'vitest';
import { captureEnvironment } from '../../packages/capture/src/capture-environment.ts';
import type { CapturedSnapshot } from '../../packages/capture/src/capture-types.ts';
import { findDifferences } from '../../packages/compare/src/model/find-differences.ts';
import { differencesOf } from '../../packages/compare/src/model/model.ts';
import { reportComparison } from '../../packages/compare/src/report/report.ts';
import { createFakeSystem, type FakeMachine } from '../support/fake-system.ts';
import { readTestData } from '../support/test-data.ts';
import { plainOptions } from './plain-options.ts';

const { equalMachines } = readTestData<{ equalMachines: [string, Play][] }>(import.meta);

/** Natural differences between two machines, or one machine at two times: session, boot, container, user. */
interface Play {
  readonly user?: string;
  readonly userId?: number;
  readonly env?: Record<string, string>;
  readonly container?: string;
  readonly parent?: number;
  readonly boot?: number;
  /** The path of the checkout. Default `/srv/app`. */
  readonly checkout?: string;
}

function machine({
  user = 'dev',
  userId = 1000,
  env = {},
  container = '0a1b2c3d4e5f',
  parent = 10,
  boot = 1,
  checkout = '/srv/app',
}: Play = {}): FakeMachine {
  const home = `/home/${user}`;
  const limits = 'Max open files            1024                 524288               files     \n';
  return {
    homeDir: home,
    hostName: container,
    env: {
      HOME: home,
      PATH: `${home}/.local/bin:/usr/bin:/bin`,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      EDITOR: 'vi',
      ...env,
    },
    hostRuntime: { execPath: '/usr/bin/node', nodeVersion: '24.0.0' },
    processState: { userId, accountHome: home },
    files: {
      [`${checkout}/package-lock.json`]:
        '{"lockfileVersion":3,"packages":{"node_modules/zod":{"version":"4.6.7"}}}',
      [checkout]: { folder: true, ownerId: userId },
      [`${home}/.gitconfig`]: `[user]\n\tname = ${user}\n\temail = ${user}@example.com\n[core]\n\tautocrlf = input\n`,
      [`${home}/.npmrc`]: `//registry.npmjs.org/:_authToken=npm_${user}\n`,
      '/proc/self/status': `PPid:\t${parent}\nUmask:\t0022\nUid:\t${userId}\t${userId}\t${userId}\t${userId}\nCpus_allowed_list:\t0-3\n`,
      '/proc/self/limits': limits,
      [`/proc/${parent}/limits`]: limits,
      [`/proc/${parent}/exe`]: { link: '/bin/bash' },
      '/bin/bash': { executable: true, content: '\x7fELF' },
      '/proc/self/cgroup': `0::/docker/${container}\n`,
      '/proc/self/mountinfo': `${600 + boot} ${500 + boot} 0:${boot} / / rw,relatime - overlay overlay rw,lowerdir=/var/lib/docker/${container}\n${601 + boot} 1 0:9 /docker/${container} /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n`,
      '/sys/fs/cgroup/memory.max': '2147483648\n',
      '/proc/uptime': `${boot * 1000}.00 1.00\n`,
      '/proc/meminfo': `MemFree: ${boot * 4096} kB\n`,
      '/proc/sys/fs/file-max': '9223372036854775807\n',
      '/etc/hosts': `127.0.0.1\tlocalhost\n172.17.0.${boot + 1}\t${container}\n10.0.0.5\tdb.internal\n`,
      '/etc/resolv.conf': 'nameserver 127.0.0.11\noptions ndots:0\n',
      '/tmp': { folder: true },
    },
  };
}

async function capture(play?: Play): Promise<CapturedSnapshot> {
  const { snapshot } = await captureEnvironment(createFakeSystem(machine(play)), {
    folder: play?.checkout ?? '/srv/app',
    ...plainOptions,
  });
  return snapshot;
}

async function difference(play: Play) {
  const comparison = findDifferences(await capture(), await capture(play));
  return {
    keys: differencesOf(comparison).map(({ section, key }) => `${section}:${key}`),
    counting: [...reportComparison(comparison).counting].map(({ key }) => key),
  };
}

describe('the same machine', () => {
  it('captured twice is the same except for metadata.capture', async () => {
    const [first, second] = [await capture(), await capture()].map(({ metadata, ...rest }) => {
      const { capture: _capture, ...about } = metadata;
      return JSON.stringify({ ...rest, metadata: about });
    });
    expect(first).toBe(second);
  });

  it.each(equalMachines)('%s does not differ', async (_, play) => {
    expect(await difference(play)).toEqual({ keys: [], counting: [] });
  });

  it.each([['/home/dev/src/shop'], ['/builds/12/shop'], ['/app']])(
    'with the checkout in %s does not differ, whatever names that folder',
    async (checkout) => {
      const naming = (folder: string) => ({
        VIRTUAL_ENV: `${folder}/.venv`,
        PYTHONPATH: `${folder}/src:/opt/shared`,
        DATABASE_URL: `sqlite:////${folder.slice(1)}/shop.db`,
        PATH: `${folder}/.venv/bin:/usr/bin:/bin`,
        CFLAGS: `-I${folder}/include`,
      });
      const here = await capture({ env: naming('/srv/app') });
      const there = await capture({ checkout, env: naming(checkout) });
      expect(differencesOf(findDifferences(here, there)).map(({ key }) => key)).toEqual([]);
      expect(there.envVars).toMatchObject({
        VIRTUAL_ENV: '<checkout>/.venv',
        PYTHONPATH: '<checkout>/src:/opt/shared',
      });
    },
  );

  it('calls no folder a checkout that holds the home folder or the programs of the system', async () => {
    for (const folder of ['/home/dev', '/home', '/usr', '/tmp']) {
      const { snapshot } = await captureEnvironment(
        createFakeSystem({
          ...machine({ env: { LOOKS_AT: `${folder}/bin/x` } }),
          files: { ...machine().files, [folder]: { folder: true } },
        }),
        { folder, ...plainOptions },
      );
      expect(snapshot.envVars?.LOOKS_AT).not.toContain('<checkout>');
    }
  });

  it('captured by the Node.js of the search path or by another one does not differ', async () => {
    const capturedBy = async (execPath: string) => {
      const fake = machine();
      const { snapshot } = await captureEnvironment(
        createFakeSystem({
          ...fake,
          hostRuntime: { execPath, nodeVersion: '24.0.0' },
          processState: { ...fake.processState, versions: { icu: '78.3', unicode: '17.0' } },
          files: {
            ...fake.files,
            '/usr/bin/node': { executable: true, content: '\x7fELF' },
            '/usr/include/node/config.gypi': "{'variables': {'icu_ver_major': '78'}}",
          },
          programs: { '/usr/bin/node': 'v24.0.0\n' },
        }),
        { folder: '/srv/app', ...plainOptions },
      );
      return snapshot;
    };
    const [own, other] = [await capturedBy('/usr/bin/node'), await capturedBy('/opt/tools/node')];
    expect(own.metadata).toMatchObject({ facts: { 'node.icu': '78', 'node.unicode': '17.0' } });
    expect(differencesOf(findDifferences(own, other)).map(({ key }) => key)).toEqual([]);
  });

  it('in another terminal differs only in that, and nothing counts', async () => {
    const play = { env: { TERM: 'screen-256color', TERM_PROGRAM: 'tmux', COLORTERM: 'truecolor' } };
    expect(await difference(play)).toEqual({
      keys: ['facts:terminal.color', 'facts:terminal.type'],
      counting: [],
    });
  });

  it('in a home folder of random letters hides no variable that names it', async () => {
    const home = '/tmp/envsnap-facts-aB3dE9/work/my home';
    const fake = machine();
    const { snapshot } = await captureEnvironment(
      createFakeSystem({
        ...fake,
        homeDir: home,
        env: { ...fake.env, HOME: home, CARGO_HOME: `${home}/.cargo` },
      }),
      { folder: '/srv/app', ...plainOptions },
    );
    expect(snapshot.envVars).toMatchObject({ HOME: '~', CARGO_HOME: '~/.cargo' });
  });

  it('names no user and holds no person’s configuration', async () => {
    const text = JSON.stringify(await capture({ user: 'anna', userId: 1001 }));
    expect(text).not.toContain('anna');
    expect(text).not.toContain('example.com');
    expect(text).not.toContain('npm_');
  });
});
