// ICU and Unicode of the Node.js on the search path, whichever Node.js this program runs on.

import type { CapturedMachine } from '../system/machine.ts';
import type { FactSources } from './fact-reader.ts';

interface NodeVersions {
  /** The major version, which is all that a build's configuration shows. */
  readonly icu?: string;
  readonly unicode?: string;
}

/** Unicode by the first major version of ICU that carries it. https://icu.unicode.org/download */
const unicodeSince: readonly (readonly [icu: number, unicode: string | undefined])[] = [
  [79, undefined],
  [78, '17.0'],
  [76, '16.0'],
  [74, '15.1'],
  [72, '15.0'],
  [70, '14.0'],
  [67, '13.0'],
];

/**
 * The running Node.js knows itself. Another one has its build's configuration beside it (`PREFIX/include/node`), as all
 * archives of nodejs.org and the version managers that unpack them do; else it is asked, once.
 */
export async function nodeVersions({ machine, locator }: FactSources): Promise<NodeVersions> {
  const node = await locator.locate('node');
  if (node.kind !== 'found') return {};
  const major =
    node.realPath === machine.hostRuntime.execPath
      ? majorOf(machine.processState().versions.icu)
      : ((await configuredIcu(machine, node.realPath)) ??
        (await machine.fileCache.of('icu of node', node.realPath, () => askedIcu(machine, node.realPath))));
  if (!major) return {};
  const unicode = unicodeSince.find(([icu]) => Number(major) >= icu)?.[1];
  return { icu: major, ...(unicode && { unicode }) };
}

async function configuredIcu(machine: CapturedMachine, node: string): Promise<string | undefined> {
  const { paths } = machine.files;
  const prefix = paths.dirname(paths.dirname(node));
  const config = await machine.files.text(paths.join(prefix, 'include', 'node', 'config.gypi'));
  return config && /['"]icu_ver_major['"]: ['"](\d+)['"]/.exec(config)?.[1];
}

async function askedIcu(machine: CapturedMachine, node: string): Promise<string | undefined> {
  const answer = await machine.execute(node, ['-p', 'process.versions.icu'], { weight: 'light' });
  return answer.outcome === 'exited' ? majorOf(answer.stdout.trim()) : undefined;
}

/** `78` of `78.2`; undefined for what is no version. */
function majorOf(icu: string | undefined): string | undefined {
  const [major = ''] = (icu ?? '').split('.');
  return /^\d{1,4}$/.test(major) ? major : undefined;
}
