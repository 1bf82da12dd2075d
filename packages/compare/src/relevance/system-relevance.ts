// When a difference in the operating system, the C library or the time zone is too small to count by default.

import type { Entry } from '../model/model.ts';
import type { RelevanceContext } from './relevance-context.ts';
import { isSameZone } from './time-zone.ts';

/** Distributions matter by what they bring, which has entries of its own; the C library by what was built for it. */
export function systemReason(entry: Entry, { a, b }: RelevanceContext): string | null {
  const name = entry.key.split('.')[0] as string;
  if (name === 'timezone' && entry.a !== null && entry.b !== null)
    return isSameZone(entry.a, entry.b) ? 'one time zone under two names' : null;
  if ((name === 'libc' || name.startsWith('distr')) && a.os !== b.os)
    return 'comes with the operating system';
  if (name === 'libc') {
    if (entry.distance === 'major' || entry.status !== 'changed') return null;
    return isMuchOlder(entry.b, entry.a) ? null : 'new enough for what was built for the other';
  }
  if (name.startsWith('distr')) {
    const family = (value: string | null) => value?.split(' ', 1)[0];
    const otherRelease =
      a.os === 'linux' &&
      entry.status === 'changed' &&
      family(entry.a) === family(entry.b) &&
      entry.distance === 'major';
    return otherRelease ? null : 'what it brings is compared by itself';
  }
  return null;
}

/** Programs are built on images that are a few releases old: only a C library older than those does not run them. */
function isMuchOlder(version: string | null, than: string | null): boolean {
  const numbers = (text: string | null) => (text?.match(/\d+/g) ?? []).map(Number);
  const [major = 0, minor = 0] = numbers(version);
  const [otherMajor = 0, otherMinor = 0] = numbers(than);
  return major < otherMajor || (major === otherMajor && otherMinor - minor >= releasesApart);
}

const releasesApart = 4;
