// Whether a version meets what a file of a project declares (`.nvmrc`, `go.mod`, `engines`, `global.json`, …).

import { parse } from 'semver';
import { asOneJava } from './java-version.ts';
import { fitsRequirement } from './requirement.ts';

/**
 * How a declaration is to be read:
 * - `prefix`: `3.12` means any 3.12.x, as version managers do;
 * - `minimum`: this or a later one, as `go.mod` does;
 * - `npm-range`: a range of npm's (`engines`);
 * - `dart-range`: pub's, which takes Dart 3 for a package that is null-safe (Dart 2.12) and asks for a version below 3;
 * - `lower-bound`: a range of which only the lower bound counts;
 * - `gem-range`: Bundler's, Mix's, Terraform's and Composer's (whose `~` is `~>`); `1.5` alone is 1.5.0;
 * - `python-range`: PEP 440 (`requires-python`), Poetry's caret and tilde too;
 * - `stated`: nothing holds the tool that runs to it;
 * - `sdk`: .NET's feature bands, rolled forward as `global.json` says.
 */
export type DeclarationRule =
  | 'prefix'
  | 'minimum'
  | 'npm-range'
  | 'dart-range'
  | 'lower-bound'
  | 'gem-range'
  | 'python-range'
  | 'stated'
  | 'sdk';

export interface Declaration {
  readonly declared: string;
  readonly rule: DeclarationRule;
  readonly alternatives?: readonly string[];
  readonly rollForward?: string;
}

const nodeLines: Readonly<Record<string, string>> = {
  argon: '4',
  boron: '6',
  carbon: '8',
  dubnium: '10',
  erbium: '12',
  fermium: '14',
  gallium: '16',
  hydrogen: '18',
  iron: '20',
  jod: '22',
  krypton: '24',
};

/** Undefined if it cannot be determined, as with `lts/*`, `stable`, `latest` or a range that does not parse. */
export function fitsDeclaration(present: string, declaration: Declaration): boolean | undefined {
  const { declared, rule, alternatives = [] } = declaration;
  switch (rule) {
    case 'prefix': {
      const answers = [declared, ...alternatives].map((version) => fitsPrefix(version, present));
      if (answers.includes(true)) return true;
      return answers.includes(undefined) ? undefined : false;
    }
    case 'minimum': {
      const [has, least] = [numbersOf(present), numbersOf(declared)];
      const order = compareNumbers(has, least);
      // Go counts 1.23 (the language), 1.23rc1, 1.23.0.
      return order > 0 || (order === 0 && (previewOf(present) === '' || has.length >= least.length));
    }
    case 'sdk':
      return fitsSdk(declared, declaration.rollForward ?? 'patch', present);
    case 'stated':
      return undefined;
    case 'npm-range':
      return fitsRequirement(present, declared, 'npm');
    case 'dart-range':
      return fitsRequirement(present, inNullSafeWords(declared), 'npm');
    case 'lower-bound':
      return fitsRequirement(
        present,
        declared
          .replace(/<=?\s*\S+/g, '')
          .trim()
          .replace(/^\^?(?=\d)/, '>='),
        'npm',
      );
    case 'gem-range':
      return fitsRequirement(present, inGemWords(declared), 'rubygems');
    case 'python-range':
      return fitsRequirement(present, declared, 'pypi');
  }
}

function inNullSafeWords(range: string): string {
  if (!/(?:>=?|\^)\s*2\.(?:1[2-9]|[2-9]\d)\b/.test(range)) return range;
  return range.replace(/<\s*3\.0\.0(?:-0)?(?![\w.-])/, '<4.0.0').replace(/^\s*\^\s*(\S+)/, '>=$1 <4.0.0');
}

function inGemWords(range: string): string {
  const alternatives = range
    .replace(/~(?!>)/g, '~>')
    .replace(/([<>=~^!])\s+/g, '$1')
    .replaceAll(' and ', ' ')
    .split(/\|\|?| or /);
  return alternatives
    .map((each) =>
      each.includes(' - ') ? each : each.replace(/(?<![^\s,])=?v?(\d[^\s,*x]*)(?![^\s,])/gi, '==$1'),
    )
    .join(' || ');
}

/** Names before a version of the tool itself. After any other name, the version is that of a product (`miniconda3-24.1`). */
const ownName =
  /^(?:go|(?:bun|deno|elixir|erlang|flutter|gradle|java|jdk|maven|node|nodejs|otp|perl|php|c?python|ruby|rustc?|swift)[-@])$/i;
const javaName =
  /^(?:adopt(?:openjdk)?|bisheng|corretto|dragonwell|graalvm-community|ibm|jetbrains|kona|liberica|microsoft|openjdk|oracle(?:jdk)?|sapmachine|semeru|temurin|trava|zulu)(?:64)?(?:-(?!nik)\w+)*[-@]$/i;
/** Products that name the version of their language: `pypy3.10-7.3.16`, `graalvm-22.3.1+java17`, `22.3.1.r17-grl`. */
const language = /^pypy@?(\d+\.\d+)(?:-|$)|^graalvm\S*java(\d+)|^\d[\d.]*\.r(\d+)/i;

/** `22`, `v22.1`, `3.12.1`, `temurin-17.0.2+8`, `ruby-3.2`, `lts/iron`: the parts that are written must agree. */
function fitsPrefix(declared: string, found: string): boolean | undefined {
  const line = /^lts\/(\w+)$/i.exec(declared)?.[1]?.toLowerCase();
  const text = line ? (nodeLines[line] ?? '') : declared.replace(/^prefix:/, '');
  if (/^nightly/.test(text)) {
    if (!found.includes('nightly')) return /[a-z]/i.test(found) ? undefined : false;
    // A version does not include the day.
    return /^nightly-\d/.test(text) ? undefined : true;
  }
  const [present, wanted] = asOneJava(found, language.exec(text)?.slice(1).find(Boolean) ?? text);
  const [, name = '', digits = '', rest = ''] =
    /^((?:[a-z]\w*[-@])*|go)v?(\d+(?:\.\d+)*)(.*)$/is.exec(wanted) ?? [];
  const isJava = javaName.test(name);
  if (digits === '' || (name !== '' && !isJava && !ownName.test(name))) return undefined;
  let numbers = numbersOf(digits);
  if (isJava) {
    if (numbers[0] === 1) numbers.shift();
    // Java's second number is 0; another one belongs to a product. Everything after the third is the vendor's.
    if (numbers[1]) return undefined;
    numbers = numbers.slice(0, 3);
  }
  const preview = previewOf(digits + rest);
  // A commit.
  if (preview === '' && !/^[a-z]?\d*(?![a-z\d])/i.test(rest)) return undefined;
  const presentNumbers = numbersOf(present);
  if (numbers.some((number, index) => number !== (presentNumbers[index] ?? 0))) return false;
  const has = previewOf(present);
  if (preview === '' || preview === has || (/\D$/.test(preview) && has.startsWith(preview))) return true;
  // Early-access builds of Java do not always say so.
  return preview.startsWith('ea') ? undefined : false;
}

/** `rc1` of `3.13.0rc1` and of `1.23-rc.1`; '' for any other version. */
function previewOf(version: string): string {
  const preview =
    /^v?\d+(?:\.\d+)*((?:[ab](?=\d)|[-.]?(?:alpha|beta|ea|nightly|preview|rc)(?![a-z]))[-.]?\d*)/i;
  return (preview.exec(version)?.[1] ?? '').replace(/[-.]/g, '').toLowerCase();
}

function numbersOf(version: string): number[] {
  return (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').filter(Boolean).map(Number);
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** .NET: patch and feature band in the third number; bands are hundreds. */
function fitsSdk(declared: string, rollForward: string, present: string): boolean | undefined {
  const [wanted, has] = [parse(declared), parse(present)];
  if (!wanted || !has) return undefined;
  const sameMajor = wanted.major === has.major;
  const sameMinor = sameMajor && wanted.minor === has.minor;
  const sameBand = sameMinor && Math.floor(wanted.patch / 100) === Math.floor(has.patch / 100);
  const order = has.compare(wanted);
  switch (rollForward.toLowerCase().replace('latest', '')) {
    case 'disable':
      return order === 0;
    case 'patch':
      return sameBand && order >= 0;
    case 'feature':
      return sameMinor && order >= 0;
    case 'minor':
      return sameMajor && order >= 0;
    case 'major':
      return order >= 0;
    default:
      return undefined;
  }
}
