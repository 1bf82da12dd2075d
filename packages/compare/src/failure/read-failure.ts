// Reads the output of a failure for evidence about the environment. Pure; the work is limited for every text.

import { type Claim, claimOf } from './claims.ts';
import { type Contrast, contrastOf } from './contrast.ts';
import { around } from './excerpt.ts';
import { missingNames, saysMissing } from './missing-names.ts';
import { createPairs, type HeldPair } from './pairs.ts';
import { lacksLibrary, toolsThatReport } from './reporting-tools.ts';
import { type FailureRule, type Form, isWordOf, longestLine, rulesFor } from './rules.ts';
import { unsetVariables } from './unset-variables.ts';

/** A place in the output that points to entries: by a rule, or by how two values differ there. */
export interface Clue {
  readonly rule: Contrast & Pick<FailureRule, 'older' | 'foreign'>;
  readonly taken: string;
  /** The words at that place, without control characters, at most 120 characters. */
  readonly words: string;
  readonly place: number;
}

/** Evidence in the output of a failed command, each with its words. Made by {@link readFailure}. */
export interface Failure {
  readonly clues: readonly Clue[];
  readonly names: ReadonlyMap<string, string>;
  readonly errorNames: ReadonlyMap<string, string>;
  readonly quoted: ReadonlyMap<string, string>;
  /** Things that a line reports as missing: by its stem, by its tool, and folders on its path after `/`. */
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
const longestList = 8;
const longestExcerpt = 40;
const linesOfError = 3;

/** Reads an output. Skips the middle of a text above 640 Ki characters, and the rest of a long line. `isCut`: the
 * caller has already left something out. */
export function readFailure(text: string, isCut = false): Failure {
  const { fromStart, fromEnd } = failureBounds;
  const isLong = text.length > fromStart + fromEnd;
  const read = plain(isLong ? `${text.slice(0, fromStart)}\n${text.slice(-fromEnd)}` : text);
  const lines = read.split('\n');
  const reading = beginReading(read, lines);
  for (const [at, line] of lines.entries()) {
    reading.place = (at + 1) / lines.length;
    readLine(reading, line);
  }
  reading.pairs.end();
  const { clues, claims, errors, openPairs, reportingTools, spoken, found } = reading;
  for (const claim of unsetVariables(spoken, read)) claims.set(JSON.stringify(claim), claim);
  return {
    clues: [...clues.values()],
    ...found,
    errors: [...errors.values()],
    pairs: openPairs,
    reportingTools,
    said: read.toLowerCase().replace(aside, ' '),
    lacksLibrary: lacksLibrary.test(read),
    claims: [...claims.values()],
    cut: isCut || isLong,
  };
}

/** What was found up to a line, and what the next lines depend on. */
type Reading = ReturnType<typeof beginReading>;

function beginReading(read: string, lines: readonly string[]) {
  const words = () => new Map<string, string>();
  const openPairs: HeldPair[] = [];
  const reading = {
    rules: rulesFor(` ${read.toLowerCase().replaceAll('\n', ' ')}`),
    clues: new Map<unknown, Clue>(),
    found: {
      ...{ names: words(), errorNames: words(), quoted: words() },
      ...{ missing: words(), values: words(), sources: words() },
    },
    claims: new Map<string, Claim>(),
    errors: new Map<string, Failure['errors'][number]>(),
    openPairs,
    reportingTools: new Set<string>(),
    spoken: [] as string[],
    // People paste what matters: if there are few lines and none reports an error, all of them count.
    isExcerpt: lines.length <= longestExcerpt && !lines.some((line) => reportsError.test(line.toLowerCase())),
    place: 0,
    ...{ listed: 0, near: 0, open: 0 },
    pairs: createPairs((a, b, line = b) => {
      const words = around(line, 0, line.length);
      const rule = contrastOf(a, b);
      addClue(reading, rule, rule && { rule, taken: '', words });
      if (openPairs.length < mostClues) openPairs.push({ values: [a, b], words });
    }),
  };
  return reading;
}

function addClue({ clues, place }: Reading, key: unknown, clue: Omit<Clue, 'place'> | undefined): void {
  if (clue && (clues.has(key) || clues.size < mostClues)) clues.set(key, { ...clue, place });
}

function readLine(reading: Reading, raw: string): void {
  const { reportingTools, spoken, claims, found } = reading;
  const line = prefixes.reduce((rest, prefix) => rest.replace(prefix, ''), raw.slice(0, longestLine));
  const small = line.toLowerCase();
  for (const tool of toolsThatReport(line)) reportingTools.add(tool);
  const isReport = reportsError.test(small);
  if (!isReport && isBackground.test(small)) return;
  addMatches(line, sourceName, found.sources);
  // The place of the error, not the error.
  if (ofStack.test(line)) return;
  spoken.push(line);
  const isError = isReport || reading.isExcerpt || reading.open > 0;
  reading.open = isHeading.test(line) ? linesOfError : line.trim() === '' ? 0 : reading.open - 1;
  for (const rule of reading.rules) {
    const clue = clueOf(rule, line, small, reading.near > 0);
    // Each requested version is a separate clue.
    addClue(reading, rule.older ? `${rule.has[0]} ${clue?.taken}` : rule, clue);
  }
  reading.pairs.add(line);
  const claim = claims.size < mostClaims ? claimOf(line) : undefined;
  if (claim) claims.set(JSON.stringify(claim), claim);
  if (!namesACommand.test(line)) {
    addNames(line, found.names);
    if (isError) addNames(line, found.errorNames);
  }
  const isMissing = saysMissing(small);
  reading.listed = isMissing && /:\W{0,200}$/.test(line) ? longestList : Math.max(0, reading.listed - 1);
  const names = isMissing || reading.listed > 0 ? missingNames(line) : [];
  for (const [name, words] of names)
    if (!found.missing.has(name) && found.missing.size < mostNames) found.missing.set(name, words);
  reading.near = isError ? linesOfError : reading.near - 1;
  if (reading.near > 0 && !isToolAndVersion.test(small)) addMatches(small, wordOrNumber, found.values);
  if (isError) readError(reading, line, small);
}

function readError({ errors, found }: Reading, line: string, small: string): void {
  addMatches(line, quotedName, found.quoted);
  if (errors.size >= mostErrors) errors.delete(errors.keys().next().value ?? '');
  errors.set(small, {
    line: small,
    squashed: small.replace(/[^a-z0-9]/g, ''),
    said: small.replace(aside, ' '),
    words: around(line, 0, line.length),
  });
}

const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours, links of a terminal, zeros and the mark at the beginning.
  /\u001b\[[0-9;?]{0,20}[A-Za-z]|\u001b\][^\u0007\u001b\n]{0,2000}(?:\u0007|\u001b\\)|\u0000|^\ufeff/g;
const entities: Readonly<Record<string, string>> = {
  ...{ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&', '&#39;': "'", '&#34;': '"' },
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
/** The Windows shell quotes what it took for a command, such as the `NODE_ENV` of `NODE_ENV=test jest`. */
const namesACommand = /is not recogni[sz]ed as an internal/i;
const variableName = /[A-Za-z_][A-Za-z0-9_]{1,63}/g;
const quotedName = /['"`‘“]([@\w][\w./@-]{1,80})['"`’”]|\b([a-z][\w.-]{1,60})@\d/g;
const sourceName = /(?:node_modules|site-packages|dist-packages)\/((?:@[\w.-]{1,60}\/)?[\w.-]{1,60})/g;
/** The hyphen of `ghc-9.4.7` separates a tool from its version. */
const wordOrNumber =
  /v?(\d{1,9}(?:\.\d{1,9}){1,3}|\d{4,12})(?![\d.])|([a-z](?:\w|-(?!v?\d{1,9}\.\d)){2,40}(?:\/[\w-]{1,40})?)/g;

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
