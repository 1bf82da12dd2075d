// What reads a dependency file: the shape of a parser, and how the one that the catalogue names is loaded.

import type { Format } from '@envsnap/shared/catalogue/formats';
import type { PackageList } from './package-list.ts';
import type { ParseContext } from './parse-context.ts';

/** Fills the list from one file. Throws `ParseProblem` and nothing else. */
type Parser = (text: string, list: PackageList, context: ParseContext) => void | Promise<void>;

/** Modules of parsers. Each is loaded when its first file is found, so that a capture loads no more than it needs. */
const modules: Readonly<Record<string, () => Promise<object>>> = {
  apple: () => import('./parsers/apple.ts'),
  bazel: () => import('./parsers/native/bazel.ts'),
  beam: () => import('./parsers/beam.ts'),
  bun: () => import('./parsers/javascript/bun.ts'),
  cargo: () => import('./parsers/rust/cargo.ts'),
  conan: () => import('./parsers/native/conan.ts'),
  conda: () => import('./parsers/python/conda.ts'),
  'conda-locks': () => import('./parsers/python/conda-locks.ts'),
  crystal: () => import('./parsers/crystal.ts'),
  dart: () => import('./parsers/dart.ts'),
  deno: () => import('./parsers/javascript/deno.ts'),
  devcontainer: () => import('./parsers/containers/devcontainer.ts'),
  dotnet: () => import('./parsers/dotnet/dotnet.ts'),
  elm: () => import('./parsers/elm.ts'),
  go: () => import('./parsers/go.ts'),
  gradle: () => import('./parsers/jvm/gradle.ts'),
  haskell: () => import('./parsers/haskell.ts'),
  helm: () => import('./parsers/containers/helm.ts'),
  images: () => import('./parsers/containers/images.ts'),
  julia: () => import('./parsers/julia.ts'),
  maven: () => import('./parsers/jvm/maven.ts'),
  nix: () => import('./parsers/nix.ts'),
  npm: () => import('./parsers/javascript/npm.ts'),
  opam: () => import('./parsers/opam.ts'),
  paket: () => import('./parsers/dotnet/paket.ts'),
  php: () => import('./parsers/php.ts'),
  pnpm: () => import('./parsers/javascript/pnpm.ts'),
  pins: () => import('./parsers/pins.ts'),
  'pre-commit': () => import('./parsers/pre-commit.ts'),
  'python-locks': () => import('./parsers/python/python-locks.ts'),
  'python-requirements': () => import('./parsers/python/python-requirements.ts'),
  r: () => import('./parsers/r.ts'),
  ruby: () => import('./parsers/ruby.ts'),
  scala: () => import('./parsers/jvm/scala.ts'),
  'setup-cfg': () => import('./parsers/python/setup-cfg.ts'),
  terraform: () => import('./parsers/terraform.ts'),
  vcpkg: () => import('./parsers/native/vcpkg.ts'),
  wrappers: () => import('./parsers/jvm/wrappers.ts'),
  yarn: () => import('./parsers/javascript/yarn.ts'),
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
