// The interface of parsers of dependency files, and the loading of the one that the catalogue names.

import type { Format } from '@envsnap/shared/catalogue/formats';
import type { ParseContext } from './fields.ts';
import type { PackageList } from './package-list.ts';

/** Fills the list from one file. Throws `ParseProblem`, or the `NothingLeft` of a full list. */
type Parser = (text: string, list: PackageList, context: ParseContext) => void | Promise<void>;

/** Modules of parsers. Each is loaded when its first file is found, so that a capture loads no more than it needs. */
const modules: Readonly<Record<string, () => Promise<object>>> = {
  beam: () => import('./parsers/beam.ts'),
  cargo: () => import('./parsers/cargo.ts'),
  conda: () => import('./parsers/conda.ts'),
  containers: () => import('./parsers/containers.ts'),
  data: () => import('./parsers/data.ts'),
  dotnet: () => import('./parsers/dotnet.ts'),
  functional: () => import('./parsers/functional.ts'),
  go: () => import('./parsers/go.ts'),
  jvm: () => import('./parsers/jvm.ts'),
  maven: () => import('./parsers/maven.ts'),
  mobile: () => import('./parsers/mobile.ts'),
  native: () => import('./parsers/native.ts'),
  npm: () => import('./parsers/npm.ts'),
  php: () => import('./parsers/php.ts'),
  pins: () => import('./parsers/pins.ts'),
  pnpm: () => import('./parsers/pnpm.ts'),
  'python-locks': () => import('./parsers/python-locks.ts'),
  'python-requirements': () => import('./parsers/python-requirements.ts'),
  ruby: () => import('./parsers/ruby.ts'),
  yarn: () => import('./parsers/yarn.ts'),
};

/** Loads the parser that a format names. Throws where the catalogue names one that does not exist. */
export async function loadParser(format: Format): Promise<Parser> {
  const [module = '', name = ''] = (format.parser ?? '').split('/');
  const exported = (await modules[module]?.()) as Record<string, unknown> | undefined;
  const parser = exported?.[name];
  if (typeof parser !== 'function')
    throw new Error(`${format.id} names the parser ${format.parser}, which does not exist`);
  return parser as Parser;
}
