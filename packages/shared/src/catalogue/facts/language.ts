// Facts about language and time beside the locale and the time zone of the system.

import type { FactTable } from './fact.ts';

const harmless = 'Nothing about a person.';

export const languageFacts = {
  'locale.installed': {
    what: 'Which locales programs can use; without one, they fall back to C.',
    read: {
      linux: '/usr/lib/locale: folders, and the index of locale-archive',
      macos: 'names in /usr/share/locale',
      windows: null,
    },
    kind: 'set',
    counts: 'always',
    weight: 'possible',
    reveals: 'Languages that the machine is set up for.',
  },
  'locale.categories': {
    what: 'Categories (LC_*) in effect whose locale is not the overall one.',
    read: {
      linux: 'variables LC_ALL, LC_*, LANG, in their order of precedence',
      macos: 'variables LC_ALL, LC_*, LANG, in their order of precedence',
      windows: null,
    },
    kind: 'set',
    unset: 'none',
    counts: 'always',
    weight: 'likely',
    reveals: 'The language and region that are set.',
  },
  'time.tzdata': {
    what: 'Version of the time zone database that programs read.',
    read: {
      linux: '/usr/share/zoneinfo/tzdata.zi or +VERSION, or the package database; “none” without zone files',
      macos: '/usr/share/zoneinfo/+VERSION',
      windows: null,
    },
    kind: 'version',
    counts: 'always',
    weight: 'possible',
    reveals: harmless,
  },
  'time.localtime': {
    what: 'Digest of the rules that /etc/localtime holds, where it is a copy and no link to a zone.',
    read: { linux: '/etc/localtime', macos: null, windows: null },
    kind: 'digest',
    unset: 'a link',
    counts: 'always',
    weight: 'possible',
    reveals: 'The time zone, by comparing digests.',
  },
  'node.icu': {
    what: 'Major version of ICU, with which Node.js formats dates, numbers and sorts text.',
    read: {
      linux: 'include/node/config.gypi beside the binary, or the running Node.js if it is that one',
      macos: 'include/node/config.gypi beside the binary, or the running Node.js if it is that one',
      windows: 'the running Node.js if it is the one on the search path',
    },
    kind: 'version',
    counts: ['npm'],
    weight: 'possible',
    reveals: harmless,
  },
  'node.unicode': {
    what: 'Version of Unicode that Node.js knows.',
    read: {
      linux: 'the running Node.js if it is the one on the search path, or what its ICU is made from',
      macos: 'the running Node.js if it is the one on the search path, or what its ICU is made from',
      windows: 'the running Node.js if it is the one on the search path',
    },
    kind: 'version',
    counts: 'never',
    weight: 'rare',
    reveals: harmless,
  },
  'icu.system': {
    what: 'Version of the ICU library that other programs load.',
    read: { linux: 'libicuuc.so.N in the library folders', macos: null, windows: null },
    kind: 'version',
    unset: 'none',
    counts: 'never',
    weight: 'rare',
    reveals: harmless,
  },
} as const satisfies FactTable;
