// A repository of many small dependency files of many kinds, as large companies keep them: 359 files, 12,000 packages.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const names = (count: number, seed: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(seed * 7 + index)).join('');
const version = (index: number) => `${index % 9}.${index % 13}.${index % 7}`;

/** File name, how many there are, packages in each, and their text. */
const kinds: readonly (readonly [
  name: string,
  files: number,
  packages: number,
  text: (packages: number, seed: number) => string,
])[] = [
  [
    'package-lock.json',
    60,
    80,
    (count, seed) => {
      const packages = Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `node_modules/package-${seed * 7 + index}`,
          {
            version: version(index),
            resolved: 'https://registry.npmjs.org/x/-/x.tgz',
            integrity: `sha512-${'A'.repeat(86)}==`,
          },
        ]),
      );
      return JSON.stringify({ lockfileVersion: 3, packages: { '': {}, ...packages } }, null, 2);
    },
  ],
  [
    'pnpm-lock.yaml',
    20,
    60,
    (count, seed) =>
      `lockfileVersion: '9.0'\n\npackages:\n\n${names(count, seed, (at) => `  package-${at}@${version(at)}:\n    resolution: {integrity: sha512-${'A'.repeat(86)}==}\n\n`)}`,
  ],
  [
    'requirements.txt',
    80,
    20,
    (count, seed) => names(count, seed, (at) => `package-${at}==${version(at)}\n`),
  ],
  [
    'poetry.lock',
    20,
    40,
    (count, seed) =>
      `${names(count, seed, (at) => `[[package]]\nname = "package-${at}"\nversion = "${version(at)}"\nfiles = []\n\n`)}[metadata]\nlock-version = "2.0"\n`,
  ],
  [
    'pom.xml',
    50,
    20,
    (count, seed) =>
      `<project><dependencies>${names(count, seed, (at) => `<dependency><groupId>org.example</groupId><artifactId>a-${at}</artifactId><version>${version(at)}</version></dependency>`)}</dependencies></project>`,
  ],
  [
    'go.mod',
    40,
    30,
    (count, seed) =>
      `module example.com/m\n\ngo 1.22\n\nrequire (\n${names(count, seed, (at) => `\texample.com/p${at} v${version(at)}\n`)})\n`,
  ],
  [
    'Cargo.lock',
    30,
    40,
    (count, seed) =>
      `version = 4\n\n${names(count, seed, (at) => `[[package]]\nname = "package-${at}"\nversion = "${version(at)}"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n\n`)}`,
  ],
  [
    'app.csproj',
    40,
    10,
    (count, seed) =>
      `<Project><ItemGroup>${names(count, seed, (at) => `<PackageReference Include="P${at}" Version="${version(at)}"/>`)}</ItemGroup></Project>`,
  ],
  ['Dockerfile', 19, 1, (_, seed) => `FROM node:${20 + (seed % 5)}-bookworm\n`],
];

/** Writes the repository; answers how many files and packages it has. */
export function writeMixedRepository(folder: string): { files: number; packages: number } {
  let files = 0;
  let packages = 0;
  for (const [name, count, each, text] of kinds) {
    for (let index = 0; index < count; index += 1) {
      const project = path.join(folder, `group-${index % 12}`, `${name.replace(/\W/g, '')}-${index}`);
      mkdirSync(path.join(project, 'src'), { recursive: true });
      writeFileSync(path.join(project, name), text(each, index));
      for (let source = 0; source < 20; source += 1)
        writeFileSync(path.join(project, 'src', `file-${source}.txt`), '');
      files += 1;
      packages += each;
    }
  }
  return { files, packages };
}
