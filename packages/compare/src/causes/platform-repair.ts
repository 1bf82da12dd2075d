// The commands with which a package manager adds B's platform to its lock file, or installs for it.

import { formatOfFile } from '@envsnap/shared/catalogue/formats';
import { inFolderOf } from '../model/installed-findings.ts';
import type { EnvironmentComparison, Side } from '../model/model.ts';
import { exportCommands } from '../model/shell-quote.ts';
import platformNames from './platform-names.json' with { type: 'json' };

const processors = new Map(Object.entries(platformNames.processors));
const systems = new Map(Object.entries(platformNames.systems));

function gemOf(os: string, processor: string, libc: string | undefined): string | undefined {
  if (os === 'win32') return processor === 'x86_64' ? 'x64-mingw-ucrt' : undefined;
  if (os === 'darwin') return processor === 'aarch64' ? 'arm64-darwin' : `${processor}-darwin`;
  return `${processor}-linux${libc === 'musl' ? '-musl' : ''}`;
}

/** Each tool's name of the platform; empty if envsnap does not know it. No text of a snapshot becomes part of a command. */
function spelled({ os, arch }: Pick<Side, 'os' | 'arch'>, libc?: string): Readonly<Record<string, string>> {
  const [processor, go] = processors.get(arch ?? '') ?? [];
  const system = systems.get(os ?? '');
  if (os === null || processor === undefined || system === undefined) return {};
  const gem = gemOf(os, processor, libc);
  const node = `--os=${os} --cpu=${arch}${os !== 'linux' || libc === undefined ? '' : ` --libc=${libc}`}`;
  return { node, provider: `-platform=${system}_${go}`, ...(gem && { gem }) };
}

/** Images are built for one processor. They run on another one if the platform is requested by name. */
const ofImage = /exec format error|no matching manifest|manifest|image|\blinux\/(?:amd|arm)64\b/i;

/** The nearest lock file of each tool, or only of those tools that the output mentions. */
export function platformCommands({ a, b, sections, needs }: EnvironmentComparison, words = ''): string[] {
  const libc = sections.system.find(({ key }) => key === 'libc')?.b?.match(/^(?:musl|glibc)\b/)?.[0];
  const [there, here] = [spelled(a), spelled(b, libc)];
  const isOther = here.provider !== there.provider;
  const names: Readonly<Record<string, string | undefined>> = {
    ...here,
    providers: isOther ? `${here.provider} ${there.provider ?? ''}` : undefined,
  };
  if (a.arch !== b.arch && there.provider && needs.tools.has('docker') && ofImage.test(words))
    return exportCommands('DOCKER_DEFAULT_PLATFORM', `linux/${processors.get(a.arch ?? '')?.[1]}`);
  if (here.node === undefined) return [];
  const runs = (tool: string) => sections.runtimes.some(({ key, b: own }) => key === tool && own !== null);
  const isTofu = runs('tofu') && !runs('terraform');
  const found = new Map<string, string>();
  const files = [...new Set(sections.dependencies.flatMap(({ file }) => file ?? []))];
  for (const file of files.sort((x, y) => x.split('/').length - y.split('/').length)) {
    const [, start = '', name = ''] = /^(.*)\{(\w+)\}$/.exec(formatOfFile(file)?.forPlatform ?? '') ?? [];
    const platform = names[name]?.trim();
    if (platform === undefined || found.has(start)) continue;
    const command = isTofu ? start.replace(/^terraform /, 'tofu ') : start;
    found.set(start, inFolderOf(file, `${command}${platform}`));
  }
  const spoken = [...found].filter(([start]) => words.includes(start.split(' ')[0] ?? ''));
  return (spoken.length === 0 ? [...found] : spoken).map(([, command]) => command);
}
