// Container images: those of compose files and the base images of Dockerfiles.

import { forEachLine } from './lines.ts';
import { anyVersion, createPackageList, type PackageList } from './package-list.ts';
import type { ParseContext } from './parser.ts';
import { mapEntries, parseYamlMap, textKey } from './yaml.ts';

/** A compose file: images with their tag, digest or both; no tag means `latest`. Services that are built have none. */
export function parseCompose(text: string, context: ParseContext): PackageList {
  const file = parseYamlMap(text);
  const list = createPackageList();
  for (const [service, definition] of mapEntries(file, 'services')) {
    const image = textKey(definition, 'image');
    if (image === undefined) continue;
    const reference = readImage(image);
    if (reference) list.add(reference.name, reference.version);
    else context.warn(`the image of its service ${service.slice(0, 100)} has no name`);
  }
  return list;
}

/**
 * A Dockerfile: images of its `FROM` lines and of `COPY --from`, with the defaults of its arguments filled in; `scratch`
 * and earlier stages are none.
 */
export function parseDockerfile(text: string, context: ParseContext): PackageList {
  const list = createPackageList();
  const stages = new Set<string>(['scratch']);
  const defaults = new Map<string, string>();
  const add = (image: string, line: number) => {
    const expanded = expand(image, defaults);
    if (stages.has(expanded.toLowerCase()) || /^\d+$/.test(expanded)) return;
    const reference = readImage(expanded);
    if (reference) list.add(reference.name, reference.version);
    else context.warn('an image has no name', line);
  };
  forEachInstruction(text, (instruction, rest, line) => {
    if (instruction === 'ARG') {
      for (const [, name = '', quoted, plain = ''] of rest.matchAll(/(?:^|\s)(\w+)=(?:"([^"]*)"|(\S*))/g)) {
        // Docker gives stages only what is declared before the first one; the first declaration says as much everywhere.
        if (!defaults.has(name)) defaults.set(name, expand(quoted ?? plain, defaults));
      }
    } else if (instruction === 'FROM') {
      const [image, as, stage] = rest.split(/\s+/).filter((word) => !word.startsWith('--'));
      if (image) add(image, line);
      if (as?.toUpperCase() === 'AS' && stage) stages.add(stage.toLowerCase());
    } else if (instruction === 'COPY') {
      const from = /(?:^|\s)--from=(\S+)/.exec(rest)?.[1];
      if (from) add(from, line);
    }
  });
  return list;
}

/** Calls back for every instruction, continued lines joined; comments are left out. */
function forEachInstruction(
  text: string,
  visit: (instruction: string, rest: string, line: number) => void,
): void {
  const continuation = /^[ \t]*#\s*escape\s*=\s*`/im.test(text.slice(0, 200)) ? '`' : '\\';
  const parts: string[] = [];
  let first = 0;
  const finish = () => {
    const [, instruction, rest = ''] = /^\s*(\w+)\s+(.*)$/s.exec(parts.join(' ')) ?? [];
    if (instruction) visit(instruction.toUpperCase(), rest.trim(), first);
    parts.length = 0;
  };
  forEachLine(text, (line, number) => {
    if (/^\s*#/.test(line) || (line.trim() === '' && parts.length > 0)) return;
    if (parts.length === 0) first = number;
    const trimmed = line.trimEnd();
    if (trimmed.endsWith(continuation)) parts.push(trimmed.slice(0, -1));
    else {
      parts.push(trimmed);
      finish();
    }
  });
  finish();
}

/** Most arguments that are filled into one image, and longest result, in characters. */
const maxExpansions = 20;
const maxImage = 4096;

/** `$NAME`, `${NAME}`, `${NAME:-default}` by the declared defaults; others stay as they are written. */
function expand(text: string, values: ReadonlyMap<string, string>): string {
  let count = 0;
  const result = text.replace(
    /\$\{(\w+)(?::?-([^{}]*))?\}|\$(\w+)/g,
    (whole, braced: string | undefined, fallback: string | undefined, plain: string | undefined) => {
      count += 1;
      if (count > maxExpansions) return whole;
      return values.get(braced ?? plain ?? '') || (fallback ?? whole);
    },
  );
  return result.length > maxImage ? text : result;
}

/** `host:port/name:tag@digest`; variables (`${TAG:-1}`) stay as they are written. Undefined without a name. */
export function readImage(image: string): { name: string; version: string } | undefined {
  const [reference = '', digest] = image.split('@', 2);
  // A colon inside `${…}` or before the last slash separates no tag.
  const bare = reference.replace(/\$\{[^{}]*\}/g, (variable) => '$'.repeat(variable.length));
  const colon = bare.lastIndexOf(':');
  const hasTag = colon > bare.lastIndexOf('/');
  const name = hasTag ? reference.slice(0, colon) : reference;
  // A variable without a known value may hold the tag too.
  const usual = name.includes('$') ? anyVersion : 'latest';
  const tag = hasTag ? reference.slice(colon + 1) : digest === undefined ? usual : '';
  const version = digest === undefined ? tag : `${tag}@${digest}`;
  return name === '' ? undefined : { name, version };
}
