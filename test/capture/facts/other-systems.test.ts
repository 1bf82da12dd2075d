import { describe, expect, it } from 'vitest';
import type { FakeMachine } from '../../support/fake-system.ts';
import { readTestData } from '../../support/test-data.ts';
import { readFacts } from './read-facts.ts';

const { macFiles, macFacts, windowsFiles, windowsFacts } = readTestData<{
  macFiles: NonNullable<FakeMachine['files']>;
  macFacts: object;
  windowsFiles: NonNullable<FakeMachine['files']>;
  windowsFacts: object;
}>(import.meta);

describe('facts of other systems', () => {
  it('come from the documented programs and files of macOS, and the rest is absent', async () => {
    const { facts, system } = await readFacts(
      {
        platform: 'darwin',
        arch: 'arm64',
        homeDir: '/Users/dev',
        env: { PATH: '/opt/homebrew/bin:/usr/bin:/bin' },
        processState: {
          userId: 501,
          accountHome: '/Users/dev',
          umask: 0o022,
          limits: () => ({ open_files: { soft: 10240, hard: 'unlimited' } }),
        },
        files: macFiles,
        programs: {
          '/sbin/mount':
            '/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)\n/dev/disk3s5 on /Users (apfs, local, journaled)\n',
          '/usr/sbin/sysctl': (args) =>
            args.includes('hw.pagesize')
              ? '16384\n'
              : 'hw.optional.neon: 1\nhw.optional.arm.FEAT_SHA256: 0\n',
        },
      },
      '/Users/dev/app',
    );
    expect(facts).toMatchObject(macFacts);
    expect(Object.keys(facts).filter((name) => name.startsWith('kernel.'))).toEqual([]);
    expect(system.executions.filter(({ file }) => file === '/sbin/mount')).toHaveLength(1);
  });

  it('come from the registry of Windows', async () => {
    const reg = (args: readonly string[]) => {
      const name = args.at(-1);
      // Only administrators may read the list outside the policy.
      if (name?.endsWith('Policies\\Microsoft\\Windows Defender\\Exclusions\\Paths'))
        return '\r\nHKEY\r\n    D:\\other folder    REG_SZ    0\r\n    c:\\App\\    REG_SZ    0\r\n\r\n';
      const data = {
        DefaultDistribution: '{8b1}',
        DistributionName: args[1]?.endsWith('{8b1}') ? 'Ubuntu-24.04' : undefined,
        Version: '0x2',
        LongPathsEnabled: '0x1',
        ACP: '1252',
        OEMCP: '850',
        // Without a policy, the account's setting comes before the machine's.
        ExecutionPolicy: args[1]?.startsWith('HKCU\\SOFTWARE\\Microsoft') ? 'RemoteSigned' : undefined,
        ProxyEnable: '0x1',
        ProxyServer: 'proxy.corp:8080',
      };
      const value = data[name as keyof typeof data];
      return value ? `\r\nHKEY\r\n    ${name}    REG_SZ    ${value}\r\n\r\n` : { exitCode: 1 };
    };
    const { facts } = await readFacts(
      {
        platform: 'win32',
        env: { Path: 'C:\\Windows\\System32;C:\\Program Files\\Git\\usr\\bin', SystemRoot: 'C:\\Windows' },
        files: windowsFiles,
        programs: { 'C:\\Windows\\System32\\reg.exe': reg },
      },
      'C:\\app',
    );
    expect(facts).toMatchObject(windowsFacts);
    expect(facts).not.toHaveProperty('limits.openFiles');
    expect(facts).not.toHaveProperty('process.umask');
  });
});
