// The table of tools as a whole.

import { describe, expect, test } from 'vitest';
import { captureEnvironment } from '../../../packages/capture/src/capture-environment.ts';
import { versionIn } from '../../../packages/capture/src/runtimes/tool.ts';
import { toolTable as tools } from '../../../packages/capture/src/runtimes/tool-table.ts';
import { createFakeSystem } from '../../support/fake-system.ts';
import { plainOptions } from '../plain-options.ts';

describe('the table of tools', () => {
  test('has every tool that the decisions name, and each name once', () => {
    const names = tools.map(({ name }) => name);
    const named =
      'node npm pnpm yarn bun deno python pip uv poetry ruby bundler go rustc cargo java maven gradle kotlin scala dotnet php composer perl lua julia r swift gcc clang cmake make git docker podman kubectl helm terraform';
    expect(names).toEqual(expect.arrayContaining(named.split(' ')));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(60);
  });

  test('gives each tool a way to its version', () => {
    for (const tool of tools) {
      const places = [...tool.executables, ...Object.values(tool.places ?? {}).flat()];
      expect(places.length, tool.name).toBeGreaterThan(0);
    }
  });
});

describe('the version in what a tool prints', () => {
  const outputs: readonly (readonly [tool: string, output: string, version: string | undefined])[] = [
    ['node', 'v24.1.0\n', '24.1.0'],
    ['node', 'v22.0.0-nightly20240101abc\n', '22.0.0-nightly20240101abc'],
    ['bun', '1.1.8\n', '1.1.8'],
    ['deno', 'deno 1.43.1 (release, x86_64-unknown-linux-gnu)\nv8 12.4.254.12\n', '1.43.1'],
    ['python', 'Python 3.12.1\n', '3.12.1'],
    ['python', 'Python 3.13.0rc1\n', '3.13.0rc1'],
    ['python', 'Python 3.12.0+\n', '3.12.0'],
    ['python2', 'Python 2.7.18\n', '2.7.18'],
    ['python2', 'Python 3.12.1\n', undefined],
    ['ruby', 'ruby 3.2.2 (2023-03-30 revision e51014f9c0) [x86_64-linux]\n', '3.2.2'],
    ['go', 'go version go1.22.4 linux/amd64\n', '1.22.4'],
    ['go', 'go version go1.23rc1 linux/amd64\n', '1.23rc1'],
    ['rustc', 'rustc 1.78.0 (9b00956e5 2024-04-29)\n', '1.78.0'],
    ['cargo', 'cargo 1.80.0-nightly (0ca60e940 2024-05-08)\n', '1.80.0-nightly'],
    ['java', 'openjdk version "17.0.11" 2024-04-16\nOpenJDK Runtime Environment\n', '17.0.11'],
    ['java', 'java version "1.8.0_402"\n', '1.8.0_402'],
    ['java', 'openjdk version "21" 2023-09-19\n', '21'],
    ['php', 'PHP 8.3.6 (cli) (built: Apr 15 2024)\n', '8.3.6'],
    ['perl', '\nThis is perl 5, version 36, subversion 0 (v5.36.0) built for x86_64-linux\n', '5.36.0'],
    ['lua', 'Lua 5.4.6  Copyright (C) 1994-2023 Lua.org, PUC-Rio\n', '5.4.6'],
    ['julia', 'julia version 1.10.3\n', '1.10.3'],
    ['r', 'Rscript (R) version 4.4.0 (2024-04-24)\n', '4.4.0'],
    ['swift', 'swift-driver version: 1.90.11.1 Apple Swift version 5.10 (swiftlang-5.10.0.13)\n', '5.10'],
    ['ghc', '9.4.7\n', '9.4.7'],
    ['zig', '0.13.0-dev.46+3648d7df1\n', '0.13.0-dev.46+3648d7df1'],
    ['gcc', 'gcc (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022\n', '12.2.0'],
    ['gcc', 'gcc (GCC) 14.1.1 20240522\n', '14.1.1'],
    ['gcc', 'Apple clang version 15.0.0 (clang-1500.3.9.4)\nTarget: arm64-apple-darwin\n', undefined],
    ['clang', 'Apple clang version 15.0.0 (clang-1500.3.9.4)\n', '15.0.0'],
    ['clang', 'Debian clang version 14.0.6\nTarget: x86_64\n', '14.0.6'],
    ['ld', 'GNU ld (GNU Binutils for Debian) 2.40\n', '2.40'],
    ['nvcc', 'nvcc: NVIDIA\nCuda compilation tools, release 13.0, V13.0.88\n', '13.0.88'],
    ['cmake', 'cmake version 3.29.3\n\nCMake suite\n', '3.29.3'],
    ['make', 'GNU Make 4.3\nBuilt for x86_64\n', '4.3'],
    ['ninja', '1.12.1\n', '1.12.1'],
    ['bazel', 'bazel 7.1.1\n', '7.1.1'],
    ['git', 'git version 2.39.3 (Apple Git-146)\n', '2.39.3'],
    ['git', 'git version 2.45.1.windows.1\n', '2.45.1'],
    ['git-lfs', 'git-lfs/3.5.1 (GitHub; linux amd64; go 1.22.1)\n', '3.5.1'],
    ['docker', 'Docker version 26.1.3, build b72abbb\n', '26.1.3'],
    ['docker-compose', '2.27.0\n', '2.27.0'],
    ['docker-compose', 'v2.27.0-desktop.2\n', '2.27.0-desktop.2'],
    ['podman', 'podman version 5.0.3\n', '5.0.3'],
    ['kubectl', 'Client Version: v1.30.1\nKustomize Version: v5.0.4\n', '1.30.1'],
    ['helm', 'v3.15.1+ge211f2a\n', '3.15.1+ge211f2a'],
    [
      'terraform',
      'Terraform v1.8.4\non linux_amd64\n\nYour version of Terraform is out of date! The latest version is 1.9.0.\n',
      '1.8.4',
    ],
    ['tofu', 'OpenTofu v1.7.1\non linux_amd64\n', '1.7.1'],
    ['psql', 'psql (PostgreSQL) 16.3 (Debian 16.3-1.pgdg120+1)\n', '16.3'],
    ['psql', 'psql (PostgreSQL) 17beta1\n', '17beta1'],
    ['mysql', 'mysql  Ver 8.4.0 for Linux on x86_64 (MySQL Community Server - GPL)\n', '8.4.0'],
    ['mysql', 'mysql  Ver 15.1 Distrib 10.11.6-MariaDB, for debian-linux-gnu (x86_64)\n', '10.11.6-MariaDB'],
    ['sqlite', '3.45.3 2024-04-15 13:34:05 8653b758870e6ef0\n', '3.45.3'],
    ['redis-cli', 'redis-cli 7.2.4\n', '7.2.4'],
    ['chromium', 'Chromium 125.0.6422.76 built on Debian GNU/Linux 12 (bookworm)\n', '125.0.6422.76'],
    ['chrome', 'Google Chrome 125.0.6422.112 \n', '125.0.6422.112'],
    ['firefox', 'Mozilla Firefox 126.0\n', '126.0'],
    ['curl', 'curl 8.8.0 (x86_64-pc-linux-gnu) libcurl/8.8.0 OpenSSL/3.3.0\n', '8.8.0'],
    ['openssl', 'OpenSSL 3.0.13 30 Jan 2024 (Library: OpenSSL 3.0.13 30 Jan 2024)\n', '3.0.13'],
    ['openssl', 'OpenSSL 1.1.1w  11 Sep 2023\n', '1.1.1w'],
    ['openssl', 'LibreSSL 3.3.6\n', '3.3.6'],
    ['openssh', 'OpenSSH_9.2p1 Debian-2+deb12u2, OpenSSL 3.0.11 19 Sep 2023\n', '9.2p1'],
    ['bash', 'GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\n', '5.2.15'],
    ['zsh', 'zsh 5.9 (x86_64-debian-linux-gnu)\n', '5.9'],
    ['jq', 'jq-1.7.1\n', '1.7.1'],
    ['ffmpeg', 'ffmpeg version 6.1.1-3ubuntu5 Copyright (c) 2000-2023\n', '6.1.1'],
    ['ffmpeg', 'ffmpeg version n7.0.1 Copyright (c)\n', '7.0.1'],
    ['apt', 'apt 2.6.1 (amd64)\n', '2.6.1'],
    ['apk', 'apk-tools 2.14.4, compiled for x86_64.\n', '2.14.4'],
    ['composer', 'Composer version 2.7.6 2024-05-04 23:03:15\n', '2.7.6'],
    ['nix', 'nix (Nix) 2.22.1\n', '2.22.1'],
    [
      'rustup',
      'rustup 1.27.1 (54dd3d00f 2024-04-24)\ninfo: The currently active `rustc` version is `rustc 1.78.0`\n',
      '1.27.1',
    ],
    ['virtualbox', '7.0.18r162988\n', '7.0.18'],
    ['nginx', 'nginx version: nginx/1.26.0\n', '1.26.0'],
    ['apache', 'Server version: Apache/2.4.59 (Debian)\n', '2.4.59'],
    ['imagemagick', 'Version: ImageMagick 7.1.1-32 Q16-HDRI x86_64 https://imagemagick.org\n', '7.1.1-32'],
    ['pip', 'pip 24.0 from /usr/lib/python3/dist-packages/pip (python 3.12)\n', '24.0'],
    ['poetry', 'Poetry (version 1.8.3)\n', '1.8.3'],
    ['uv', 'uv 0.2.5 (Homebrew 2024-05-24)\n', '0.2.5'],
    ['mise', '2024.5.22 linux-x64 (2024-05-28)\n', '2024.5.22'],
    ['rsync', 'rsync  version 3.2.7  protocol version 31\n', '3.2.7'],
    ['wget', 'GNU Wget 1.21.3 built on linux-gnu.\n', '1.21.3'],
    ['make', '\u001b[1mGNU Make 4.4.1\u001b[m\n', '4.4.1'],
    ['make', 'no version here\n', undefined],
  ];
  test.each(outputs)('%s: %j is %s', (name, output, version) => {
    expect(versionIn(output, tools.find((tool) => tool.name === name)?.pattern)).toBe(version);
  });
});

test('nothing of the project is read, and no other tool asked, while a tool as large as the capture runs', async () => {
  const seen: { reads: readonly string[]; started: readonly string[] }[] = [];
  const system = createFakeSystem({
    env: { PATH: '/usr/bin', HOME: '/home/dev' },
    homeDir: '/home/dev',
    files: {
      '/usr/bin/terraform': { executable: true, content: '\x7fELF' },
      '/usr/bin/docker': { executable: true, content: '\x7fELF' },
      '/srv/app/package-lock.json':
        '{"lockfileVersion":3,"packages":{"node_modules/zod":{"version":"4.6.7"}}}',
    },
    programs: {
      '/usr/bin/terraform': () => {
        seen.push({ reads: [...system.reads], started: system.executions.map(({ file }) => file) });
        return 'Terraform v1.11.4\n';
      },
      '/usr/bin/docker': 'Docker version 28.2.2, build e6534b4\n',
    },
  });
  const { snapshot } = await captureEnvironment(system, { folder: '/srv/app', ...plainOptions });
  expect(snapshot.runtimeVersions).toMatchObject({ terraform: '1.11.4', docker: '28.2.2' });
  expect(snapshot.dependencies['package-lock.json']).toEqual({ zod: '4.6.7' });
  expect(seen).toHaveLength(1);
  expect(seen[0]?.reads).not.toContain('/srv/app/package-lock.json');
  expect(seen[0]?.started).toEqual(['/usr/bin/terraform']);
});
