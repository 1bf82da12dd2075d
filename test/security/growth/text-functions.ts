// Every function of the packages that takes a text first, found in the syntax trees of their files: so no new reader can be
// forgotten, whatever its name.

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Function as FunctionNode, type ParamPattern, parseSync } from 'oxc-parser';
import { readTestData } from '../../support/test-data.ts';
import type { Reader } from './readers.ts';

const packages = path.resolve(import.meta.dirname, '../../../packages');

/** Folders whose texts come from strangers. Parsers of dependency files have separate samples. */
const folders =
  /^(?:capture|compare|console|versions)\/src\/(?!dependencies\/parsers\/)|^shared\/src\/(?!openapi\/)|^cli\/src\/(?:actions\/comparison|issue|mcp|render|runs)\//;

/** Valid texts for functions that refuse or ignore others. */
const { samples } = readTestData<{ samples: Readonly<Record<string, string>> }>(import.meta);

/** Further arguments that some take after the text. */
const particular: Readonly<Record<string, readonly unknown[]>> = {
  acceptInPolicy: [{ key: 'env:B', reason: 'c' }, 'x'],
  asksForVersion: ['gradle'],
  forEachLine: [() => undefined],
  hasWord: ['gradle'],
  namesFile: ['a/b.js'],
  nearestName: [['runtime', 'os']],
  parseIndented: [JSON.stringify, () => undefined],
  parsePolicy: ['x'],
  requireLine: [/^[a-z]/m],
  scanXml: [{ open: () => undefined, close: () => undefined }],
  sectionNamed: ['x'],
  separates: [{ a: '8.5', b: '9.1' }],
};

/** A text that several grammars take. */
const common = 'a: 1\nb = "c"\n<d e="f"/>\n';

/** All functions, as readers. */
export async function findTextFunctions(): Promise<Reader[]> {
  const found: Reader[] = [];
  // Only the sources, because a build may change its output at any time.
  for (const file of globSync('*/src/**/*.ts', { cwd: packages }).sort()) {
    const place = file.replaceAll(path.sep, '/');
    if (!folders.test(place) || !/(?<!\.d)\.ts$/.test(place)) continue;
    const names = textFunctions(place, readFileSync(path.join(packages, file), 'utf8'));
    if (names.length === 0) continue;
    const module = await import(pathToFileURL(path.join(packages, place)).href);
    for (const name of names) {
      const sample = samples[name] ?? common;
      const read = (text: string) => module[name](text, ...(particular[name] ?? []));
      // This text is not valid for a new function: give it one in the data beside this file.
      await read(sample);
      found.push({ name: `${place}: ${name}`, sample, read });
    }
  }
  return found;
}

function textFunctions(file: string, text: string): string[] {
  const { program } = parseSync(file, text);
  return program.body.flatMap((node) => {
    const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : null;
    if (declaration?.type === 'FunctionDeclaration')
      return declaration.id && takesText(declaration) ? [declaration.id.name] : [];
    if (declaration?.type !== 'VariableDeclaration') return [];
    return declaration.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && init?.type === 'ArrowFunctionExpression' && takesText(init)
        ? [id.name]
        : [],
    );
  });
}

function takesText({ params }: Pick<FunctionNode, 'params'>): boolean {
  const [first] = params as ParamPattern[];
  if (first?.type !== 'Identifier') return false;
  const type = first.typeAnnotation?.typeAnnotation;
  const types = type?.type === 'TSUnionType' ? type.types : [type];
  return (
    /^(?:text|source|content|output|line)$/.test(first.name) &&
    types.some((each) => each?.type === 'TSStringKeyword')
  );
}
