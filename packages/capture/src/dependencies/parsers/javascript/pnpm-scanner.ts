// A scanner for pnpm-lock.yaml as pnpm writes it: a tenth of the time and memory of a YAML parser. It knows the block
// layout that pnpm's own writer makes and gives up on anything else, so that a YAML parser can judge the file.

/** One entry of `packages`, as far as it matters. */
interface PnpmPackage {
  name?: string | undefined;
  version?: string | undefined;
  /** `{integrity: …, tarball: …}` */
  resolution?: string | undefined;
}

/** What of a lock file matters. */
export interface PnpmLock {
  lockfileVersion: string;
  /** Undefined when the file has no `importers`. */
  importers: string[] | undefined;
  packages: Map<string, PnpmPackage>;
  /** `name@version` to the digest of its patch. */
  patches: Map<string, string>;
}

const text = String.raw`(?:'((?:[^']|'')*)'|([^\s'"#&*!|>%@${'`'}{}[\],?:-](?:[^\s:#]|:(?=\S)|(?<=\S)#| (?=[^\s#]))*))`;
/** `key:`, `key: value`, where value is plain, quoted, or a flow collection closed on the same line. */
const keyLine = new RegExp(
  String.raw`^${text}:(?: (?:'((?:[^']|'')*)'|("[^"\\]*")|(\{.*\}|\[.*\])|([^\s'"#&*!|>%@${'`'}{}[\],].*)|([>|][-+]?)))?$`,
  's',
);
const itemLine = /^- \S.*$/;

function unescapeSingle(value: string): string {
  return value.includes("'") ? value.replaceAll("''", "'") : value;
}

/** Reads one document's lines; undefined when the text is not laid out as pnpm writes it. */
export function scanPnpmLock(source: string): PnpmLock | undefined {
  const lock: PnpmLock = {
    lockfileVersion: '',
    importers: undefined,
    packages: new Map(),
    patches: new Map(),
  };
  let patchedName = '';
  let section = '';
  let current: PnpmPackage | undefined;
  /** Indentation of a block scalar's key; its lines are deeper and free text. */
  let scalarIndent = -1;
  /** Deepest indentation that the next line may have. */
  let deepest = 0;
  for (let start = 0; start < source.length; ) {
    let end = source.indexOf('\n', start);
    if (end === -1) end = source.length;
    const lineStart = start;
    start = end + 1;
    if (end > lineStart && source.charCodeAt(end - 1) === 13) end -= 1;
    let at = lineStart;
    while (at < end && source.charCodeAt(at) === 32) at += 1;
    if (at === end) continue;
    const indent = at - lineStart;
    if (scalarIndent !== -1) {
      if (indent > scalarIndent) continue;
      scalarIndent = -1;
    }
    if (indent > deepest || indent % 2 !== 0) return undefined;
    deepest = indent;
    // Long lock files have hundreds of thousands of such lines: no match and no copy for those that cannot matter.
    const wanted =
      indent === 0 ||
      (indent === 2 && /^(?:packages|importers|patchedDependencies)$/.test(section)) ||
      (indent === 4 && (section === 'packages' || section === 'patchedDependencies'));
    const line = source.slice(at, end);
    if (!wanted && itemLine.test(line)) continue;
    const match = keyLine.exec(line);
    if (!match) return undefined;
    if (match[7] !== undefined) scalarIndent = indent;
    else if (source.charCodeAt(end - 1) === 58 /* : */) deepest = indent + 2;
    if (!wanted) continue;
    const key = match[1] === undefined ? (match[2] as string) : unescapeSingle(match[1]);
    if (indent === 0) {
      section = key;
      current = undefined;
      if (key === 'lockfileVersion') lock.lockfileVersion = scalarOf(match) ?? '';
      else if (key === 'importers') lock.importers = [];
      if ((key === 'packages' || key === 'importers') && line !== `${key}:` && !line.endsWith(': {}'))
        return undefined;
    } else if (indent === 2) {
      if (section === 'importers') lock.importers?.push(key);
      else if (section === 'patchedDependencies') {
        patchedName = key;
        lock.patches.set(key, scalarOf(match) ?? '');
      } else {
        if (line.charCodeAt(line.length - 1) !== 58 /* : */ && match[5] === undefined) return undefined;
        current = {};
        lock.packages.set(key, current);
        // A one-line entry (`{resolution: …}`) may hold a name or a version.
        if (match[5] !== undefined && match[5] !== '{}') return undefined;
      }
    } else {
      if (section === 'patchedDependencies') {
        if (key === 'hash') lock.patches.set(patchedName, scalarOf(match) ?? '');
        continue;
      }
      if (!current) return undefined;
      if ((key === 'version' || key === 'name') && (match[5] ?? match[7]) !== undefined) return undefined;
      if (key === 'version') current.version = scalarOf(match);
      else if (key === 'name') current.name = scalarOf(match);
      else if (key === 'resolution') {
        if (match[5] === undefined) return undefined;
        current.resolution = match[5];
      }
    }
  }
  return lock;
}

function scalarOf(match: RegExpExecArray): string | undefined {
  if (match[3] !== undefined) return unescapeSingle(match[3]);
  if (match[4] !== undefined) return match[4].slice(1, -1);
  return match[6]?.replace(/ #.*$/s, '').trimEnd();
}
