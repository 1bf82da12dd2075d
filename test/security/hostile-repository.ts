// A repository that keeps its readers busy: files on which readers once took minutes, and two snapshots like them.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { planted } from '../support/log-obedience.ts';

const blanks = ' '.repeat(200_000);
const digits = '1'.repeat(200_000);
const assignments = '&A='.repeat(43_690);

/** The text that is planted everywhere, with the 8-bit form of an escape sequence and half a character. */
export const trick = `\u009b31m\ud800${planted}`;

const files: Readonly<Record<string, string>> = {
  '.envsnap.yaml': `expect:\n  runtimes:\n    node: ">=1${blanks}x"\n# !${'\t'.repeat(200_000)}x\n`,
  '.git/HEAD': `ref: refs/heads/main${trick}\n`,
  'report.xml': `<testsuites><testsuite name="a${trick}"><testcase name="b${trick}&#x1b;[2J" file="${trick}"><failure message="c${trick}&#x9b;2J">Error: Cannot find module '${trick}'${blanks}
</failure></testcase></testsuite>${'<testsuite>'.repeat(20_000)}`,
  'report.json': JSON.stringify({
    results: {
      tests: [
        {
          name: `a${trick}`,
          suite: [`b${trick}`],
          status: 'failed',
          message: `KeyError: 'X${trick}'${blanks}`,
          filePath: trick,
        },
        { name: '__proto__', status: 'passed', duration: 1e300 },
      ],
    },
  }),
  '.git/config': `${`[a${blanks}\n`.repeat(2)}${'[a'.repeat(1000)}${blanks}x\n`,
  '.env': `A=${'"'.repeat(1000)}${blanks}x\n`,
  'package.json': `{"name":"x","engines":{"node":">=1${' '.repeat(50_000)}x"}}`,
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: Object.fromEntries(
      [1, 2, 3].map((at) => [
        `node_modules/a${at}/node_modules/b`,
        { version: `${'1.'.repeat(33_333)}${at}` },
      ]),
    ),
  }),
  'yarn.lock': `# yarn lockfile v1\n\na@1:\n  version${blanks}\r${blanks}x\n`,
  'Gemfile.lock': `GEM\n  remote:${blanks}\r${blanks}x\n  specs:\n    a (${digits})\n`,
  'conanfile.txt': `[requires]\na/[~1,${blanks}\r${blanks}x\n`,
  'conan.lock': `{"requires":["a/1${blanks}#${blanks}"]}`,
  '.mvn/wrapper/maven-wrapper.properties': `distributionUrl=${'apache-maven-1'.repeat(20_000)}x\n`,
  'gradle/wrapper/gradle-wrapper.properties': `distributionUrl=${'gradle-1'.repeat(20_000)}x\n`,
  'pom.xml': `<project><dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId><version>${'1.'.repeat(33_333)}</version></dependency></dependencies></project>`,
  'paket.lock': `NUGET\n  remote:${blanks}\r${blanks}x\n    a (1)\n`,
  'Package.swift': `//${blanks}swift-tools-version${blanks}x\n`,
  'requirements.txt': `a [${blanks}\r${blanks}x @\n${'a['.repeat(50_000)}\n`,
  '.gitignore': `${'*a'.repeat(500)}\n${'**/'.repeat(300)}x\n`,
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [`scripts/run-${at}.sh`, `#!/bin/sh\n${assignments}`]),
  ),
};

/** A snapshot can contain only its complete characters. */
const stored = trick.replace('\ud800', '');
/** As long as the service accepts. */
const number = digits.slice(0, 60_000);

const snapshot = (end: string) => ({
  id: `id-${end}${stored}`,
  createdAt: `${stored}${end}`,
  machineName: `machine-${end}${stored}`.slice(0, 255),
  os: 'linux',
  arch: 'x64',
  runtimeVersions: { node: `${'1.'.repeat(300)}${end}` },
  dependencies: {
    'pom.xml': { 'a:b': `${'1.'.repeat(33_333)}${end}` },
    'package-lock.json': {
      '::warning::b': end,
      a: `${digits}, x${blanks}${end}, ${'-1'.repeat(10_000)}${end}`,
    },
  },
  envVars: {
    PATH: '/a:'.repeat(5000),
    A: `${blanks.slice(0, 100_000)}${end}${stored}`,
    [`APP${stored}`]: `${end}${stored}`,
    [`APP=${stored}`]: `${end}${stored}`,
  },
  metadata: {
    system: {
      libc: `${number}\t${end}`,
      distribution: `${number}\t${end}${stored}`,
      kernel: `${number}\t${end}`,
    },
    facts: { 'limits.openFiles': `${number}${end}`, 'process.umask': `${end}${stored}` },
    outcome: { result: end === '1' ? 'passed' : 'failed', of: 'x', attempt: 1 },
  },
});

/** Names of the snapshots in the repository. */
export const hostileSnapshots = ['one.json', 'two.json'] as const;

export function writeHostileRepository(folder: string): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  writeHostileSnapshots(folder);
}

/** Writes only its snapshots. */
export function writeHostileSnapshots(folder: string): void {
  for (const [at, name] of hostileSnapshots.entries())
    writeFileSync(path.join(folder, name), JSON.stringify(snapshot(String(at + 1))));
}
