// The readers of strangers' texts, each with a small valid sample, and how a sample grows.

import path from 'node:path';
import { fileReaders, patternReaders } from '../../../packages/capture/src/declared/version-files.ts';
import { createPackageList } from '../../../packages/capture/src/dependencies/package-list.ts';
import { loadParser } from '../../../packages/capture/src/dependencies/parser.ts';
import { classifyVariable } from '../../../packages/capture/src/variables/classify-variable.ts';
import { compareEnvironments } from '../../../packages/compare/src/index.ts';
import { ecosystems } from '../../../packages/shared/src/catalogue/ecosystems.ts';
import { formatOf } from '../../../packages/shared/src/catalogue/formats.ts';
import { versionDistance } from '../../../packages/versions/src/version-distance.ts';
import { orderVersions } from '../../../packages/versions/src/version-order.ts';
import samples from '../../capture/dependencies/samples.json' with { type: 'json' };
import { findTextFunctions } from './text-functions.ts';

export type Read = (text: string) => unknown;

export interface Reader {
  readonly name: string;
  readonly sample: string;
  readonly read: Read;
  /** Pieces besides those of its sample. */
  readonly pieces?: readonly string[];
}

/** Pieces that have a meaning in several grammars. */
const common = [...'" \' \\ { [ ( < /* # : = &A= ${ \t \r a 1.'.split(' '), '- ', ' ', '[a '];
/** Pieces of dependency files. */
const ofDependencies = [
  ...'" \' \\ { [ ( < <a> <! <!-- <![CDATA[ & ${ /* ,/* , -1 [[ a@ @a/ ; ==1, \n a:\n a= =1 :: #& a.b 1. _ (a'.split(
    ' ',
  ),
  ...'\\\n|"a":|\t|a|a="|{<<"|\n%|$a|[a]\n|<a b="|&a |, |- |# | #| --'.split('|'),
  ...[' ', '\n\n  ', 'a: '],
];

const dependencyReaders = Object.entries(samples).flatMap(([file, sample]): Reader[] => {
  const format = formatOf(path.posix.basename(file), path.posix.basename(path.posix.dirname(file)));
  if (!format) throw new Error(`${file} has no format`);
  const parser = loadParser(format);
  const read = async (text: string) =>
    (await parser)(text, createPackageList(), {
      path: file,
      warn: () => undefined,
      include: async (_, read) => read(text, file),
    });
  return [
    { name: file, sample, read, pieces: ofDependencies },
    { name: `${file}, with nothing else in it`, sample: '', read, pieces: ofDependencies },
  ];
});

const system = (value: string) => ({
  machineName: 'x',
  metadata: { system: { libc: value, kernel: value } },
});
const schemes = [...new Set(Object.values(ecosystems).map(({ scheme }) => scheme))];

/** Readers that take more than a text. */
const otherReaders: readonly Reader[] = [
  {
    name: 'a variable',
    sample: 'https://u:p@h/x?a=b -p c --password d {"e": "f"}',
    read: (text) => classifyVariable('A', text),
  },
  {
    name: 'a fact',
    sample: 'glibc 2.36',
    read: (text) => compareEnvironments(system(text), system(`${text}1`)),
  },
  ...fileReaders.map(([file, read]) => ({
    name: `versions declared in ${file}`,
    sample: 'go 1.22\ntoolchain go1.23.1 # x\nruby = "3"\n',
    read: (text: string) => read(text, file),
  })),
  ...patternReaders.map(({ example, read }) => ({
    name: `versions declared in ${example}`,
    sample: 'required_ruby_version = [">= 3", <TargetFrameworks>net8.0;\n',
    read: (text: string) => read(text, example),
  })),
  ...schemes.map((scheme) => ({
    name: `versions of ${scheme}`,
    sample: '1.2.3-alpha.1+build',
    read: (text: string) => orderVersions([text, `${text}1`, text.slice(1), '1.0'], scheme),
  })),
  ...Object.keys(ecosystems).map((ecosystem) => ({
    name: `the distance of versions of ${ecosystem}`,
    sample: '1.2.3-alpha.1+build',
    read: (text: string) => versionDistance(text, `${text}1`, ecosystem as keyof typeof ecosystems),
  })),
];

/**
 * The pieces of a sample, and others with a meaning: words, spaces and signs, two and three of them in a row, lines and fields.
 */
export function piecesOf({ sample, pieces = [] }: Pick<Reader, 'sample' | 'pieces'>): string[] {
  const tokens = sample.match(/\w+|\s+|[^\w\s]/g) ?? [];
  const rows = [2, 3].flatMap((count) =>
    tokens.slice(0, 40).map((_, index) => tokens.slice(index, index + count).join('')),
  );
  const lines = sample.split('\n').map((line) => `${line}\n`);
  // Fields that begin and never end.
  const fields = (sample.match(/^[\w-]+[:=]/gm) ?? []).map((field) => `\n${field}x `);
  return [...new Set([...common, ...pieces, ...tokens, ...rows, ...lines, ...fields])].filter(
    (piece) => piece !== '',
  );
}

/** A sample with a piece repeated in its middle. */
export function grown(sample: string, piece: string, length: number): string {
  const middle = sample.indexOf('\n', sample.length / 2) + 1 || Math.floor(sample.length / 2);
  return `${sample.slice(0, middle)}${piece.repeat(Math.ceil(length / piece.length))}${sample.slice(middle)}`;
}

/** All readers. */
export const readers: readonly Reader[] = [
  ...dependencyReaders,
  ...otherReaders,
  ...(await findTextFunctions()),
];
