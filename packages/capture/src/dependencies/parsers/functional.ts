// Haskell (stack.yaml.lock, cabal.project.freeze), Elm (elm.json), OCaml (opam files and their locked variants).

import { field, isPlainObject, textField } from '@envsnap/shared/plain-object';
import { addTexts, entriesIn, firstText, itemsUnder, type ParseContext, textFields } from '../fields.ts';
import { anyVersion, gitSource, type PackageList, versionOfCommit } from '../package-list.ts';
import { ParseProblem, positionAt } from '../parse-problem.ts';
import { parseJsonObject } from '../text/json.ts';
import { forEachLine, refuseBinary, refuseConflicts, requireLine } from '../text/lines.ts';
import { parseYamlMap } from '../text/yaml.ts';

/** stack.yaml.lock: packages beyond the snapshot, and the snapshot itself as `snapshot`. */
export function parseStackLock(text: string, list: PackageList, context: ParseContext): void {
  const lock = parseYamlMap(text);
  for (const item of itemsUnder(lock, 'packages')) {
    const completed = field(item, 'completed');
    const [hackage = '', git, commit] = textFields(completed, 'hackage', 'git', 'commit');
    const [, hackageName, hackageVersion] = /^(.+)-(\d[\d.]*)(?:@.*)?$/s.exec(hackage.slice(0, 1024)) ?? [];
    const name = hackageName ?? textField(completed, 'name');
    const version = hackageVersion ?? textField(completed, 'version');
    const place = firstText(completed, 'git', 'url') ?? anyVersion;
    const sum = /@(sha256:[0-9a-f]+)/.exec(hackage)?.[1];
    if (name) list.add(name, versionOfCommit(version, place, commit), gitSource(git, commit), sum);
    else context.warn('one of its packages has no name');
  }
  for (const item of itemsUnder(lock, 'snapshots')) {
    const url = textField(field(item, 'completed'), 'url') ?? '';
    // `…/lts/20/26.yaml`, `…/nightly/2024/1/1.yaml`
    const [, kind, path = ''] = /\/(lts|nightly)\/([\d/]+)\.ya?ml$/.exec(url.slice(-200)) ?? [];
    const version = kind ? `${kind}-${path.replaceAll('/', kind === 'lts' ? '.' : '-')}` : url;
    if (version) list.add('snapshot', version);
    else context.warn('one of its snapshots has no address');
  }
}

/** cabal.project.freeze: pinned packages; flags are left out. */
export function parseCabalFreeze(text: string, list: PackageList): void {
  requireLine(text, /^[ \t]*(?:[\w-]+:|--|package\b)/m);
  forEachLine(text, (line) => {
    if (line.trimStart().startsWith('--')) return;
    for (const constraint of line.replace(/^constraints:/, '').split(',')) {
      const [first = '', ...others] = constraint.split('||').map((part) => part.trim());
      const [, name, own = ''] =
        /^(?:[\w.]+\.|[\w-]+:setup\.)?([A-Za-z0-9][\w-]*)\s*(==.*)$/.exec(first) ?? [];
      // A library may have two versions, if a tool is built with another one: `any.a ==1.0 || ==1.1`.
      for (const part of [own, ...others]) {
        const version = /^==\s*([\d.]+(?:\.\*)?)$/.exec(part)?.[1];
        if (name && version) list.add(name, version);
      }
    }
  });
}

/** elm.json of applications, which pin everything as direct or indirect, and of packages, which have ranges. */
export function parseElm(text: string, list: PackageList): void {
  list.direct = [];
  for (const [name, wanted] of entriesIn(parseJsonObject(text), 'dependencies', 'test-dependencies')) {
    const isGroup = isPlainObject(wanted);
    for (const [inner, version] of isGroup ? Object.entries(wanted) : [[name, wanted] as const]) {
      addTexts(list, [[inner, version]]);
      if (isGroup && name === 'direct') list.direct.push(inner);
    }
  }
}

const token = /\s+|#[^\n]*|"((?:[^"\\]|\\.)*)"|([{}[\]()])|([^\s"{}[\]()#]+)/sy;

/** `depends` of an opam file: `"name" {= "1.0"}` as `1.0`, other conditions as they are written, none as `*`. */
export function parseOpam(text: string, list: PackageList): void {
  refuseConflicts(text);
  refuseBinary(text);
  requireLine(text, /^[\w-]+\s*:/m);
  list.setList('pins', text.match(/\[\s{0,20}"[^"\n]{1,200}"\s{1,20}"[^"\n]{1,500}"\s{0,20}\]/g) ?? []);
  const start = /^(?:depends|depopts):/gm;
  while (start.test(text)) start.lastIndex = readOpamList(text, start.lastIndex, list);
}

/** Reads the value of a field, and returns where it ends, so that nothing in it is mistaken for another field. */
function readOpamList(text: string, from: number, list: PackageList): number {
  let name: string | undefined;
  let condition: string[] = [];
  let depth = 0;
  let isList = false;
  const finish = () => {
    // Locked files repeat flags: `= "1.0" & with-test`.
    const written = condition.join(' ');
    const exact = /^=\s*"([^"]+)"(?:\s*&\s*[\w-]+)*$/.exec(written)?.[1];
    if (name !== undefined) list.add(name, exact ?? (written || anyVersion));
    name = undefined;
    condition = [];
  };
  token.lastIndex = from;
  for (;;) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (!match) {
      // A single dependency may be written without a list.
      const isWhole = at >= text.length && !isList && depth === 0;
      if (!isWhole)
        throw new ParseProblem('its list of dependencies has no end', positionAt(text, Math.max(at, from)));
      finish();
      return text.length;
    }
    const [whole, quoted, bracket, word] = match;
    if (quoted === undefined && bracket === undefined && word === undefined) continue;
    if (depth > 0) {
      depth += bracket === '{' ? 1 : bracket === '}' ? -1 : 0;
      if (depth > 0) condition.push(quoted === undefined ? whole : `"${quoted}"`);
    } else if (bracket === '{') {
      condition = [];
      depth = 1;
    } else if (quoted !== undefined) {
      finish();
      name = quoted;
    } else if (bracket === '[') isList = true;
    else if (bracket === ']' || word?.endsWith(':')) {
      finish();
      return bracket === ']' ? token.lastIndex : at;
    }
  }
}
