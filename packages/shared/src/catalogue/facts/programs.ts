// Facts about the basic tools that scripts call, about drivers and about fonts.

import { by, type FactRow, factTable } from './fact.ts';
import { everywhere, onLinux, onUnix } from './origin.ts';

/** GNU's programs take what BSD's and BusyBox's refuse. */
const fromGnu: FactRow['weight'] = [{ a: 'GNU', weight: 70 }, { weight: 'now and then' }];

const tool = (
  name: string,
  what: string,
  { counts = 'always', weight = fromGnu }: Partial<Pick<FactRow, 'counts' | 'weight'>> = {},
) => ({
  what,
  read: everywhere({ from: 'program', name } as const),
  kind: 'text' as const,
  unset: 'none',
  counts,
  weight,
  family: 'basic tools' as const,
});

/** Distributions choose between dash and bash, mawk and gawk. */
const acrossFamilies = { when: 'busybox on one side' } as const;

export const programFacts = factTable({
  'program.sh': tool(
    'sh',
    'Which shell runs scripts that begin with #!/bin/sh: dash, bash, BusyBox or another.',
    {
      counts: acrossFamilies,
      // A script that works under bash fails under dash, and not the other way round.
      weight: [
        { b: ['dash', 'BusyBox'], uses: ['make'], weight: 56 },
        { b: ['dash', 'BusyBox'], weight: 46 },
        { a: 'dash', weight: 'slight' },
        { weight: 'rare' },
      ],
    },
  ),
  'program.awk': tool('awk', 'Which awk runs: GNU, mawk, original-awk or BusyBox.', {
    counts: acrossFamilies,
    weight: [{ b: ['BSD', 'BusyBox'], weight: 'possible' }, { weight: 'rare' }],
  }),
  'program.sed': tool('sed', 'Which sed runs: GNU, BSD or BusyBox.'),
  'program.grep': tool('grep', 'Which grep runs: GNU, BSD or BusyBox.'),
  'program.tar': tool('tar', 'Which tar runs: GNU, BSD or BusyBox.'),
  'program.find': tool('find', 'Which find runs: GNU, BSD or BusyBox.'),
  'program.date': tool('date', 'Which date runs: GNU, BSD, uutils or BusyBox.'),
  'program.make': tool('make', 'Which make runs: GNU, BSD or BusyBox.', {
    counts: { when: 'uses', tools: ['make'] },
    weight: [{ counted: false, weight: 'slight' }, { weight: 'likely' }],
  }),
  'program.ld': tool('ld', 'Which linker runs: GNU, gold, LLD or mold.', {
    counts: { when: 'uses', tools: ['gcc', 'g++', 'clang', 'rust', 'cargo', 'swift', 'ghc'] },
    weight: [{ counted: false, weight: 'slight' }, { weight: 'likely' }],
  }),
  'path.shadowed': {
    what: 'Programs of the system’s folders that an earlier folder of the search path hides.',
    read: everywhere('the folders of the search path'),
    kind: 'set',
    unset: 'none',
    counts: 'never',
    weight: 'likely',
    reveals: 'Names of programs and of the folders that hold them, the home folder written ~.',
  },
  'path.programs': {
    what: 'Which of the programs that scripts take for granted, such as ps, which and unzip, the search path has.',
    read: onUnix('the folders of the search path'),
    kind: 'set',
    counts: 'never',
    weight: 'possible',
    repair: by('install what is missing'),
    reveals: 'Names from a fixed list.',
  },
  'gpu.driver': {
    what: 'The graphics driver in the kernel, with its version where it has one.',
    read: onLinux('/proc/driver/nvidia/version, /sys/module/*/version, /sys/class/drm'),
    unset: 'none',
    counts: 'never',
    weight: [
      { a: 'none', weight: 'context' },
      { uses: ['cuda'], weight: 'likely' },
      { b: 'none', weight: 'slight' },
      { weight: 'now and then' },
    ],
    family: 'graphics driver',
  },
  'gpu.cuda': {
    what: 'Version of the CUDA toolkit.',
    read: {
      linux: '/usr/local/cuda/version.json, or where that folder leads to',
      macos: null,
      windows: 'variable CUDA_PATH',
    },
    kind: 'version',
    unset: 'none',
    counts: { when: 'some on both sides' },
    weight: [
      { a: 'none', weight: 'context' },
      { uses: ['cuda'], weight: 'likely' },
      { b: 'none', weight: 'slight' },
      { weight: 'possible' },
    ],
    family: 'graphics driver',
  },
  'fonts.installed': {
    what: 'Number and digest of the installed fonts, which decide how pages and images are drawn.',
    read: {
      linux: '/usr/share/fonts, /usr/local/share/fonts, ~/.local/share/fonts, ~/.fonts',
      macos: '/Library/Fonts, /System/Library/Fonts, ~/Library/Fonts',
      windows: 'the folder Fonts of Windows',
    },
    kind: 'digest',
    counts: { when: 'none on one side' },
    weight: [
      { uses: ['browser'], weight: 'possible' },
      { counted: false, weight: 'rare' },
      { weight: 'possible' },
    ],
    repair: by('install the same fonts'),
    reveals: 'That fonts differ, not which.',
  },
});
