// Removes from texts what a share must not show: values of variables, machines, people, network addresses, and the folders of
// home, temporary files and the checkout.

import { isIPv4, isIPv6 } from 'node:net';
import type { ComparableEnvironment } from '@envsnap/compare';
import { factNames } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { toolNames } from '@envsnap/shared/catalogue/tools';
import { variableCatalogue } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { checkoutMark } from '@envsnap/shared/text/places';
import { createWorkBudget, type Spend } from '@envsnap/shared/work-budget';

/** Returns a text without these words. The cost is proportional to its length, however many words there are. */
export type LeaveOut = (text: string) => string;

const marks = {
  value: '<value>',
  user: '<user>',
  address: '<address>',
  temporary: '<temp>',
  folder: '<folder>',
  home: '~',
} as const;

const machineVariables = ['HOSTNAME', 'HOST', 'COMPUTERNAME', 'NODE_NAME', 'RUNNER_NAME'];
const userVariables = ['USER', 'LOGNAME', 'USERNAME', 'SUDO_USER', 'GITHUB_ACTOR', 'GITLAB_USER_LOGIN'];
const homeVariables = ['HOME', 'USERPROFILE', 'HOMEPATH'];
const temporaryVariables = ['TMPDIR', 'TEMP', 'TMP', 'RUNNER_TEMP', 'XDG_RUNTIME_DIR'];
const checkoutVariables = ['PWD', 'OLDPWD', 'INIT_CWD', 'GITHUB_WORKSPACE', 'CI_PROJECT_DIR', 'WORKSPACE'];

/** Accounts of images and runners: they name no person, and tools have the same names. */
const sharedAccounts = new Set(
  'root node runner ubuntu debian admin user vscode gitpod jenkins postgres python ruby go app ci build git nobody'.split(
    ' ',
  ),
);

/** Words of keys and systems: in a text they rarely mean a machine with that name, and do not identify it. */
const ownWords = new Set([
  ...sharedAccounts,
  ...toolNames,
  ...'linux darwin macos windows win32 x64 arm64 ia32'.split(' '),
  ...[...variableCatalogue.map(({ pattern }) => pattern), ...factNames].flatMap((name) =>
    name.toLowerCase().split(/[^a-z\d]/),
  ),
]);

/** Shortest value of a variable to remove from other texts, in UTF-16 units: shorter ones are ordinary words. */
const shortestValue = 12;
/** Only this many characters of longer words are compared; the text is cut where such a word begins. */
const longestWord = 64;

/**
 * Creates the function for a shared snapshot, or A and B. Both this and the returned function throw a `TooMuchWorkError` if all
 * texts together need too much work.
 */
export function createLeaveOut(
  sides: readonly ComparableEnvironment[],
  budget = createWorkBudget(),
): LeaveOut {
  const spend = budget('leaving private values out of the share');
  const words = new Map<string, string>();
  const add = (text: unknown, mark: string) => {
    const word = typeof text === 'string' ? fold(text) : '';
    if (word.length > 1 && !words.has(word)) words.set(word, mark);
  };
  for (const [place, environment] of sides.entries()) {
    const letter = place === 0 ? 'A' : 'B';
    const variables = Object.entries(environment.envVars ?? {});
    const valuesOf = (names: readonly string[]) =>
      variables.flatMap(([name, value]) => (names.includes(name.toUpperCase()) ? [value] : []));
    for (const machine of [environment.machineName, ...valuesOf(machineVariables)]) {
      if (!ownWords.has(machine.toLowerCase())) add(machine, letter);
      // On its own, a host named `docker` or `dev` is an ordinary word.
      const [host = ''] = machine.split('.', 1);
      if (host.includes('-') && /\p{L}/u.test(host)) add(host, letter);
    }
    for (const folder of foldersOf(valuesOf(checkoutVariables))) add(folder, checkoutMark);
    for (const folder of foldersOf(valuesOf(temporaryVariables))) add(folder, marks.temporary);
    const homes = foldersOf(valuesOf(homeVariables));
    for (const folder of homes) add(folder, marks.home);
    const users = [...valuesOf(userVariables), ...homes.map((folder) => folder.split(/[/\\]/).at(-1))];
    for (const user of users) if (user && !sharedAccounts.has(user.toLowerCase())) add(user, marks.user);
    for (const [, value] of variables) {
      if (value.length >= shortestValue && !isPublicWord(value)) add(value, marks.value);
    }
  }
  const sought = [...words].map(([word, mark]): Word => [word.slice(0, longestWord), mark]);
  const [long, short] = [true, false].map((isLong) =>
    wordReplacer(
      sought.filter(([word]) => word.length >= shortestValue === isLong),
      isLong,
      spend,
    ),
  ) as [LeaveOut, LeaveOut];
  return (text) => replacePatterns(short(long(text)));
}

/** In lower case, because case does not matter in names of machines, users and many folders. As long as the text. */
function fold(text: string): string {
  return text.replace(/[^İ]+/g, (part) => part.toLowerCase());
}

/** Folders that reveal something about their machine: with at least one name in them. */
function foldersOf(values: readonly string[]): string[] {
  return values
    .map((value) => value.replace(/(?<![/\\])[/\\]+$/, ''))
    .filter((value) => /^(?:\/|[A-Za-z]:[/\\])[^/\\]/.test(value));
}

/** Versions, and time zones, which facts show too. */
function isPublicWord(value: string): boolean {
  return /^v?\d{1,6}(?:\.\d{1,6}){1,4}$/.test(value) || timeZones.has(value);
}

const timeZones: ReadonlySet<string> = new Set(Intl.supportedValuesOf('timeZone'));

/** Replaces long words everywhere, and short ones only without a letter or digit beside them. */
function wordReplacer(words: readonly Word[], isLong: boolean, spend: Spend): LeaveOut {
  const mayEnd = (text: string, end: number) => isLong || !wordCharacter.test(characterAt(text, end));
  const longestAt = createWordTree(words, spend, mayEnd);
  return (text) => {
    const folded = fold(text);
    let result = '';
    let copied = 0;
    for (let at = 0; at < text.length; ) {
      const mayStart = isLong || !wordCharacter.test(characterBefore(text, at));
      const found = mayStart ? longestAt(folded, at) : undefined;
      if (found === undefined) {
        at += 1;
        continue;
      }
      result += text.slice(copied, at) + found.mark;
      // Only the beginning of a word this long is known.
      if (found.end - at === longestWord) return result;
      at = found.end;
      copied = at;
    }
    return result + text.slice(copied);
  };
}

/** A word to find, and the mark that replaces it. */
type Word = readonly [word: string, mark: string];

interface FoundWord {
  readonly mark: string;
  readonly end: number;
}

/**
 * Finds the longest of many words that begins at a place in a text, in steps of that word's length, however many words there
 * are. The first of equal words counts, and only words that may end there.
 */
function createWordTree(
  words: readonly Word[],
  spend: Spend,
  mayEnd: (text: string, end: number) => boolean,
): (text: string, at: number) => FoundWord | undefined {
  // One map for all branches: thousands of words make hundreds of thousands of them.
  const branches = new Map<number, number>();
  const marks = new Map<number, string>();
  let nodes = 0;
  for (const [word, mark] of words) {
    spend(word.length * branchSteps);
    let node = 0;
    for (let at = 0; at < word.length; at += 1) {
      const branch = branchOf(node, word, at);
      const known = branches.get(branch);
      if (known === undefined) nodes += 1;
      node = known ?? nodes;
      branches.set(branch, node);
    }
    if (!marks.has(node)) marks.set(node, mark);
  }
  return (text, start) => {
    let node: number | undefined = 0;
    let found: FoundWord | undefined;
    let at = start;
    while (at < text.length) {
      node = branches.get(branchOf(node, text, at));
      at += 1;
      if (node === undefined) break;
      const mark = marks.get(node);
      if (mark !== undefined && mayEnd(text, at)) found = { mark, end: at };
    }
    spend(at - start);
    return found;
  };
}

/** Steps of adding a character to the tree. */
const branchSteps = 20;

const branchOf = (node: number, text: string, at: number) => node * 0x1_0000 + text.charCodeAt(at);

const wordCharacter = /[\p{L}\p{N}]/u;

const characterAt = (text: string, at: number) => String.fromCodePoint(text.codePointAt(at) ?? 0);

function characterBefore(text: string, at: number): string {
  const isPair = /[\uDC00-\uDFFF]/.test(text[at - 1] ?? '');
  return characterAt(text, isPair ? at - 2 : at - 1);
}

// Further words of a person's name belong to the folder if its path continues after them: `/Users/Jane Doe/src`.
const homeFolder =
  /(?:(?:\/var)?\/home|(?:(?<![a-z])[a-z]:)?\/Users)\/(?:[^/\\\s:;"'`,<>|]|'(?=\p{L}))+(?:(?:\\? [^\s/\\:;"'`,<>|=$@+*?-][^\s/\\:;"`,<>|=]*){1,3}(?=\/))?|(?<![\w.~/-])\/root(?![\w.-])/giu;
const windowsHomeFolder =
  /(?<![a-z])[a-z]:[/\\]{1,2}(?:Users|Documents and Settings)[/\\]{1,2}(?:[^/\\\s:;"'`,<>|]|'(?=\p{L}))+(?:(?: [^\s/\\:;"'`,<>|=$@+*?-][^\s/\\:;"`,<>|=]*){1,3}(?=[\\;"]|$))?/giu;
/** Folders of other people's and projects' work, but not those of systems and their programs. */
const otherFolder =
  /(?<=^|[\s"'`(=:,;|]|-[IL]|file:\/\/)\/(?!(?:app|bin|sbin|usr|lib\w{0,8}|etc|nix|opt|proc|sys|dev|var\/(?:lib|log|cache|run|spool|db)|run|snap|System|Library|Applications|home|Users|root|tmp|private)(?![\w.-]))[\w.-]{1,64}\/(?:<\w+>|[^\s:;"'`,<>|)]){1,1000}/g;
const otherWindowsFolder =
  /(?<![a-z])[a-z]:[/\\]{1,2}(?!(?:Program ?Files|Windows|ProgramData|Users|Documents and Settings|hostedtoolcache|msys64|mingw64|tools|Python|Strawberry)(?![a-z]))[^\s/\\:;"'`,<>|]{1,64}[/\\]{1,2}[^\s:;"'`,<>|)]{1,1000}/gi;
const otherHome = /(?<![\w~/.-])~[a-z][\w.-]{0,31}(?=[/\\])/gi;
const temporaryFolder =
  /(?<![\w.~<>-])(?:\/private)?\/(?:(?:var\/)?tmp(?![\w.-])|var\/folders\/|run\/user\/|dev\/shm(?![\w.-]))[^\s:;"'`,<>|]*/gi;
const mail = /(?<![\w.+-])[\w.+-]{1,64}@(?!v?\d+\.\d)[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;
/** An address: user and password, host, port and path, and the query, which may hold a token. Or an image by its scheme. */
const address =
  /((?<!\w)(?:docker|oci|containerd|cri-o)|):\/\/(?:[^/\s@"'<>]{1,512}@)?([^\s/?#:"'<>()[\],;]{0,253})([^\s?#"'<>]{0,2000})(?:\?[^\s#"'<>]*)?/g;
/** The registry of such an image, which has a dot or a port: `docker://alpine@sha256:…` has none. */
const imageRegistry =
  /(?<=:\/\/)(?:[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?::\d{2,5})?|[\w-]{1,63}:\d{2,5})(?=\/)/;
/** Hosts that everybody uses, so they reveal nothing. */
const publicHosts = new Set(
  `registry.npmjs.org registry.yarnpkg.com npm.jsr.io jsr.io nodejs.org pypi.org files.pythonhosted.org rubygems.org
  proxy.golang.org sum.golang.org crates.io index.crates.io static.crates.io repo.maven.apache.org repo1.maven.org
  packagist.org repo.packagist.org api.nuget.org github.com codeload.github.com gitlab.com bitbucket.org docker.io ghcr.io
  quay.io gcr.io mcr.microsoft.com public.ecr.aws registry.k8s.io registry.gitlab.com`.split(/\s+/),
);
/** The registry of an image: `registry.corp.example:5000/app:1.2`, `registry.corp.example/app@sha256:…`. */
const registry =
  /(?<![\w@./:-])(?![\w.-]{1,100}\.(?:json|ya?ml|lock|toml|mod|sum|txt|xml)\/)(?:[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?=(?::\d{2,5})?\/[\w./-]{1,255}(?:@sha\d{3}:|:\w[\w.-]{0,127}(?![\w/])))|[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}(?=:\d{2,5}\/[\w./-]{1,255}[:@]\w))/g;
/** `git@host:owner/repository`, `jane@host` or `thin:@host:1521`, with a host of one word; neither a version nor a tag. */
const remote =
  /(?:(?<![\w.+-])[\w.+-]{1,64}|(?<=:))@(?!(?:npm|jsr|patch|workspace|file|link|portal|git|https?|virtual|sha\d{3}):|v?\d|(?:latest|next|beta|alpha|rc|canary|nightly|stable|lts|legacy|current|edge|dev|main|master|head|experimental|preview|insiders)(?![a-z]))[a-z][\w-]{0,62}(?![\w@/-]|\.\w)/gi;
/** A host by a name for networks that are not public, in any text: `1.2.0+ci-7.corp.example.com`. */
const privateHost =
  /(?<![\w.-])(?!(?:com|org|net|io|dev|java|jdk|sun)\.)(?:[\w-]{1,63}\.){1,8}(?:local|(?:corp|lan|intra|intranet|internal|localdomain|example)(?:\.[\w-]{1,63}){0,4})(?![\w-]|\.\w)/gi;
/** A host with a port: a host of one word has a digit or a hyphen, as in `kafka-1:9092`. */
const service =
  /(?<![\w@./:\\-])(?!(?:sha|md|utf|iso|cp)-?\d)(?:[a-z]+[\d-][\w-]{0,60}|(?:[\w-]{1,63}\.){1,8}[a-z]{2,24})(?=:(?:\d{4,5}|443)(?![\w.:]))/g;
/** A host after the name of a setting, and SQL Server's `tcp:host,1433`. */
const namedHost =
  /((?:host|server|data source)\s?=\s?(?:tcp:|np:)?|\btcp:)(?!tcp:|np:|(?:localhost|true|false|yes|no|on|off|none|null|bridge|\d[\d.]*)(?![\w.]))[a-z\d][\w.\\-]{0,253}/gi;
/** `CORP\jane`, or `corp\jane` after a word for a person; keys of the registry are not domains. */
const account =
  /(\b(?:user|owner|login|account|whoami|as|by|for)[\s=:"]{1,3}|(?<![\w\\:.%/$-])(?=[A-Z][A-Z\d-]{1,14}\\))(?!(?:HK\w{1,20}|NT|AUTHORITY|BUILTIN)\\)[A-Za-z][\w-]{1,14}\\{1,2}[A-Za-z][\w.-]{1,63}(?![\w\\])/g;
/** A class of PHP, as its capitals show: `XML\Reader`, but not `ACME\JDoe`. */
const className = /\\(?![A-Z]{2}[a-z])[A-Z][A-Za-z]*$/;
/** The host of a display of X: `cannot open display: wks17:0.0`, `wks17/unix:10`. */
const display = /(\bdisplay[\s=:"]{1,3})[a-z\d][\w.-]{0,253}(?=:\d)/gi;
const localDisplay = /(?<![\w.-])[a-z\d][\w.-]{0,253}(?=\/unix:\d)/gi;
/** Names that Windows makes up for a machine. */
const madeUpName = /(?<![\w-])(?:WIN|DESKTOP|LAPTOP)-[A-Z\d]{5,15}(?![\w-])/gi;
const fileName = /\.(?:[cm]?[jt]s|json|ya?ml|lock|toml|xml|txt|py|rb|java|md|properties)$/i;
/** `filer3:/export`: a host of one word has a digit or a hyphen, as opposed to `file:/` and `path:/`. */
const exported = /(?<![\w/.-])[a-z]+[\d-][\w-]{0,60}(?=:\/[^/\s])/gi;
/** A shared folder of Windows, with or without escaped backslashes: `\\host\share`, `\\?\UNC\host\share`, `//host/share`. */
const networkFolder =
  /(?<!\b[A-Za-z]:|[\w\\])\\{2,4}(?:[?.]\\{1,2}UNC\\{1,2})?\w[^\s"'<>|;]{0,1000}|(?<![\w:/.~])\/\/\w[\w.-]{0,253}\/[^\s"'<>|;]{1,1000}/gi;
/** A query without an address before it: `zod.tgz?token=x`. */
const query = /(?<=[\w/])\?[\w.-]{1,60}=[^\s#"'<>]{1,2000}/g;
const ipv4 = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g;
/** The same on every machine. */
const ownIpv4 = /^(?:127\.|0\.0\.0\.0$)/;
const ipv6 = /(?<![\w:.])[0-9a-f:]{2,39}(?:%\w{1,32})?(?![\w:])/gi;
const hardware =
  /(?<![\w:-])[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}(?![\w:-])|(?<![\w.])(?=[\d.]{0,13}[a-f])[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}(?![\w.])/gi;

const publicHost = (host: string): string =>
  host === '' || publicHosts.has(host.toLowerCase()) ? host : marks.address;

function replacePatterns(text: string): string {
  return text
    .replace(address, (found, scheme: string, host: string, rest: string) =>
      scheme === '' ? `://${publicHost(host)}${rest}` : found.replace(imageRegistry, publicHost),
    )
    .replace(registry, publicHost)
    .replace(networkFolder, marks.address)
    .replace(query, '')
    .replace(mail, marks.user)
    .replace(remote, marks.user)
    .replace(privateHost, (found) => (fileName.test(found) ? found : marks.address))
    .replace(namedHost, `$1${marks.address}`)
    .replace(service, (found) => (fileName.test(found) ? found : publicHost(found)))
    .replace(display, `$1${marks.address}`)
    .replace(localDisplay, marks.address)
    .replace(madeUpName, marks.address)
    .replace(account, (found, word: string) =>
      word === '' && className.test(found) ? found : `${word}${marks.user}`,
    )
    .replace(exported, marks.address)
    .replace(homeFolder, marks.home)
    .replace(windowsHomeFolder, marks.home)
    .replace(otherHome, marks.home)
    .replace(temporaryFolder, marks.temporary)
    .replace(otherFolder, marks.folder)
    .replace(otherWindowsFolder, marks.folder)
    .replace(hardware, marks.address)
    .replace(ipv4, (found) => (isIPv4(found) && !ownIpv4.test(found) ? marks.address : found))
    .replace(ipv6, (found) => (isIPv6(found.split('%', 1)[0] ?? '') ? marks.address : found));
}
