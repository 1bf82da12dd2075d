// Takes a version apart by the rules of its ecosystem, into one shape from which distances are computed.

import { type Ecosystem, ecosystems } from '@envsnap/shared/catalogue/ecosystems';
import { parse as parsePep440 } from '@renovatebot/pep440';
import { parse as parseSemver } from 'semver';

/** A version taken apart. Missing parts are empty; missing numbers of the release count as 0. */
export interface VersionParts {
  /** The epoch, which outranks everything else (PEP 440 `1!`, Debian `1:`); 0 if there is none. */
  readonly epoch: number;
  readonly release: readonly number[];
  /** The pre-release part (`-rc.1`, `b2`, `-SNAPSHOT`, `.dev3`, a Go pseudo-version's moment); else ''. */
  readonly prerelease: string;
  /** Parts that hardly change the order or the interface: build metadata, packaging revision, platform; else ''. */
  readonly build: string;
}

const none = '';

/** Longest text that is read as a version, in characters. A longer text is compared as text alone. */
export const longestVersion = 512;

/** Splits a version into parts; undefined for text that is not a version (a commit, an address, a path, a range). */
export function parseVersion(version: string, ecosystem: Ecosystem): VersionParts | undefined {
  if (version.length > longestVersion) return undefined;
  switch (ecosystems[ecosystem].scheme) {
    case 'semver':
    case 'generic':
      return semverParts(version) ?? genericParts(version);
    case 'four-part':
      return semverParts(version) ?? fourPartVersion(version) ?? genericParts(version);
    case 'go':
      return goParts(version.replace(/^go(?=\d)/, none));
    case 'pep440':
      return pep440Parts(version) ?? genericParts(version);
    case 'gem':
      return gemParts(version) ?? genericParts(version);
    case 'maven':
      return mavenParts(version);
    case 'debian':
      return debianParts(version);
  }
}

const plain = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/;

function semverParts(version: string): VersionParts | undefined {
  const simple = plain.exec(version);
  if (simple) {
    return {
      epoch: 0,
      release: [Number(simple[1]), Number(simple[2]), Number(simple[3])],
      prerelease: none,
      build: none,
    };
  }
  const parsed = parseSemver(version);
  if (!parsed) return undefined;
  return {
    epoch: 0,
    release: [parsed.major, parsed.minor, parsed.patch],
    prerelease: parsed.prerelease.join('.'),
    build: parsed.build.join('.'),
  };
}

/** NuGet and Composer: up to four numbers, the fourth a revision, then semver's suffixes. */
function fourPartVersion(version: string): VersionParts | undefined {
  const match = /^v?(\d{1,9}(?:\.\d{1,9}){1,3})(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/.exec(version);
  if (!match) return undefined;
  const numbers = (match[1] as string).split('.').map(Number);
  const revision = numbers[3] ? String(numbers[3]) : none;
  return {
    epoch: 0,
    release: numbers.slice(0, 3),
    prerelease: match[2] ?? none,
    build: [revision, match[3] ?? none].filter(Boolean).join('+'),
  };
}

// https://go.dev/ref/mod#pseudo-versions: vX.0.0-DATE-COMMIT, vX.Y.Z-PRE.0.DATE-COMMIT, vX.Y.(Z+1)-0.DATE-COMMIT.
const pseudoVersion = /^v?(\d+)\.(\d+)\.(\d+)-(?:(.*)\.)?(\d{14})-([0-9a-f]{12})(\+incompatible)?$/;

function goParts(version: string): VersionParts | undefined {
  const pseudo = pseudoVersion.exec(version);
  if (!pseudo) return semverParts(version) ?? genericParts(version);
  const [, major, minor, patch, before, moment, commit, incompatible] = pseudo;
  // `v1.2.4-0.DATE` means "after v1.2.3": its release is 1.2.3, and what follows are unreleased commits.
  const last = Number(patch) - (before === '0' && Number(patch) > 0 ? 1 : 0);
  return {
    epoch: 0,
    release: [Number(major), Number(minor), last],
    prerelease: `${before ?? none}:${moment}-${commit}`,
    build: incompatible ? 'incompatible' : none,
  };
}

function pep440Parts(version: string): VersionParts | undefined {
  // Conda writes `1.2.3=py311_0`: version, then build.
  const equals = version.indexOf('=');
  const parsed = parsePep440(equals > 0 ? version.slice(0, equals) : version);
  if (!parsed) return undefined;
  const pre = [...(parsed.pre ?? []), ...(parsed.dev ?? [])].join('');
  const build = [...(parsed.post ?? []), parsed.local ?? none, equals > 0 ? version.slice(equals + 1) : none];
  return {
    epoch: parsed.epoch,
    release: parsed.release,
    prerelease: pre,
    build: build.filter((part) => part !== none).join('+'),
  };
}

// RubyGems: any segment with a letter makes a pre-release; after a `-` comes the platform.
function gemParts(version: string): VersionParts | undefined {
  const match = /^(\d{1,9}(?:\.\d{1,9})*)((?:\.?[a-zA-Z][0-9A-Za-z.]*)?)(?:-(.+))?$/.exec(version);
  if (!match) return undefined;
  return {
    epoch: 0,
    release: (match[1] as string).split('.').map(Number),
    prerelease: (match[2] ?? none).replace(/^\./, none),
    build: match[3] ?? none,
  };
}

const mavenReleaseWords = /^(ga|final|release)$/i;
const mavenPreWords = /^(alpha|beta|milestone|rc|cr|snapshot|ea|pre|preview|dev|[abm](?=\d))/i;

// https://maven.apache.org/pom.html#version-order-specification, as far as distances need it.
function mavenParts(version: string): VersionParts | undefined {
  const match = /^[vV]?(\d{1,9}(?:\.\d{1,9})*)(?:[.-]?(.*))?$/s.exec(version);
  if (!match) return undefined;
  const pre: string[] = [];
  const build: string[] = [];
  for (const word of (match[2] ?? none).split(/[.-]/)) {
    if (word === none || mavenReleaseWords.test(word)) continue;
    // A number belongs to the word before it: `RC-1`, `beta.2`.
    if (mavenPreWords.test(word) || (/^\d/.test(word) && pre.length > 0 && build.length === 0))
      pre.push(word);
    else build.push(word);
  }
  return {
    epoch: 0,
    release: (match[1] as string).split('.').map(Number),
    prerelease: pre.join('.').toLowerCase(),
    build: build.join('.'),
  };
}

// Debian Policy 5.6.12: [epoch:]upstream[-revision]; `~` sorts before the end, so it starts a pre-release. RPM and Alpine
// write versions alike, with `_` and `^` in them.
function debianParts(version: string): VersionParts | undefined {
  const match = /^(?:(\d+):)?([0-9A-Za-z.+~_^-]+)$/.exec(version);
  if (!match) return undefined;
  const rest = match[2] as string;
  const dash = rest.lastIndexOf('-');
  const upstream = genericParts(dash > 0 ? rest.slice(0, dash) : rest);
  if (!upstream) return undefined;
  const build = [upstream.build, dash > 0 ? rest.slice(dash + 1) : none].filter(Boolean).join('-');
  return { ...upstream, epoch: Number(match[1] ?? 0), build };
}

const preWords = /^[-._~]?(alpha|beta|rc|pre|preview|dev|snapshot|nightly|canary|next|a\d|b\d|c\d)/i;

/** Numbers separated by dots, then a letter that counts as a patch (`1.1.1w`, `9.2p1`, `2024a`), then a suffix. */
function genericParts(version: string): VersionParts | undefined {
  const match = /^[vV]?(\d{1,9}(?:\.\d{1,9})*)(.*)$/s.exec(version.trim());
  if (!match) return undefined;
  const numbers = (match[1] as string).split('.');
  let suffix = match[2] ?? none;
  if (/[\s/:@|<>=^*]/.test(suffix)) return undefined;
  let release = numbers.map(Number);
  if (release.length === 1) {
    const only = numbers[0] as string;
    // A bare day (`20240830`) is a date; a long bare number or hexadecimal digits after it are a commit or a count.
    if (/^(19|20)\d{6}$/.test(only)) {
      release = [Number(only.slice(0, 4)), Number(only.slice(4, 6)), Number(only.slice(6, 8))];
    } else if (/^[0-9a-f]{7,64}$/i.test(only + suffix) && (only + suffix).length >= 7) return undefined;
  }
  if (preWords.test(suffix)) {
    const [pre = none, build = none] = suffix.split('+', 2);
    return { epoch: 0, release, prerelease: pre.replace(/^[-._~]/, none), build };
  }
  if (suffix.startsWith('~')) return { epoch: 0, release, prerelease: suffix.slice(1), build: none };
  const letter = /^(p?)([a-z]?)(\d{0,3})(?=$|[-+_.])/i.exec(suffix);
  if (letter && letter[0] !== none && release.length <= 3) {
    const rank = (letter[2] ? letter[2].toLowerCase().charCodeAt(0) - 96 : 0) * 1000 + Number(letter[3] || 0);
    if (release.length === 3)
      release = [release[0] as number, release[1] as number, (release[2] as number) + rank / 1e5];
    else release = [...release, rank];
    suffix = suffix.slice(letter[0].length);
  }
  return { epoch: 0, release, prerelease: none, build: suffix.replace(/^[-+_.]/, none) };
}
