// Facts about language and time beside the locale and the time zone of the system.

import { by, factTable } from './fact.ts';
import { onLinux, onUnix } from './origin.ts';

export const languageFacts = factTable({
  'locale.installed': {
    what: 'Which locales programs can use; without one, they fall back to C.',
    read: {
      linux: '/usr/lib/locale: folders, and the index of locale-archive',
      macos: 'names in /usr/share/locale',
      windows: null,
    },
    kind: 'set',
    counts: { when: 'lacks locale in use' },
    weight: [{ counted: false, weight: 'slight' }, { weight: 'possible' }],
    repair: by('install the same locales (locale-gen, or the package locales-all)'),
    reveals: 'Languages that the machine is set up for.',
    family: 'language',
  },
  'locale.categories': {
    what: 'Categories (LC_*) in effect whose locale is not the overall one.',
    read: onUnix('variables LC_ALL, LC_*, LANG, in their order of precedence'),
    kind: 'set',
    unset: 'none',
    personal: true,
    counts: {
      when: 'item with',
      words: [
        'LC_ALL',
        'LC_CTYPE',
        'LC_COLLATE',
        'LC_NUMERIC',
        'LC_TIME',
        'LC_MESSAGES',
        'LC_MONETARY',
        'LANG',
      ],
    },
    weight: 'likely',
    reveals: 'The language and region that are set.',
    family: 'language',
  },
  'time.tzdata': {
    what: 'Version of the time zone database that programs read.',
    read: {
      linux: '/usr/share/zoneinfo/tzdata.zi or +VERSION, or the package database; “none” without zone files',
      macos: '/usr/share/zoneinfo/+VERSION',
      windows: null,
    },
    kind: 'version',
    counts: { when: 'none on one side' },
    weight: [{ counted: false, weight: 'slight' }, { weight: 'likely' }],
    repair: by('install the same time zones (the package tzdata)'),
  },
  'time.localtime': {
    what: 'Digest of the rules that /etc/localtime holds, where it is a copy and no link to a zone.',
    read: onLinux('/etc/localtime'),
    kind: 'digest',
    unset: 'a link',
    counts: { when: 'asked for' },
    weight: 'possible',
    reveals: 'The time zone, by comparing digests.',
    family: 'time zone',
  },
  'node.icu': {
    what: 'Major version of ICU, with which Node.js formats dates, numbers and sorts text.',
    read: {
      linux: 'include/node/config.gypi beside the binary, or the running Node.js if it is that one',
      macos: 'include/node/config.gypi beside the binary, or the running Node.js if it is that one',
      windows: 'the running Node.js if it is the one on the search path',
    },
    kind: 'version',
    personal: true,
    ecosystems: ['npm'],
    weight: 'possible',
    follows: 'node',
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
    follows: 'node',
  },
  'icu.system': {
    what: 'Version of the ICU library that other programs load.',
    read: onLinux('libicuuc.so.N in the library folders'),
    kind: 'version',
    unset: 'none',
    counts: 'never',
    weight: 'rare',
  },
});
