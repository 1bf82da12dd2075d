// ICU and Unicode of the Node.js on the search path, without starting it.

import type { FactSources } from './fact-reader.ts';

export interface NodeVersions {
  /** The major version, which is all that a build's configuration tells. */
  readonly icu?: string;
  readonly unicode?: string;
}

/** Unicode by the major version of ICU that carries it. https://icu.unicode.org/download */
const unicodeOfIcu: Readonly<Record<string, string>> = {
  67: '13.0',
  68: '13.0',
  69: '13.0',
  70: '14.0',
  71: '14.0',
  72: '15.0',
  73: '15.0',
  74: '15.1',
  75: '15.1',
  76: '16.0',
  77: '16.0',
  78: '17.0',
};

/**
 * The running Node.js knows itself. Another one has its build's configuration beside it (`PREFIX/include/node`), as all
 * archives of nodejs.org and the version managers that unpack them do; else nothing is known.
 */
export async function nodeVersions({ machine, locator }: FactSources): Promise<NodeVersions> {
  const node = await locator.locate('node');
  if (node.kind !== 'found') return {};
  if (node.realPath === machine.hostRuntime.execPath) {
    const { icu, unicode } = machine.processState().versions;
    const [icuMajor] = icu?.split('.') ?? [];
    return { ...(icuMajor && { icu: icuMajor }), ...(unicode && { unicode }) };
  }
  const { paths } = machine.files;
  const prefix = paths.dirname(paths.dirname(node.realPath));
  const config = await machine.files.text(paths.join(prefix, 'include', 'node', 'config.gypi'));
  const major = config && /['"]icu_ver_major['"]: ['"](\d+)['"]/.exec(config)?.[1];
  if (!major) return {};
  const unicode = unicodeOfIcu[major];
  return { icu: major, ...(unicode && { unicode }) };
}
