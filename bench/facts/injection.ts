// One difference that is made on purpose, and the ways in which most are made.

/** One difference. Commands run as root in a mount namespace of their own; `$WORK`, `$PROJECT` and `$HOME` are folders of the run. */
export interface Injection {
  readonly name: string;
  /** Keys of the comparison, `section:key`, under which the difference must be seen; `*` for any. */
  readonly seen: readonly string[];
  /** Keys that differ as a consequence; a `*` at the end stands for any rest. */
  readonly also?: readonly string[];
  /** Shell commands before the capture. */
  readonly setup?: string;
  /** Options of `unshare` for further namespaces. */
  readonly namespaces?: readonly string[];
  /** Program with its arguments that runs the capture. */
  readonly run?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export const limit = (option: string, value: string, ...keys: string[]): Injection => ({
  name: `prlimit --${option}=${value}`,
  run: ['prlimit', `--${option}=${value}`],
  seen: keys.map((key) => `facts:limits.${key}`),
});

/** A file of the kernel that holds something else. */
export const kernelFile = (path: string, content: string, key: string): Injection => ({
  name: path,
  setup: `printf '%s\\n' '${content}' >"$WORK/file"; mount --bind "$WORK/file" ${path}`,
  seen: [`facts:${key}`],
});

/** A copy of a file, changed by a filter, in its place. */
export const changedFile = (path: string, filter: string, ...seen: string[]): Injection => ({
  name: `${path}: ${filter}`,
  setup: `${filter} <${path} >"$WORK/file"; mount --bind "$WORK/file" ${path}`,
  seen,
});

/** A file in the home folder or the project, whose content counts. */
export const config = (path: string, content: string, ...keys: string[]): Injection => ({
  name: `${path}: ${content.replaceAll('\n', ' ').slice(0, 40)}`,
  setup: `mkdir -p "$(dirname "${path}")"; printf '%s\\n' '${content}' >>"${path}"`,
  seen: keys.map((key) => (key.includes(':') || key === '*' ? key : `facts:${key}`)),
});

/** A folder whose changes stay in this namespace. */
export const overlay = (folder: string, commands: string): string =>
  `mkdir -p "$WORK/upper" "$WORK/work"; mount -t overlay overlay -o lowerdir=${folder},upperdir="$WORK/upper",workdir="$WORK/work" ${folder}; ${commands}`;

const ofProject = [
  ...['checkout:untracked', 'checkout:changed/*', 'dependencies:*', 'installed:package-lock.json/own'],
];

export const inProject = (name: string, setup: string, ...seen: string[]): Injection => ({
  name: `project: ${name}`,
  setup: `cd "$PROJECT"; ${setup}`,
  seen,
  also: ofProject,
});

export const withVariable = (name: string, value: string, ...also: string[]): Injection => ({
  name: `project: ${name}=${value}`,
  env: { [name]: value },
  seen: [name.endsWith('PATH') ? `paths:${name}` : `env:${name}`],
  also: ['facts:*', 'system:*', 'runtimes:*', `env:${name}`, ...also],
});

export const ofMachine = (name: string, setup: string, ...seen: string[]): Injection => ({
  name: `project: ${name}`,
  setup,
  seen,
});

export const startedBy = (name: string, run: readonly string[], ...seen: string[]): Injection => ({
  name: `project: ${name}`,
  run,
  seen,
});

/**
 * The differences of a table: `NAME -> SEEN ~ ALSO`, and below it the commands, or `run` with the program and its arguments, `env` with a
 * variable, `unshare` with its options. `$PROJECT:` before commands are those of {@link inProject}, `overlay FOLDER:` those in an
 * {@link overlay}; `#` begins a remark.
 */
export function injectionsOf(table: string, prefix = ''): Injection[] {
  const rows = table
    .replace(/^ *#.*\n/gm, '')
    .replace(/(?<=[,~])\n {6}/g, ' ')
    .trim()
    .split(/\n {2}(?! )/);
  return rows.map((row) => {
    const [head = '', ...lines] = row.split('\n').map((line) => line.trim());
    const [, name = '', seen = '', also] = /^(.*) -> (.*?)(?: ~ (.*))?$/.exec(head) ?? [];
    const found: { -readonly [Key in keyof Injection]: Injection[Key] } = {
      name: name.startsWith('/') ? name : prefix + name,
      seen: seen.split(', '),
      ...(also && { also: also.split(', ') }),
    };
    for (const line of lines) {
      const [, word = '', rest = ''] = /^(env|run|unshare|\$PROJECT:|overlay [^:]+:) (.*)$/.exec(line) ?? [];
      const [variable = '', value = ''] = rest.split(/=(.*)/s);
      if (word === 'env') found.env = { ...found.env, [variable]: value };
      else if (word === 'run')
        found.run = rest.startsWith('[') ? (JSON.parse(rest) as string[]) : rest.split(' ');
      else if (word === 'unshare') found.namespaces = rest.split(' ');
      else if (word === '$PROJECT:')
        Object.assign(found, {
          setup: `cd "$PROJECT"; ${rest}`,
          also: [...ofProject, ...(found.also ?? [])],
        });
      else found.setup = word === '' ? line : overlay(word.slice('overlay '.length, -1), rest);
    }
    return found;
  });
}
