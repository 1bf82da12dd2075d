// Facts about the basic tools, about hidden programs, drivers and fonts. docs/specification.md §11.

import { textField } from '@envsnap/shared/plain-object';
import type { CapturedMachine } from '../system/machine.ts';
import { type FactReaders, type FactReading, type FactSources, setOf, shortDigest } from './fact-reader.ts';
import type { FactContext } from './tool-settings.ts';

export function programReaders(sources: FactContext): FactReaders {
  return {
    'path.shadowed': () => readShadowed(sources),
    'path.programs': () => readEveryday(sources),
    'gpu.driver': () => readGpuDriver(sources),
    'gpu.cuda': () => readCuda(sources),
    'fonts.installed': () => readFonts(sources),
  };
}

const systemFolders = new Set(['/usr/bin', '/bin', '/usr/sbin', '/sbin']);
/** Maximum number of hidden programs that are named: a folder with a copy of everything hides them all. */
const maxShadowed = 200;

/** `sed (~/bin)`: programs in the system's folders that an earlier folder hides. A link to the same file hides nothing. */
async function readShadowed({ machine, searchFolders }: FactSources): Promise<FactReading> {
  const { files, platform } = machine;
  const isSystem = (folder: string): boolean =>
    platform === 'win32' ? /^[a-z]:\\windows\\system32$/i.test(folder) : systemFolders.has(folder);
  const own = searchFolders.slice(0, Math.max(0, searchFolders.findLastIndex(isSystem)));
  if (own.every(isSystem)) return undefined;
  const places = new Map<string, string>();
  for (const folder of searchFolders.filter(isSystem))
    for (const name of await files.names(folder)) if (!places.has(name)) places.set(name, folder);
  const hidden = new Map<string, string>();
  for (const folder of own.filter((each) => !isSystem(each)))
    for (const { name, kind } of await files.entries(folder)) {
      const place = places.get(name);
      if (kind === 'directory' || kind === 'other' || hidden.has(name) || place === undefined) continue;
      if (searchFolders.indexOf(folder) > searchFolders.indexOf(place)) continue;
      const first = await files.realPath(files.paths.join(folder, name));
      const second = await files.realPath(files.paths.join(place, name));
      if (first === undefined || first === second || !(await files.status(first))?.executable) continue;
      hidden.set(name, `${name} (${folder})`);
      if (hidden.size === maxShadowed) return setOf(hidden.values());
    }
  return setOf(hidden.values());
}

/** Programs that scripts and packages need without declaring them, and that small images lack. */
const everyday =
  'bash curl diff file find gzip hostname less locale lsof nproc openssl patch ps sudo tar unzip wget which xargs xz zip'.split(
    ' ',
  );

async function readEveryday({ machine, searchFolders }: FactSources): Promise<FactReading> {
  if (searchFolders.length === 0) return undefined;
  const there = new Set(
    (await Promise.all(searchFolders.map((folder) => machine.files.names(folder)))).flat(),
  );
  return everyday.filter((name) => there.has(name));
}

async function readGpuDriver({ machine }: FactSources): Promise<FactReading> {
  const nvidia = (await machine.files.text('/proc/driver/nvidia/version')) ?? '';
  const version = /Kernel Module(?: for \S+)?\s+(\d\S*)/.exec(nvidia)?.[1];
  if (version) return `nvidia ${version}`;
  for (const module of 'nvidia nouveau amdgpu radeon i915 xe virtio_gpu vmwgfx dxgkrnl'.split(' ')) {
    if (!(await machine.files.isFolder(`/sys/module/${module}`))) continue;
    const own = (await machine.files.text(`/sys/module/${module}/version`))?.trim();
    return own ? `${module} ${own}` : module;
  }
  return undefined;
}

async function readCuda({ machine }: FactSources): Promise<FactReading> {
  if (machine.platform === 'win32') return /v(\d+\.\d+)\\?$/.exec(machine.env.CUDA_PATH ?? '')?.[1];
  const about = await machine.files.json('/usr/local/cuda/version.json');
  const version = textField(about?.cuda, 'version');
  if (version !== undefined) return version;
  const text = (await machine.files.text('/usr/local/cuda/version.txt')) ?? '';
  const folder = (await machine.files.realPath('/usr/local/cuda')) ?? '';
  return /CUDA Version (\d\S*)/.exec(text)?.[1] ?? /cuda-(\d[\d.]*)$/.exec(folder)?.[1];
}

const fontFile = /\.(?:ttf|otf|ttc|otc|pfb|pfa|woff2?|dfont|pcf(?:\.gz)?)$/i;
const maxDepth = 6;
const maxFolders = 2000;

/** `57 sha256:…`: the number of files and a digest of their names; `0` if there are none. */
async function readFonts({ machine }: FactSources): Promise<FactReading> {
  const { join } = machine.files.paths;
  const names: string[] = [];
  let visited = 0;
  const visit = async (folder: string, depth: number): Promise<void> => {
    visited += 1;
    if (depth > maxDepth || visited > maxFolders) return;
    for (const { name, kind } of await machine.files.entries(folder)) {
      if (kind === 'directory') await visit(join(folder, name), depth + 1);
      else if (fontFile.test(name)) names.push(name);
    }
  };
  for (const folder of fontFolders(machine)) await visit(folder, 0);
  return names.length === 0 ? '0' : `${names.length} ${shortDigest(names.sort().join('\n'))}`;
}

function fontFolders({ env, files, homeDir, platform }: CapturedMachine): string[] {
  const { join } = files.paths;
  if (platform === 'darwin')
    return ['/System/Library/Fonts', '/Library/Fonts', join(homeDir, 'Library', 'Fonts')];
  if (platform === 'win32') {
    const local = env.LOCALAPPDATA ?? join(homeDir, 'AppData', 'Local');
    return [join(env.SystemRoot ?? 'C:\\Windows', 'Fonts'), join(local, 'Microsoft', 'Windows', 'Fonts')];
  }
  const data = env.XDG_DATA_HOME || join(homeDir, '.local', 'share');
  return ['/usr/share/fonts', '/usr/local/share/fonts', join(data, 'fonts'), join(homeDir, '.fonts')];
}
