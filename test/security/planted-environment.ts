// Environments and a project in which every captured place contains text that CI services obey, or that is invisible.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hiddenCharacters, planted } from '../support/log-obedience.ts';

/** Possible names of files: invisible ones, and ones that are obeyed. */
export const hiddenName = hiddenCharacters.slice(6).join('');
const plantedNames = [hiddenName, planted.replaceAll('/', '').slice(-140)];

const mark = (text: string) => `${text}${planted}`;

function environment(side: string, patch: number) {
  const declared = [
    { source: mark('package.json engines'), version: mark('>=24'), satisfied: false },
    { source: mark('package.json volta'), version: mark('22.1.0'), satisfied: false },
  ];
  return {
    // A name has at most 255 characters: one side has the first markers, the other the last.
    machineName: `${side}${planted.slice(...(patch === 1 ? [0, 240] : [-240]))}`,
    os: `linux${patch}\n##vso[x]`,
    arch: `x64${patch}\n##teamcity[x]`,
    runtimeVersions: {
      node: mark(`2${patch}.1.0`),
      [mark('tool')]: `1.${patch}`,
      [`${planted}${side}`]: mark('1'),
    },
    dependencies: {
      'package-lock.json': {
        [mark('left-pad')]: mark(`1.0.${patch}`),
        react: mark(`1${patch}.0.0`),
        [`${planted}${side}`]: '1',
      },
      [mark('app/go.sum')]: { 'example.com/a': mark(`v1.${patch}.0`) },
    },
    envVars: {
      TZ: mark(`Zone/${side}`),
      NODE_ENV: mark(side),
      PATH: `/usr/bin:/${side}/${planted}`,
      [mark('APP')]: mark(side),
      [`APP_${side}${planted}`]: 'x',
    },
    metadata: {
      git: { branch: mark(side), commit: `${patch}a2b3c4d5e6f` },
      checkout: {
        changed: { count: 1, files: { [mark('src/a.ts')]: 'content' } },
        ignored: { count: 1, files: { [mark('own.json')]: mark(`${patch} bytes`) } },
        tags: [mark(side)],
        untracked: { count: patch, files: [mark('notes')] },
      },
      project: { ecosystems: ['npm'], tools: ['node'], variables: { [mark('APP')]: mark('compose.yaml') } },
      toolchain: {
        node: { present: mark(`2${patch}.1.0`), declared },
        [mark('tool')]: { present: null, declared },
      },
      installed: { 'package-lock.json': { react: mark(`1${patch}.9.0`), [mark('other')]: '' } },
      system: {
        distribution: mark(`debian ${patch}`),
        libc: mark(`glibc 2.${patch}`),
        kernel: mark(`6.${patch}`),
      },
      timezone: mark(`Zone/${side}`),
      locale: mark(side),
      shell: { name: mark(side), path: mark('/bin/sh'), version: mark('5') },
      facts: {
        'process.umask': mark(`00${patch}2`),
        'git.core.autocrlf': mark(side),
        'npm.registry': mark(`https://${side}.example.org`),
        'cpu.features': [mark(side), planted],
        [mark('limits.openFiles')]: patch,
        'limits.openFiles': patch,
      },
      capture: { unknown: { 'system.container': mark('no rights') }, warnings: [mark('warning')] },
      outcome: { result: patch === 1 ? 'passed' : 'failed', of: mark('tests'), attempt: 1 },
    },
  };
}

/** Snapshots by file name: `a.json` and `b.json`, and six runs that passed and failed. */
function plantedSnapshots(): Record<string, string> {
  const [a, b] = [environment('anna', 1), environment('ben', 2)];
  const files: Record<string, string> = Object.fromEntries(
    ['', hiddenName].flatMap((name) => [
      [`${name}a.json`, JSON.stringify(a)],
      [`${name}b.json`, JSON.stringify(b)],
    ]),
  );
  for (let run = 0; run < 6; run += 1) {
    files[`${hiddenName}passed-${run}.json`] = JSON.stringify(a);
    files[`${hiddenName}failed-${run}.json`] = JSON.stringify(b);
  }
  return files;
}

/** Writes the snapshots, and a project whose files contain the same. */
export function writePlantedProject(folder: string): void {
  const files: Record<string, string> = {
    ...plantedSnapshots(),
    '.envsnap.yaml': JSON.stringify({
      expect: { runtimes: { node: '>=99' } },
      required: ['APP'],
      accepted: [{ key: 'env:TZ', reason: planted, until: '2020-01-01' }],
    }),
    '.git/HEAD': `ref: refs/heads/main${planted}\n`,
    '.nvmrc': `99${planted}\n`,
    'package.json': JSON.stringify({
      name: `app${planted}`,
      engines: { node: `>=99${planted}`, [`npm${planted}`]: '1' },
      volta: { node: `99.0.0${planted}` },
      packageManager: `pnpm@99.0.0${planted}`,
      dependencies: { [`left-pad${planted}`]: planted },
    }),
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: { [`node_modules/left-pad${planted}`]: { version: `1.0.0${planted}` } },
    }),
    '.env': `APP="x${planted}"\n`,
    [`${hiddenName}output.txt`]: `Error: Cannot find module 'react'\nnode: ${planted}\n${planted}`,
    ...Object.fromEntries(plantedNames.map((name) => [`requirements-${name}.txt`, 'flask==1.0\n'])),
    [`${hiddenName}app/go.sum`]: 'example.com/a v1.0.0 h1:x=\n',
    [`.env.${hiddenName}`]: 'A=1\n',
  };
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
