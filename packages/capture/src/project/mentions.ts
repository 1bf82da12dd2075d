// Finds the variables and tools that a text of the project mentions: dotenv samples, compose files, CI definitions, scripts.
// Every expression here is linear in the text.

import { toolOfCommand } from '@envsnap/shared/catalogue/project-tools';
import { roleOf, toolRow } from '@envsnap/shared/catalogue/tools';
import { describeVariable } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { recordOf, textEntriesOf, textItemsOf } from '@envsnap/shared/plain-object';
import { rangeStart } from '../declared/package-json.ts';
import { withoutLongLines } from '../system/long-lines.ts';
import { parseObject } from '../system/machine-files.ts';
import imageNames from './image-names.json' with { type: 'json' };

export interface Mentions {
  readonly variables: readonly string[];
  readonly tools: readonly string[];
  /** git settings that commands pass or change (`protocol.file.allow`), and facts that project files set (`npm.registry`). */
  readonly settings?: readonly string[];
  /** Packages that the project installs itself: a tool with that name need not be on the machine. */
  readonly own?: readonly string[];
}

/** Names in one dotenv sample, including those that are commented out, because they may be set. */
export function dotenvMentions(text: string): Mentions {
  const name = /^[ \t]*(?:#[ \t]*)?(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=/gm;
  return { variables: allMatches(text, name), tools: [] };
}

/** A compose file: interpolated variables, and those that are set for services or passed to them. */
export function composeMentions(text: string): Mentions {
  return { variables: [...expansions(text), ...upperKeys(text), ...listedNames(text)], tools: ['docker'] };
}

/** A definition for a CI service, in YAML, TOML, JSON or Groovy. */
export function ciMentions(text: string): Mentions {
  return {
    variables: [
      ...upperKeys(text),
      ...expansions(text),
      ...allMatches(text, /\b(?:secrets|vars|env)\.([A-Za-z_][A-Za-z0-9_]*)/g),
      ...allMatches(text, /\bcredentials\(['"]([A-Za-z_][A-Za-z0-9_-]*)['"]\)/g),
    ],
    tools: [...setUpTools(text), ...imageTools(text), ...commandTools(text)],
    settings: gitSettings(text),
  };
}

/** A Dockerfile: its arguments, the variables that it sets, and the tools in its base images. */
export function dockerfileMentions(text: string): Mentions {
  const set = [...text.matchAll(/^[ \t]*(?:ARG|ENV)[ \t]+([^\n]*)/gim)].flatMap(([, rest = '']) => {
    const pairs = allMatches(rest, /(?:^|[ \t])([A-Za-z_][A-Za-z0-9_]*)=/g);
    return pairs.length > 0 ? pairs : allMatches(rest, /^([A-Za-z_][A-Za-z0-9_]*)/g);
  });
  return { variables: set, tools: ['docker', ...imageTools(text), ...commandTools(text)] };
}

/** Shell scripts, make files and the like; a script whose first line names another language is read as a program. */
export function scriptMentions(text: string): Mentions {
  // Files in `bin` may be compiled.
  if (text.includes('\0')) return { variables: [], tools: [] };
  if (/^#![^\n]*\b(?:node|deno|bun|tsx|python[\d.]*|ruby|perl|php)\b/.test(text))
    return programMentions(text);
  // `NAME=value command`, also after cross-env and `export`.
  const assigned = allMatches(text, /(?:^|[ \t;&|(])([A-Z_][A-Z0-9_]*)\??:?=/gm);
  return {
    variables: [...expansions(text), ...assigned],
    tools: commandTools(text),
    settings: gitSettings(text),
  };
}

/** A program in a language other than the shell's: the variables that it reads. Does not look for programs that it starts. */
export function programMentions(text: string): Mentions {
  const member = /\b(?:process|import\.meta|Bun)\.env(?:\.|\[['"`])([A-Za-z_]\w*)/g;
  const lookup =
    /(?:\benviron(?:\.get\(|\[)|\b(?:getenv|Getenv|LookupEnv|env\.get|get_env|fetch_env!?|env::var|ENV\.fetch|[sS]etenv|stubEnv)\(|<(?:env|server) name=|\b_?ENV\[|\$ENV\{)['"`]?([A-Za-z_]\w*)/g;
  return {
    variables: [...allMatches(text, member), ...allMatches(text, lookup)],
    tools: [],
    settings: gitSettings(text),
  };
}

/** The project's code: the application's own variables. Code may read `HOME` and `CI` without needing them. */
export function sourceMentions(text: string): Mentions {
  const variables = programMentions(text).variables.filter((name) => {
    const row = describeVariable(name);
    return row === undefined || row.class === 'application';
  });
  return { variables, tools: [] };
}

/** A manifest or lock file of Composer: the extensions of PHP that it requires. Suggestions have a text in place of a version. */
export function composerMentions(text: string): Mentions {
  const required = allMatches(text, /"(ext-[\w-]+)"[ \t]*:[ \t]*"[\d*^~<>=]/g);
  return { variables: [], tools: [], settings: required.map((name) => name.toLowerCase()) };
}

/** Submodules whose addresses are folders beside the project, which git clones only if that is allowed. */
export function submoduleMentions(text: string): Mentions {
  const isLocal = /^[ \t]*url[ \t]*=[ \t]*(?:file:|\.{0,2}\/)/m.test(text);
  return { variables: [], tools: [], settings: isLocal ? ['protocol.file.allow'] : [] };
}

/** Settings with a safe default that tests and scripts change; projects do not rely on others. */
function gitSettings(text: string): string[] {
  return allMatches(text, /\b(protocol\.file\.allow|safe\.barerepository)\b/gi).map((name) =>
    name.toLowerCase(),
  );
}

/** The scripts, engines and package manager of a `package.json`. */
export function packageJsonMentions(text: string): Mentions {
  const parsed = parseObject(text);
  if (parsed === undefined) return { variables: [], tools: [] };
  const { scripts, engines, packageManager, dependencies, devDependencies } = parsed;
  const mentioned = scriptMentions(textItemsOf(Object.values(recordOf(scripts))).join('\n'));
  const manager = typeof packageManager === 'string' ? packageManager.split('@', 1)[0] : undefined;
  const engineRanges = textEntriesOf(engines).filter(([, range]) => rangeStart.test(range));
  const declared = [...engineRanges.map(([tool]) => tool), manager ?? []]
    .flat()
    .flatMap((name) => toolOfCommand(name) ?? []);
  return {
    ...mentioned,
    tools: [...mentioned.tools, ...declared],
    // The root installs packages for its members, and CI runs them.
    own: [dependencies, devDependencies]
      .flatMap((packages) => Object.keys(recordOf(packages)))
      // A database's library has the same name as its server.
      .filter((name) => roleOf(toolRow(name)) !== 'tool' && !declared.includes(name)),
  };
}

/** A policy: expected, required and forbidden variables, and requested runtimes. */
export function policyMentions(text: string): Mentions {
  const flow = [...text.matchAll(/^(?:required|forbidden)[ \t]*:[ \t]*\[([^\]\r\n\u2028\u2029]*)\]/gm)];
  const inFlow = flow.flatMap(([, list = '']) => allMatches(list, /\b([A-Z][A-Z0-9_]*)\b/g));
  const names = allMatches(text, /^[ \t]+([a-z][a-z0-9+-]*)[ \t]*:/gm);
  return {
    variables: [...listedNames(text), ...upperKeys(text), ...inFlow],
    tools: names.flatMap((name) => toolOfCommand(name) ?? []),
  };
}

/** `${NAME}`, `${NAME:-default}`, `$NAME`, `%NAME%`. */
function expansions(text: string): string[] {
  return allMatches(text, /\$\{?([A-Z_][A-Z0-9_]*)\b/g).concat(allMatches(text, /%([A-Z_][A-Z0-9_]*)%/g));
}

/** `NAME: value` and `NAME = value` with a name in capitals. */
function upperKeys(text: string): string[] {
  return allMatches(text, /^[ \t]*(?:-[ \t]+)?["']?([A-Z_][A-Z0-9_]+)["']?[ \t]*[:=]/gm);
}

/** `- NAME` and `- NAME=value` of a list. */
function listedNames(text: string): string[] {
  return allMatches(text, /^[ \t]*-[ \t]+["']?([A-Z_][A-Z0-9_]+)(?:["'=]|[ \t]*$)/gm);
}

/**
 * Where a command in a script begins: at a line's start, after a separator, after a word that runs what follows. One letter after
 * a dash is an option.
 */
const commandStart =
  /(?:^|[;&|(]|\b(?:run|script|command|RUN|CMD|sudo|exec|npx|dotenv|cross-env|env):?(?=[ \t]))[ \t]*(?:-[ \t]+)?(?:@|-(?=\w\w))?/gm;
const leadingAssignment = /[A-Z_][A-Z0-9_]*=[^ \t\n;&|(]*[ \t]+/y;
const commandName = /((?:\.\/)?[A-Za-z][\w.+-]*)(?![\w.+-]|[ \t]*:)/y;

function commandTools(whole: string): string[] {
  const text = withoutLongLines(whole);
  const ownFunctions = new Set(
    allMatches(text, /^[ \t]*(?:function[ \t]+)?([A-Za-z][\w-]*)[ \t]*\([ \t]*\)/gm),
  );
  const tools: string[] = [];
  for (let at = 0; ; ) {
    commandStart.lastIndex = at;
    const start = commandStart.exec(text);
    if (!start) return tools;
    at = start.index + start[0].length;
    for (let match: RegExpExecArray | null; ; at += match[0].length) {
      leadingAssignment.lastIndex = at;
      match = leadingAssignment.exec(text);
      if (!match) break;
    }
    commandName.lastIndex = at;
    const [command = ''] = commandName.exec(text) ?? [];
    at = Math.max(at + command.length, start.index + 1);
    if (command !== '' && !ownFunctions.has(command)) tools.push(...[toolOfCommand(command) ?? []].flat());
  }
}

/** `actions/setup-node`, `ruby/setup-ruby`, `circleci/node`, `NodeTool@0`, `node_js:`. */
function setUpTools(text: string): string[] {
  const names = [
    ...allMatches(text, /\buses:[ \t]*["']?[\w.-]+\/setup-([a-z]+)/g),
    ...allMatches(
      text,
      /\b(Node|Go|UsePython|UseRuby|UseDotNet|JavaTool)(?:Tool|Version|Installer)?@\d/g,
    ).map((name) => name.toLowerCase().replace(/^use|tool$/g, '')),
    ...allMatches(
      text,
      /^[ \t]*(?:-[ \t]+)?(node|python|go|ruby|java|php|dotnet)(?:_js|-version|_version)?[ \t]*:(?![ \t]*(?:true|false)\b)/gm,
    ),
    ...allMatches(text, /^[ \t]*language[ \t]*:[ \t]*([a-z_]+)/gm).map((name) => name.replace(/_js$/, '')),
  ];
  return names.flatMap((name) => toolOfImage(name) ?? []);
}

/** Images whose names differ from those of their tools. */
const images: Readonly<Record<string, string>> = imageNames;

function toolOfImage(name: string): string | undefined {
  return Object.hasOwn(images, name) ? images[name] : toolOfCommand(name);
}

/** `FROM node:22`, `image: cimg/python:3.12`, `container: golang:1.24`. */
function imageTools(text: string): string[] {
  const images = allMatches(
    text,
    /(?:\bFROM[ \t]+(?:--platform=[^ \t\n]+[ \t]+)?|\bimage:[ \t]*["']?|\bcontainer:[ \t]*["']?)([\w./-]+)/g,
  );
  return images.flatMap((image) => toolOfImage(image.slice(image.lastIndexOf('/') + 1)) ?? []);
}

function allMatches(text: string, expression: RegExp): string[] {
  return [...withoutLongLines(text).matchAll(expression)].map(([, found]) => found as string);
}
