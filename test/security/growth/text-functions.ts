// Every function of the packages that takes a text first, found in the syntax trees of their files: what a new reader, or a
// part of one, is called is up to its author, but it cannot be forgotten here.

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Function as FunctionNode, type ParamPattern, parseSync } from 'oxc-parser';
import type { Reader } from './readers.ts';

const packages = path.resolve(import.meta.dirname, '../../../packages');

/** Where such texts are a stranger's. Parsers of dependency files have samples of their own. */
const folders =
  /^(?:capture|compare|console|versions)\/src\/(?!dependencies\/parsers\/)|^shared\/src\/(?!openapi\/)|^cli\/src\/(?:actions\/comparison|issue|mcp|render|runs)\//;

/** Sound texts of those that refuse or ignore other ones, and what they take behind it. */
const particular: Readonly<Record<string, { readonly sample?: string; readonly rest?: readonly unknown[] }>> =
  {
    ciMentions: { sample: 'jobs:\n  - uses: actions/setup-go@v5\n  - run: make\n' },
    asksForVersion: { sample: 'requires gradle 9.0 or newer', rest: ['gradle'] },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: compose files hold such placeholders
    composeMentions: { sample: 'services:\n  a:\n    image: a:${TAG:-1}\n' },
    dockerfileMentions: { sample: 'FROM --platform=x a:1\nENV A=1 B=2\n' },
    dotenvMentions: { sample: 'export A=1\n# B=2\n' },
    forEachLine: { rest: [() => undefined] },
    hasWord: { sample: 'gradle-x.y gradle', rest: ['gradle'] },
    isRequirement: { sample: '>=1.2.3 <2 || ^3.0.0-rc.1' },
    miseTools: { sample: '[tools]\nnode = ["20", "22"]\ngo = { version = "1" }\n' },
    nearestName: { sample: 'runtimes', rest: [['runtime', 'os']] },
    packageJsonMentions: { sample: '{"scripts":{"a":"A=1 b $C"}}' },
    namesFile: { sample: "Error: Cannot find module '../a/b.js'\n", rest: ['a/b.js'] },
    packageJsonVersions: { sample: '{"engines":{"node":">=20"},"packageManager":"pnpm@9.0.0+sha1.a"}' },
    parseCtrf: {
      sample: '{"results":{"tests":[\n{"name":"a","status":"failed","suite":["b"],"message":"c"}]}}',
    },
    parseFailOn: { sample: 'runtimes,env:A' },
    parseGitConfig: { sample: '[a "b"]\n\tc = d \\\n e # f\n' },
    parseIndented: { rest: [JSON.stringify, () => undefined] },
    parseIni: { sample: '[a]\nb = "c" ; d\n' },
    parseJsonObject: { sample: '{"a": [1, "b"]}' },
    parseJsoncObject: { sample: '{"a": [1, "b",], // c\n}' },
    parseJunit: {
      sample:
        '<testsuites><testsuite name="a">\n<testcase classname="b" name="c"><failure message="d">e</failure></testcase></testsuite></testsuites>',
    },
    parsePolicy: { sample: 'expect:\n  runtimes:\n    node: ">=22 <25"\nrequired: [A]\n', rest: ['x'] },
    parseToml: { sample: '[a]\nb = ["c", { d = 1 }]\n' },
    parseXml: { sample: '<a b="c">\n<d/><![CDATA[e]]>&amp;</a>' },
    parseYamlDocuments: { sample: 'a: [b, "c"]\nd:\n  - e: 1\n' },
    parseYamlMap: { sample: 'a: [b, "c"]\nd:\n  - e: 1\n' },
    policyMentions: { sample: 'required: [A, B]\nexpect:\n  env:\n    C: x\n' },
    programMentions: { sample: 'process.env.A; os.environ["B"]; getenv("C")\n' },
    readFailure: { sample: "Error: Cannot find module 'a'\n    at b (c.js:1:2)\nKeyError: 'D'\n" },
    rustToolchain: { sample: '[toolchain]\nchannel = "1.80"\n' },
    scanXml: { sample: '<a b="c">\n<d/></a>', rest: [{ open: () => undefined, close: () => undefined }] },
    scriptMentions: { sample: '#!/bin/sh\nA=1 B=2 make && $C | sudo npm run x\n' },
    sectionNamed: { sample: 'runtimes', rest: ['x'] },
    separates: { sample: 'requires v9.0.1', rest: [{ a: '8.5', b: '9.1' }] },
    toolVersions: { sample: 'node 20 22 # a\ngo 1\n' },
    withAcceptance: {
      sample: 'accepted:\n  - key: env:A # b\n    reason: c\n',
      rest: [{ key: 'env:B', reason: 'c' }, 'x'],
    },
    yamlPositions: { sample: 'a: [b, "c"]\nd:\n  - e: 1\n' },
  };

/** A text that several grammars take. */
const common = 'a: 1\nb = "c"\n<d e="f"/>\n';

/** All of them, as readers. */
export async function findTextFunctions(): Promise<Reader[]> {
  const found: Reader[] = [];
  // Only the sources, because a build may change its output at any time.
  for (const file of globSync('*/src/**/*.ts', { cwd: packages }).sort()) {
    const place = file.replaceAll(path.sep, '/');
    if (!folders.test(place) || !/(?<!\.d)\.ts$/.test(place)) continue;
    const names = textFunctions(place, readFileSync(path.join(packages, file), 'utf8'));
    if (names.length === 0) continue;
    // The address by which Vite itself asks for the module: under another one, a module that is on its way is loaded twice, and
    // the classes of one copy are not those of the other.
    const module = await import(/* @vite-ignore */ `/packages/${place}`);
    for (const name of names) {
      const { sample = common, rest = [] } = particular[name] ?? {};
      const read = (text: string) => module[name](text, ...rest);
      // Not sound for a function that is new: give it a text here.
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
