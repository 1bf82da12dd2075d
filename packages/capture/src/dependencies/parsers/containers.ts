// Containers: images of compose files and Dockerfiles, dev containers and their features, charts of Helm.

import { field, recordOf, textField } from '@envsnap/shared/plain-object';
import {
  entriesUnder,
  itemsUnder,
  type ParseContext,
  requiredEntries,
  requiredItems,
  textFields,
} from '../fields.ts';
import { anyVersion, type PackageList, registrySource } from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { digestOf, secretDigest, settingText } from '../setting-text.ts';
import { parseJsoncObject, parseJsonObject } from '../text/json.ts';
import { forEachLine, requireLine } from '../text/lines.ts';
import { parseYamlMap } from '../text/yaml.ts';

/** A compose file: images with their tag, digest or both; no tag means `latest`. A service that is built has no image. */
export function parseCompose(text: string, list: PackageList, context: ParseContext): void {
  const builds = new Map<string, unknown>();
  for (const [service, definition] of entriesUnder(parseYamlMap(text), 'services')) {
    const platform = textField(definition, 'platform') ?? '';
    const build = field(definition, 'build');
    // Arguments often hold tokens.
    const args = settingText(field(build, 'args'));
    const places = [textField(definition, 'build'), ...textFields(build, 'context', 'dockerfile', 'target')];
    const parts = [platform, args && secretDigest(args), ...places.filter(Boolean)];
    if (parts.some(Boolean)) builds.set(service, parts);
    const image = field(definition, 'image');
    if (image === undefined && (definition === '' || definition instanceof Map)) continue;
    const reference = typeof image === 'string' ? readImage(image) : undefined;
    if (reference) list.add(reference.name, reference.version);
    else context.warn(`the image of its service ${service.slice(0, 100)} has no valid name`);
  }
  list.set('builds', builds);
}

/**
 * A Dockerfile: images of its `FROM` lines and of `COPY --from`, with the defaults of its arguments filled in; `scratch` and
 * earlier stages are left out. One digest covers what the steps install. A file without a stage (`Dockerfile.dockerignore`) is
 * not recorded, nor one that has other words before it (`dockerfile.rb`).
 */
export function parseDockerfile(text: string, list: PackageList, context: ParseContext): void {
  const stages = new Set<string>(['scratch']);
  const defaults = new Map<string, string>();
  const platforms = new Set<string>();
  const steps: string[] = [/^#\s*syntax\s*=\s*(\S+)/m.exec(text.slice(0, 500))?.[1] ?? ''];
  let [hasStage, isOther] = [false, false];
  const add = (image: string, line: number) => {
    const expanded = expand(image, defaults);
    if (stages.has(expanded.toLowerCase()) || /^\d+$/.test(expanded)) return;
    const reference = readImage(expanded);
    if (reference) list.add(reference.name, reference.version);
    else context.warn('an image has no valid name', line);
  };
  forEachInstruction(text, (instruction, rest, line) => {
    isOther ||= !hasStage && !/^(?:ARG|FROM)$/.test(instruction);
    if (isOther) return;
    if (hasStage && /^(?:RUN|ADD|ARG|ENV|)$/.test(instruction)) steps.push(`${instruction} ${rest}`);
    if (instruction === 'ARG') {
      for (const [, name = '', double, single, plain = ''] of rest.matchAll(argument)) {
        // Docker passes to stages only what is declared before the first one; we use the first declaration everywhere.
        if (!defaults.has(name)) defaults.set(name, expand(double ?? single ?? plain, defaults));
      }
    } else if (instruction === 'FROM') {
      const platform = /^--platform=(\S+)/.exec(rest)?.[1];
      if (platform && !platform.includes('$')) platforms.add(platform);
      const [image, as, stage] = rest.split(/\s+/).filter((word) => !word.startsWith('--'));
      if (image) add(image, line);
      if (as?.toUpperCase() === 'AS' && stage) stages.add(expand(stage, defaults).toLowerCase());
      hasStage = true;
    } else if (instruction === 'COPY' || instruction === 'RUN') {
      // A value that only the build knows is usually the name of a stage.
      for (const from of foreignFolders(rest)) if (!expand(from, defaults).startsWith('$')) add(from, line);
    }
  });
  list.set('platforms', [...platforms].sort().join(', '));
  const installing = steps.join('\n').trim();
  list.set('steps', installing && digestOf(installing));
  // Files such as `dockerfile.rb` belong to other programs.
  if (/(?:^|\/)(?:Docker|Container)file$/.test(context.path)) requireLine(text, /^[ \t]*FROM\s/im);
  list.isRecorded = hasStage;
}

/** `NAME=value` of ARG, in double quotes, single ones or none. */
const argument = /(?:^|\s)(\w+)=(?:"([^"]*)"|'([^']*)'|(\S*))/g;

/** Images that `--from=` of COPY and `--mount=…,from=` of RUN name. */
function foreignFolders(rest: string): string[] {
  return rest.split(/\s+/).flatMap((word) => {
    if (word.startsWith('--from=')) return [word.slice('--from='.length)];
    const options = word.startsWith('--mount=') ? word.slice('--mount='.length).split(',') : [];
    return options.find((option) => option.startsWith('from='))?.slice('from='.length) ?? [];
  });
}

/** `<<EOF`, `<<-"EOF"`: the lines up to that word are content. */
const heredoc = /(?<!<)<<-?["']?([A-Za-z_]\w*)["']?/g;

/** Calls back for every instruction, continued lines joined; comments and embedded documents are left out. */
function forEachInstruction(
  text: string,
  visit: (instruction: string, rest: string, line: number) => void,
): void {
  const continuation = /^[ \t]*#\s*escape\s*=\s*`/im.test(text.slice(0, 200)) ? '`' : '\\';
  const parts: string[] = [];
  /** Words that end the documents that the last instruction opened, in order. */
  let open: string[] = [];
  let first = 0;
  let loneWords: ReadonlySet<string> | undefined;
  /** Only a word alone on its line ends a document: `$((1<<SHIFT))`. */
  const documentsOf = (rest: string) => {
    const words = [...rest.matchAll(heredoc)].map(([, word = '']) => word);
    if (words.length === 0) return words;
    loneWords ??= new Set(text.split('\n').map((line) => line.trim()));
    return words.filter((word) => loneWords?.has(word));
  };
  const finish = () => {
    const [, name = '', rest = ''] = /^\s*(\w+)\s+(.*)$/s.exec(parts.join(' ')) ?? [];
    const instruction = name.toUpperCase();
    if (/^(?:RUN|COPY|ADD)$/.test(instruction)) open = documentsOf(rest);
    if (instruction) visit(instruction, rest.trim(), first);
    parts.length = 0;
  };
  forEachLine(text, (line, number) => {
    if (open.length > 0) {
      if (line.trim() === open[0]) open.shift();
      return visit('', line, number);
    }
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

/** Maximum number of arguments that are filled into one image, and longest result, in characters. */
const [maxExpansions, maxImage] = [20, 4096];

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

/**
 * `host:port/name:tag@digest`; variables (`${TAG:-1}`) stay as they are written. Undefined without a name, and for an address
 * with a user and a password, which no container tool accepts.
 */
export function readImage(image: string): { name: string; version: string } | undefined {
  if (/:\/\/|<%|#\{|\{\{/.test(image) || /@(?!\w+:\w+$|\$)/.test(image)) return undefined;
  const [reference = '', digest] = image.split('@', 2);
  // A colon inside `${…}` or before the last slash does not begin a tag.
  const bare = reference.replace(/\$\{[^{}]*\}/g, (variable) => '$'.repeat(variable.length));
  const colon = bare.lastIndexOf(':');
  const hasTag = colon > bare.lastIndexOf('/');
  const name = hasTag ? reference.slice(0, colon) : reference;
  // A variable without a known value may contain the tag too.
  const usual = name.includes('$') ? anyVersion : 'latest';
  const tag = hasTag ? reference.slice(colon + 1) : digest === undefined ? usual : '';
  const version = digest === undefined ? tag : `${tag}@${digest}`;
  return name === '' ? undefined : { name, version };
}

/** devcontainer.json: its image with the tag, and its features with theirs and their options; folders have no version. */
export function parseDevcontainer(text: string, list: PackageList): void {
  const settings = parseJsoncObject(text);
  const image = readImage(textField(settings, 'image') ?? '');
  if (image) list.add(image.name, image.version);
  else list.rejected += Number(field(settings, 'image') !== undefined);
  for (const [reference] of entriesUnder(settings, 'features')) {
    const feature = /^\.{0,2}\/|^https?:/.test(reference) ? undefined : readImage(reference);
    if (feature) list.add(feature.name, feature.version, 'feature');
  }
  const options = entriesUnder(settings, 'features').filter(
    ([, value]) => Object.keys(recordOf(value)).length > 0,
  );
  list.set('features', Object.fromEntries(options));
}

/** devcontainer-lock.json: features with the version and the digest that they resolved to. */
export function parseDevcontainerLock(text: string, list: PackageList): void {
  for (const [reference, entry] of requiredEntries(parseJsonObject(text), 'features')) {
    const digest = textField(entry, 'integrity') ?? textField(entry, 'resolved')?.split('@')[1];
    const feature = readImage(reference);
    const version = textField(entry, 'version') ?? feature?.version ?? '';
    list.add(feature?.name ?? reference, digest ? `${version}@${digest}` : version);
  }
}

/** Chart.lock: charts under their name. */
export function parseChartLock(text: string, list: PackageList): void {
  for (const item of requiredItems(parseYamlMap(text), 'dependencies')) {
    if (!textField(item, 'name')) throw new ParseProblem('one of its dependencies has no name');
    addChart(list, item);
  }
}

/** Chart.yaml and requirements.yaml: requirements as they are written. Other tools' requirements.yaml contain none. */
export function parseChart(text: string, list: PackageList, { path }: ParseContext): void {
  const charts = itemsUnder(parseYamlMap(text), 'dependencies');
  // Other tools list texts.
  for (const item of charts)
    if (typeof item !== 'string' || path.endsWith('Chart.yaml')) addChart(list, item);
}

function addChart(list: PackageList, item: unknown): void {
  const name = textField(item, 'name');
  const source = registrySource(textField(item, 'repository'), /^(?:file:|@|alias:)/);
  list.add(name ?? '', textField(item, 'version') ?? anyVersion, source);
}
