// The sizes of the score's terms, as data. bench/causes/fit.ts searches for sizes that rank better.

const columns =
  <const Part extends string>(...parts: readonly Part[]) =>
  <Kind extends string>(kind: Kind, ...row: readonly number[]) =>
    Object.fromEntries(parts.map((part, place) => [`${kind} ${part}`, row[place]])) as Record<
      `${Kind} ${Part}`,
      number
    >;
const version = columns('removed', 'added', 'major', 'minor', 'patch', 'prerelease', 'build', 'other');
const variable = columns('removed', 'changed', 'added');

export const sizes = {
  'code of another run': 58,
  'other metadata': 15,
  machine: 10,
  os: 65,
  architecture: 87,
  'architecture of another system': 52,
  'package of another distribution': 76,
  ...columns('drifted', 'nothing', 'without development')('installed', 97, 97, 70),
  ...columns('submodule', 'pointer', 'changed', 'output', 'sparse', 'above')(
    'checkout',
    92,
    92,
    88,
    84,
    78,
    70,
  ),
  ...columns('repository', 'operation', 'ignored', 'commit', 'untracked')('checkout', 60, 60, 60, 40, 40),
  ...columns('branch', 'shallow', 'tags')('checkout', 24, 24, 24),
  ...columns('unmet in B', 'differently', 'unmet in A', 'on one side')('declared', 96, 64, 30, 32),
  ...columns('strong', 'likely', 'possible', 'now and then')('fact', 90, 83, 75, 56),
  ...columns('rare', 'slight', 'context')('fact', 24, 12, 4),
  ...version('language', 95, 40, 95, 84, 78, 60, 15, 62),
  ...version('manager', 84, 30, 84, 69, 23, 30, 8, 36),
  ...version('tool', 56, 20, 55, 24, 10, 16, 5, 20),
  ...version('package', 81, 48, 84, 72, 64, 66, 20, 70),
  ...variable('variable high', 88, 84, 82),
  ...variable('variable usual', 72, 58, 50),
  ...variable('variable low', 18, 20, 20),
  ...variable('variable language', 70, 85, 85),
  ...variable('variable search path', 60, 40, 20),
  ...variable('variable runner', 40, 30, 60),
  ...variable('variable mentioned', 92, 64, 66),
  ...variable('variable application', 72, 51, 38),
  ...variable('variable unknown', 62, 51, 30),
  ...variable('variable tool-setting', 46, 46, 44),
  ...variable('variable other', 10, 10, 10),
};

export const shares = {
  context: 0.03,
  'fact that is context': 0.375,
  mild: 0.6,
  'names a place that is not here': 0.4,
  'variable not in the output': 0.6,
  'place or secret not in the output': 0.46,
  'setting not in the output': 0.6,
};

export const bonuses = {
  missing: 600,
  named: 400,
  meant: 200,
  hinted: 100,
  'not in B': 100,
  'at the end': 40,
  'behind the first': 0.02,
  'only file that differs': 4,
  'each further package': 1,
};
