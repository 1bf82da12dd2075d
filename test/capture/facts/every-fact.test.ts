// Every fact is expected by some test of captures; those that no other test needs are read here, on one machine.

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { factNames } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { expect, it } from 'vitest';
import { readFacts } from './read-facts.ts';

const sys = (settings: Record<string, string>) =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`/proc/sys/${name}`, `${value}\n`]));
const program = (content: string) => ({ executable: true, content: `\x7fELF ${content}` });

it('settings of the kernel, of git and of tools are read from their files', async () => {
  const { facts, unknown } = await readFacts({
    env: { PATH: '/usr/bin', SSH_AUTH_SOCK: '/run/agent', COLUMNS: '120', MAKEFLAGS: '-j8' },
    files: {
      '/proc/self/limits': ['processes', 'locked memory', 'core file size', 'file size', 'data size']
        .map(
          (name, place) =>
            `Max ${name.padEnd(22)}${1000 + place}                 unlimited            bytes\n`,
        )
        .join(''),
      '/proc/self/attr/current': 'docker-default (enforce)\n',
      '/proc/cpuinfo': 'model name\t: QEMU TCG CPU version 2.5+\n',
      '/proc/self/mountinfo': '22 1 0:20 / / rw,relatime - exfat /dev/sda rw\n',
      '/proc/driver/nvidia/version': 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  2024\n',
      ...sys({
        'fs/inotify/max_user_watches': '8192',
        'fs/inotify/max_user_instances': '128',
        'kernel/pid_max': '4194304',
        'net/core/somaxconn': '4096',
        'net/ipv4/ip_unprivileged_port_start': '1024',
        'net/ipv4/ip_local_port_range': '32768\t60999',
        'kernel/yama/ptrace_scope': '2',
        'kernel/perf_event_paranoid': '3',
      }),
      '/sys/fs/selinux/enforce': '1',
      '/usr/local/cuda/version.json': '{"cuda":{"version":"12.4.1"}}',
      '/usr/lib/x86_64-linux-gnu/libicuuc.so.74.2': '',
      '/etc/localtime': 'TZif2',
      '/etc/gai.conf': '# all\nprecedence ::ffff:0:0/96  100\n',
      '/etc/crypto-policies/state/current': 'FIPS\n',
      '/etc/docker/daemon.json': '{"storage-driver":"vfs","debug":true}',
      '/etc/ImageMagick-6/policy.xml': '<policymap/>',
      '/home/dev/.gitconfig':
        '[core]\n safecrlf = warn\n fileMode = false\n longPaths\n precomposeUnicode = true\n attributesFile = ~/a\n hooksPath = ~/hooks\n[tag]\n gpgSign = true\n[submodule]\n recurse = true\n[protocol "file"]\n allow = always\n[safe]\n bareRepository = explicit\n[http]\n sslVerify = false\n[filter "lfs"]\n process = git-lfs filter-process\n',
      '/home/dev/.npmrc':
        'strict-ssl=false\nbefore=2024-01-01\nnode-options=--trace-warnings\nscript-shell=/bin/zsh\ninstall-strategy=nested\nhoist=false\nstrict-peer-dependencies=true\nprefix=/opt/npm\n',
      '/home/dev/.yarnrc.yml': 'enableScripts: false\n',
      '/home/dev/.bunfig.toml': '[install]\nregistry = "https://bun.corp.example"\n',
      '/home/dev/.config/uv/uv.toml': 'index-url = "https://uv.corp.example/simple"\n',
      '/home/dev/.config/go/env': 'GOPRIVATE=corp.example\n',
      '/home/dev/.gemrc': ':sources:\n- https://gems.corp.example\n',
      '/home/dev/.config/composer/config.json':
        '{"repositories":{"corp":{"url":"https://php.corp.example"}}}',
      '/home/dev/.nuget/NuGet/NuGet.Config':
        '<configuration><packageSources><add key="corp" value="https://nuget.corp.example"/></packageSources></configuration>',
      '/usr/bin/python3': { link: 'python3.12' },
      '/usr/bin/python3.12': program(''),
      '/usr/lib/python3.12/EXTERNALLY-MANAGED': '',
      '/usr/bin/grep': program('GNU grep'),
      '/usr/bin/find': program('BusyBox v1.36'),
      '/usr/bin/date': program('uutils'),
      '/usr/bin/make': program('GNU Make'),
    },
  });
  expect(unknown.map(({ key }) => key)).toEqual([]);
  expect(facts).toMatchObject({
    'limits.processes': 1000,
    'limits.lockedMemory': 1001,
    'limits.core': 1002,
    'limits.fileSize': 1003,
    'limits.data': 1004,
    'process.confinement': 'docker-default (enforce)',
    'process.sshAgent': true,
    'terminal.columns': 120,
    'make.flags': '-j8',
    'cpu.emulation': 'qemu',
    'fs.symlinks': false,
    'gpu.driver': 'nvidia 550.54.14',
    'gpu.cuda': '12.4.1',
    'icu.system': '74.2',
    'time.localtime': expect.stringMatching(/^sha256:/),
    'kernel.inotifyWatches': 8192,
    'kernel.inotifyInstances': 128,
    'kernel.processIds': 4194304,
    'kernel.listenBacklog': 4096,
    'kernel.unprivilegedPorts': 1024,
    'kernel.ephemeralPorts': 28232,
    'kernel.ptraceScope': 'admin',
    'kernel.perfParanoid': 3,
    'kernel.selinux': 'enforcing',
    'net.addressPreference': ['precedence ::ffff:0:0/96 100'],
    'openssl.cryptoPolicy': 'FIPS',
    'docker.engine': ['storage-driver=vfs'],
    'imagemagick.policy': expect.stringMatching(/^sha256:/),
    'git.core.safecrlf': 'warn',
    'git.core.fileMode': false,
    'git.core.longPaths': true,
    'git.core.precomposeUnicode': true,
    'git.core.attributesFile': true,
    'git.core.hooksPath': true,
    'git.tag.gpgSign': true,
    'git.submodule.recurse': true,
    'git.protocol.fileAllow': 'always',
    'git.safe.bareRepository': 'explicit',
    'git.http.sslVerify': false,
    'git.lfs': true,
    'npm.strictSsl': false,
    'npm.before': '2024-01-01',
    'npm.nodeOptions': '--trace-warnings',
    'npm.scriptShell': 'zsh',
    'npm.installStrategy': 'nested',
    'npm.prefix': '/opt/npm',
    'pnpm.hoisting': ['hoist=false'],
    'pnpm.strictPeerDependencies': true,
    'yarn.enableScripts': false,
    'bun.registry': 'bun.corp.example',
    'uv.index': 'uv.corp.example/simple',
    'python.externallyManaged': true,
    'go.private': 'corp.example',
    'gem.sources': ['gems.corp.example'],
    'composer.repositories': ['php.corp.example'],
    'nuget.sources': ['nuget.corp.example'],
    'program.grep': 'GNU',
    'program.find': 'BusyBox',
    'program.date': 'uutils',
    'program.make': 'GNU',
  });
});

it('no fact of the catalogue is without a test of its reader', () => {
  const folder = path.dirname(import.meta.dirname);
  const tests = globSync('**/*.{test.ts,yaml}', { cwd: folder }).map((file) =>
    readFileSync(path.join(folder, file), 'utf8'),
  );
  expect(
    factNames.filter(
      (name) => !tests.some((test) => test.includes(`'${name}'`) || test.includes(` ${name}:`)),
    ),
  ).toEqual([]);
});
