// Reads the output of a failure for evidence about the environment. Pure; the work is limited for every text.

import { toolOfCommand } from '@envsnap/shared/catalogue/project-tools';
import { toolNameOf } from '@envsnap/shared/catalogue/tools';
import { type Claim, claimOf } from './claims.ts';
import { type Contrast, contrastOf } from './contrast.ts';
import { createPairs, type HeldPair } from './pairs.ts';
import { lacksLibrary, toolsThatReport } from './reporting-tools.ts';
import { type FailureRule, type Form, isWordOf, longestLine, rulesFor } from './rules.ts';
import { stemOf } from './stems.ts';
import { unsetVariables } from './unset-variables.ts';

/** A place in the output that points to entries: by a rule, or by how two values differ there. */
export interface Clue {
  readonly rule: Contrast & Pick<FailureRule, 'older' | 'foreign'>;
  readonly taken: string;
  /** The words at that place, without control characters, at most {@link longestWords} characters. */
  readonly words: string;
  readonly place: number;
}

/** Evidence in the output of a failed command, each with its words. Made by {@link readFailure}. */
export interface Failure {
  readonly clues: readonly Clue[];
  readonly names: ReadonlyMap<string, string>;
  readonly errorNames: ReadonlyMap<string, string>;
  readonly quoted: ReadonlyMap<string, string>;
  /** Things that a line reports as missing: by {@link stemOf}, by its tool, and folders on its path after `/`. */
  readonly missing: ReadonlyMap<string, string>;
  readonly pairs: readonly HeldPair[];
  readonly reportingTools: ReadonlySet<string>;
  readonly said: string;
  readonly lacksLibrary: boolean;
  readonly sources: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, string>;
  /** Lines that report an error, in lower case, and with letters and digits alone. */
  readonly errors: readonly {
    readonly line: string;
    readonly squashed: string;
    readonly said: string;
    readonly words: string;
  }[];
  readonly claims: readonly Claim[];
  readonly cut: boolean;
}

/** Characters that are read from the beginning and the end of an output; errors are at its end. */
export const failureBounds = { fromStart: 128 * 1024, fromEnd: 512 * 1024 } as const;
const mostClues = 200;
const mostErrors = 500;
const mostClaims = 50;
const mostNames = 20_000;
const longestWords = 120;
const longestList = 8;
const longestExcerpt = 40;
const linesOfError = 3;

/** Reads an output. Skips the middle of a text above 640 Ki characters, and the rest of a long line. `isCut`: the
 * caller has already left something out. */
export function readFailure(text: string, isCut = false): Failure {
  const { fromStart, fromEnd } = failureBounds;
  const isLong = text.length > fromStart + fromEnd;
  const read = plain(isLong ? `${text.slice(0, fromStart)}\n${text.slice(-fromEnd)}` : text);
  const lower = ` ${read.toLowerCase().replaceAll('\n', ' ')}`;
  const rules = rulesFor(lower);
  const clues = new Map<unknown, Clue>();
  const failure = {
    names: new Map(),
    errorNames: new Map(),
    quoted: new Map(),
    missing: new Map(),
    values: new Map(),
    sources: new Map(),
  };
  const { names, errorNames, quoted, missing, sources, values } = failure as Record<
    keyof typeof failure,
    Map<string, string>
  >;
  const addClue = (key: unknown, clue: Omit<Clue, 'place'> | undefined) => {
    if (clue && (clues.has(key) || clues.size < mostClues))
      clues.set(key, { ...clue, place: at / lines.length });
  };
  const claims = new Map<string, Claim>();
  const openPairs: HeldPair[] = [];
  const reportingTools = new Set<string>();
  const pairs = createPairs((a, b, line = b) => {
    const words = around(line, 0, line.length);
    const rule = contrastOf(a, b);
    addClue(rule, rule && { rule, taken: '', words });
    if (openPairs.length < mostClues) openPairs.push({ values: [a, b], words });
  });
  const lines = read.split('\n');
  // People paste what matters: if there are few lines and none reports an error, all of them count.
  const isExcerpt =
    lines.length <= longestExcerpt && !lines.some((line) => reportsError.test(line.toLowerCase()));
  const spoken: string[] = [];
  let at = 0;
  const errors = new Map<string, Failure['errors'][number]>();
  let listed = 0;
  let near = 0;
  let open = 0;
  for (const raw of lines) {
    at += 1;
    const line = prefixes.reduce((rest, prefix) => rest.replace(prefix, ''), raw.slice(0, longestLine));
    const small = line.toLowerCase();
    for (const tool of toolsThatReport(line)) reportingTools.add(tool);
    const isReport = reportsError.test(small);
    if (!isReport && isBackground.test(small)) continue;
    addMatches(line, sourceName, sources);
    // The place of the error, not the error.
    if (ofStack.test(line)) continue;
    spoken.push(line);
    const isError = isReport || isExcerpt || open > 0;
    open = isHeading.test(line) ? linesOfError : line.trim() === '' ? 0 : open - 1;
    for (const rule of rules) {
      const clue = clueOf(rule, line, small, near > 0);
      // Each requested version is a separate clue.
      addClue(rule.older ? `${rule.has[0]} ${clue?.taken}` : rule, clue);
    }
    pairs.add(line);
    const claim = claims.size < mostClaims ? claimOf(line) : undefined;
    if (claim) claims.set(JSON.stringify(claim), claim);
    const isOfShell = namesACommand.test(line);
    if (!isOfShell) addNames(line, names);
    const isMissing = saysMissing.test(small);
    listed = isMissing && /:\W{0,200}$/.test(line) ? longestList : Math.max(0, listed - 1);
    if (isMissing || listed > 0) addMissing(line, missing);
    near = isError ? linesOfError : near - 1;
    if (near > 0 && !isToolAndVersion.test(small)) addMatches(small, wordOrNumber, values);
    if (!isError) continue;
    if (!isOfShell) addNames(line, errorNames);
    addMatches(line, quotedName, quoted);
    if (errors.size >= mostErrors) errors.delete(errors.keys().next().value ?? '');
    errors.set(small, {
      line: small,
      squashed: small.replace(/[^a-z0-9]/g, ''),
      said: small.replace(aside, ' '),
      words: around(line, 0, line.length),
    });
  }
  for (const claim of unsetVariables(spoken, read)) claims.set(JSON.stringify(claim), claim);
  pairs.end();
  return {
    clues: [...clues.values()],
    ...failure,
    errors: [...errors.values()],
    pairs: openPairs,
    reportingTools,
    said: read.toLowerCase().replace(aside, ' '),
    lacksLibrary: lacksLibrary.test(read),
    claims: [...claims.values()],
    cut: isCut || isLong,
  };
}

const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours, links of a terminal, zeros and the mark at the beginning.
  /\u001b\[[0-9;?]{0,20}[A-Za-z]|\u001b\][^\u0007\u001b\n]{0,2000}(?:\u0007|\u001b\\)|\u0000|^\ufeff/g;
const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
  '&#39;': "'",
  '&#34;': '"',
};
const prefixes: readonly RegExp[] = [
  // The job and the step, where `gh run view --log` shows them.
  /^[^\t]{1,100}\t[^\t]{1,100}\t(?=\d{4}-)/,
  // A step of BuildKit, syslog, a task of Turborepo.
  /^#\d{1,4} \d{1,6}\.\d{1,3} /,
  /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,60} [\w./-]{1,60}(?:\[\d{1,9}\])?: /,
  /^@[\w.-]{1,60}\/[\w.-]{1,60}:[a-z][\w:-]{0,40}: /,
  /^\[?(?:\d{4}[-/]\d\d[-/]\d\d|\d\d[-/.]\d\d[-/.]\d{4})[T ]/,
  /^\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?Z?\]?\s(?:\d\d[OE]\+?\s?)?/,
  /^- (?:[\w.-]{1,60} - )?[A-Z]{4,8} - /,
  // A container of Compose, a section of GitLab, a command to GitHub's runner, `E` of pytest.
  /^[\w.-]{1,40}\s{1,20}\| /,
  /^section_(?:start|end):\d{1,12}:\w{1,60}/,
  /^(?:##\[\w{1,20}\]|::(?:error|warning)[^:]{0,200}::)/,
  /^E\s{2,4}/,
  // Messages of the other end that git shows, and code as people quote it.
  /^remote:\s{1,20}/,
  /^`{1,3}/,
];

/**
 * Removes colours, decodes XML entities, and normalises line endings. Text that was overwritten, such as progress,
 * becomes separate lines.
 */
function plain(text: string): string {
  return (
    text
      .replace(escapes, '')
      .replace(/&(?:lt|gt|quot|apos|amp|#39|#34);/g, (entity) => entities[entity] ?? '')
      .replace(/\r\n?/g, '\n')
      // Terraform wraps its errors in a box. A table row ends with the character with which it begins.
      .replace(/^[│|] .*(?:\n[│|] \w.*)+/gm, (box) => box.replace(/(.{49}[^|│\s]) ?\n[│|] /g, '$1 '))
      // HTTP lines end this way on every system.
      .replace(/(HTTP\/\d[^\\\n]{0,200})(?:\\r\\n)+/g, '$1')
  );
}

const forms: Readonly<Record<Form, RegExp>> = {
  date: /\d{4}-\d\d-\d\d|\b\d\d?[/.]\d\d?[/.]\d\d|\b\d\d?:\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6} \d|\d (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/,
  // `30,9s`, and `0[,]90` as JUnit marks what differs; not a list of numbers.
  'decimal comma': /\d\[?,\]?\d{1,2}(?![\d,])|\d\[?,\]?\d{4}/,
  'capitals in a path': /[\w-]\/[\w-]{0,40}[A-Z]|[A-Z][\w-]{0,40}\.[a-z]/,
};

function clueOf(
  rule: FailureRule,
  line: string,
  small: string,
  isNearError: boolean,
): Omit<Clue, 'place'> | undefined {
  // A text that begins with a space is a word, so it may also begin the line.
  const padded = ` ${small}`;
  const spoken = padded.replace(ofPath, ' ');
  // A word in a path does not say what failed, unless the rule is about such paths.
  const isSaid = (each: string) =>
    padded.includes(each) && (spoken.includes(each) || /[/.\\:*]/.test(each)) && isWordOf(line, each);
  const word = rule.has.find(isSaid);
  if (word === undefined) return undefined;
  // Often another line says that something failed.
  const isThere = (words: readonly string[]) =>
    words.some((each) => padded.includes(each)) || (isNearError && words.includes('fail'));
  if (!(rule.and?.every(isThere) ?? true)) return undefined;
  if (rule.form && !forms[rule.form].test(rule.form === 'date' ? small : line)) return undefined;
  const at = padded.indexOf(word) - 1;
  const [taken = ''] = line.slice(at + word.length).match(/^[\w.]{1,60}/) ?? [];
  return { rule, taken, words: around(line, at, word.length + taken.length + 2) };
}

const ofStack =
  /^\s*(?:at \S.{0,300}[):\d]|File "[^"]{1,300}", line \d{1,6}(?:, in .{1,200})?|(?:# |from )?\S{1,300}:\d{1,6}:in [`'].{1,200}['`])$/;
/** Only says that something failed; the next lines say what. */
const isHeading = /^\W{0,8}[\w.]{0,80}(?:error|exception|failure|fatal)\W{0,3}$/i;
const ofPath = /(?<![\w:/\\.@~-])[\w.@~-]{0,60}(?:[/\\][\w.@+-]{1,80}){2,30}/g;
/** The reporter, not the failure: `CMake Error at …`, `make: ***`, paths, addresses. */
const aside =
  /^\W{0,4}cmake (?:error|warning)\b|^\w{0,10}make(?:\[\d+\])?: (?:\*\*\*)?|\b[a-z+]{2,9}:\/\/\S{1,500}|[\w.@~-]{0,60}(?:[/\\][\w.@+-]{1,80}){2,30}\/?/gm;
const reportsError =
  /error|not (?:support|understand|compatible)|minimum |supports only|only supports|cannot|can't|could not|couldn't|unable|fail|not found|no such|missing|undefined|requires?\b|required|expected|unsupported|not (?:supported|allowed)|incompatible|invalid|illegal|denied|exception|panic|fatal|too (?:low|many|long|small|large)|must |killed|crash|timed out|refused|abort|unknown|unrecognized|not recogni|usage|extra characters|never defined|not an option|but your /;
const isBackground =
  /^\W{0,8}(?:info|debug|trace|notice|verbose|npm (?:warn|notice)|=== run|looking |using |loaded |found |checking |downloading |installing |collecting |[a-z_][a-z0-9_]{0,60}=\S{0,500}$)|\b(?:found|done|ok|passed|yes)\W{0,4}$/;
/** Details that a failed tool adds about itself: `npm error gyp ERR! node -v v22.12.0`, `Node.js v22.12.0`. */
const isToolAndVersion =
  /^(?:npm (?:err!|error) )?gyp info using |^(?:npm (?:error|err!) (?:gyp (?:error|err!) )?[\w.-]{1,40} {1,2}(?:-v )?|gyp (?:error|err!) [\w.-]{1,40} (?:-v )?|node\.js )v?\d[\w.-]{0,40}\s{0,9}$/;
const saysMissing =
  /not found|no such|missing|cannot (?:find|import|load|open|locate)|can't (?:find|resolve|open|load)|could ?n(?:o|')t (?:find|resolve|load|open|locate)|unable to (?:find|locate|load|resolve)|not recognized|enoent|no (?:module|package)|not installed|(?:please|need to) install|failed to resolve|\brequires\b|is required|not exist|must be (?:available|installed|present)|(?:is|are) not available|failed to (?:find|load|run|execute)|failed (?:building|to build)|custom build command for|configuration failed for|while (?:building|configuring|installing)|compilation of \S{1,60} failed/;

/** The Windows shell quotes what it took for a command, such as the `NODE_ENV` of `NODE_ENV=test jest`. */
const namesACommand = /is not recogni[sz]ed as an internal/i;
const shells = /^(?:\/?(?:usr\/)?bin\/)?(?:sh|bash|zsh|dash|fish|env|make)$/;
const variableName = /[A-Za-z_][A-Za-z0-9_]{1,63}/g;
const quotedName = /['"`‘“]([@\w][\w./@-]{1,80})['"`’”]|\b([a-z][\w.-]{1,60})@\d/g;
const sourceName = /(?:node_modules|site-packages|dist-packages)\/((?:@[\w.-]{1,60}\/)?[\w.-]{1,60})/g;
/** The hyphen of `ghc-9.4.7` separates a tool from its version. */
const wordOrNumber =
  /v?(\d{1,9}(?:\.\d{1,9}){1,3}|\d{4,12})(?![\d.])|([a-z](?:\w|-(?!v?\d{1,9}\.\d)){2,40}(?:\/[\w-]{1,40})?)/g;
const linked = /\s-l([\w+-]{1,60})/g;
const address = /\b[a-z+]{2,9}:\/\/\S{1,500}/gi;
const named = /[A-Za-z@][\w.+@/\\-]{1,119}/g;

function addNames(line: string, names: Map<string, string>): void {
  for (const match of line.matchAll(variableName)) {
    if (names.size >= mostNames) break;
    const [name] = match;
    // In capitals, or in npm's spelling of its settings.
    if (names.has(name) || (/[a-z]/.test(name) && !name.includes('_'))) continue;
    names.set(name, around(line, match.index, name.length));
  }
}

function addMatches(line: string, expression: RegExp, found: Map<string, string>): void {
  for (const match of line.matchAll(expression)) {
    if (found.size >= mostNames) break;
    const name = match[1] ?? match[2] ?? '';
    if (!found.has(name)) found.set(name, around(line, match.index, match[0].length));
  }
}

/** Candidates for the missing thing in a line: quoted text, text that is not a word, or text after a colon. */
function addMissing(line: string, missing: Map<string, string>): void {
  for (const [, library = ''] of line.matchAll(linked))
    missing.set(stemOf(library), around(line, 0, line.length));
  const spoken = line.replace(address, (each) => ' '.repeat(each.length));
  for (const { 0: text, index } of spoken.matchAll(named)) {
    if (missing.size >= mostNames) break;
    const name = text.replace(/[.\\/-]{1,3}$/, '');
    const before = line.slice(Math.max(0, index - 20), index);
    const after = line[index + name.length] ?? '';
    const isName =
      /[\d_+@/\\.-]|[a-z][A-Z]|^[A-Z]{2,}$|^lib[a-z]{2}/.test(name) ||
      /['"`‘“]$|[:-] $|spawn $| no $|\b(?:installing|wheel for) $/.test(before) ||
      /['"`’”:]/.test(after);
    if (!isName || isSpeaker(line, index, name)) continue;
    const words = around(line, index, name.length);
    const parts = name.split(/[/\\]+/);
    const last = parts.pop() ?? '';
    const keys = [
      name,
      stemOf(name),
      last,
      stemOf(last),
      toolOf(last),
      ...parts.map((part) => `/${stemOf(part)}`),
    ];
    for (const key of keys) if (!missing.has(key)) missing.set(key, words);
  }
}

/** Whether a name is the reporter of a line: `go: … not found` misses no Go, but `tsc: not found` misses tsc. */
function isSpeaker(line: string, index: number, name: string): boolean {
  if (line.slice(0, index).trim() !== '') return false;
  const after = line.slice(index + name.length);
  return (
    shells.test(name) ||
    (after.startsWith(':') && !/^:\s{0,9}(?:command not|not |no such|cannot open shared)/i.test(after))
  );
}

function toolOf(command: string): string {
  const name = command.replace(/\.(?:exe|cmd|js)$/i, '');
  return toolOfCommand(name) ?? toolNameOf(name.toLowerCase());
}

/** `ERR_PNPM_LOCKFILE_BREAKING_CHANGE`, `InvalidAlgorithmParameterException`. */
const namesAnError = /^[A-Z]{2,20}(?:_[A-Z]{1,20}){1,9}$|^[A-Za-z]{1,80}(?:Exception|Error)$/;

/** The words at a place in a line with some context, safe to print. */
function around(line: string, at: number, length: number): string {
  const short = line.length <= longestWords;
  const start = short ? 0 : Math.max(0, Math.min(at - 20, line.length - longestWords));
  const end = short
    ? line.length
    : Math.min(line.length, Math.max(start + longestWords, Math.min(at + length, start + longestWords)));
  return (
    line
      .slice(start, end)
      // A log may contain a token or a password in an address.
      .replace(/[A-Za-z0-9_-]{32,}/g, (long) => (namesAnError.test(long) ? long : '…'))
      .replace(/:\/\/[^\s/@]{1,100}@/g, '://…@')
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
      .replace(/ {2,}/g, ' ')
      .trim()
  );
}
