// How a fact is read: plain data that the capture executes and the reference page prints.

/** Tools whose settings are facts. If several files have a setting, the one that the tool uses wins. */
const settingsFiles = {
  git: 'git’s files: system, global, XDG, what they include, and .git/config of the folder',
  npm: 'npmrc files: of the folder, the user and the installation',
  yarn: '.yarnrc.yml and .yarnrc of the folder, those above it, and the home folder',
  pip: 'pip.conf or pip.ini: global, of the user, of the virtual environment',
  go: 'go/env in the user’s configuration folder, as “go env -w” writes it',
  gradle: 'gradle.properties of the folder and of ~/.gradle',
  bundler: '.bundle/config of the folder and of the home folder',
} as const;

export type SettingsTool = keyof typeof settingsFiles;
/** The captured folder, the temporary folder, the home folder. */
type Place = 'folder' | 'temporary' | 'home';

/** The row's kind decides how the text is read. */
export type FactSource =
  /** A file below /proc/sys. `choices` names the numbers from 0 on. */
  | { readonly from: 'sysctl'; readonly path: string; readonly choices?: readonly string[] }
  /** All of a small file. */
  | { readonly from: 'file'; readonly path: string; readonly choices?: readonly string[] }
  /** The lines of a file without comments. */
  | { readonly from: 'lines'; readonly path: string }
  /** A line of /proc/self/status. */
  | { readonly from: 'status'; readonly line: string; readonly choices?: readonly string[] }
  /** A line of /proc/self/limits. */
  | { readonly from: 'limit'; readonly line: string; readonly bound: 'soft' | 'hard' }
  /** A flag says whether it is set; a set holds `NAME=value` of several. */
  | { readonly from: 'variable'; readonly names: readonly string[] }
  /** A limit of the process's control group and those above it. */
  | { readonly from: 'cgroup'; readonly controller: keyof typeof cgroupFiles }
  /** The first name that is set wins; a set has `name=value` for each. `take`: host and path, or whether one is set. */
  | {
      readonly from: 'setting';
      readonly of: SettingsTool;
      readonly names: readonly string[];
      readonly take?: 'address' | 'presence' | 'lower case';
    }
  /** A value of the Windows registry, from the first key that has it. */
  | { readonly from: 'registry'; readonly keys: readonly string[]; readonly name: string }
  /** The file system that holds a place: its type, or whether it has an option. */
  | { readonly from: 'mount'; readonly place: Place; readonly option?: string }
  | { readonly from: 'access' | 'space' | 'path'; readonly place: Place }
  /** The implementation of the program with that name. */
  | { readonly from: 'program'; readonly name: string };

/** Text for the reference page: where the separate reader in the capture looks. */
export type FactWay = FactSource | string;

/** How a fact is read on each system; null if it is not read there, so that the fact is absent. */
export interface FactOrigin {
  readonly linux: FactWay | null;
  readonly macos: FactWay | null;
  readonly windows: FactWay | null;
}

const cgroupFiles = {
  memory: 'memory.max or memory.limit_in_bytes',
  cpu: 'cpu.max, or cpu.cfs_quota_us and cpu.cfs_period_us,',
  pids: 'pids.max',
} as const;
const places = {
  folder: 'the captured folder',
  temporary: 'the temporary folder',
  home: 'the home folder',
} as const;
const placeQueries = { access: 'access(2)', space: 'statfs(2)', path: 'the path' } as const;

/** Where a fact is read on one system, in words; undefined if it is not read there. */
export function originText(origin: FactOrigin, system: keyof FactOrigin): string | undefined {
  const way = origin[system];
  return way === null || typeof way === 'string'
    ? (way ?? undefined)
    : (sourceTexts[way.from] as SourceText<FactSource['from']>)(way, system);
}

type SystemName = keyof FactOrigin;
type SourceText<From extends FactSource['from']> = (
  source: Extract<FactSource, { readonly from: From }>,
  system: SystemName,
) => string;
const query = ({ from }: { readonly from: 'access' | 'space' | 'path' }) => placeQueries[from];
const whole = ({ path }: { readonly path: string }) => path;

const sourceTexts: { readonly [From in FactSource['from']]: SourceText<From> } = {
  sysctl: ({ path }) => `/proc/sys/${path}`,
  file: whole,
  lines: whole,
  status: ({ line }) => `/proc/self/status, line “${line}”`,
  limit: ({ line }, system) =>
    system === 'linux'
      ? `/proc/self/limits, line “${line}”`
      : 'getrlimit(2), as the process report of Node.js gives it',
  variable: ({ names }) => `${names.length > 1 ? 'variables' : 'variable'} ${names.join(', ')}`,
  cgroup: ({ controller }) => `${cgroupFiles[controller]} of the cgroup and those above it`,
  setting: ({ names, of }) => `${names.join(', ')} in ${settingsFiles[of]}`,
  registry: ({ keys, name }) => `registry: ${keys[0]?.replace(/^.*\\(?=.*\\)/, '')}\\${name}`,
  mount: ({ option, place }, system) =>
    `${system === 'linux' ? '/proc/self/mountinfo' : '/sbin/mount'}, ${option === undefined ? 'type' : `option ${option}`} of the file system of ${places[place]}`,
  access: query,
  space: query,
  path: query,
  program: ({ name }, system) =>
    `the program that ${name} on the search path leads to: ${programMarks[system]}`,
};
const programMarks: Readonly<Record<SystemName, string>> = {
  linux: 'its name, its package, typical texts in it',
  macos: 'its name, its folder',
  windows: 'its folder',
};
