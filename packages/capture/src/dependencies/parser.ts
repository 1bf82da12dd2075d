// What reads a dependency file: the shape of a parser, and how the one that the catalogue names is loaded.

import type { Format } from '@envsnap/shared/catalogue/formats';
import type { PackageList } from './package-list.ts';

/** What a parser may ask for besides the text. */
export interface ParseContext {
  /** The file, relative to the captured folder with `/`. */
  readonly path: string;
  /** Reports one entry that is left out while the rest of the file counts. */
  warn(message: string, line?: number): void;
  /**
   * The text of another file of the captured folder, by a path relative to this file's folder; undefined when there is
   * none, or when it lies outside the captured folder.
   */
  readText(relativePath: string): Promise<string | undefined>;
}

type Answer = PackageList | undefined;

/**
 * Reads one file. Throws `ParseProblem` and nothing else. Undefined: another file says it all, and this one is not
 * recorded.
 */
export type Parser = (text: string, context: ParseContext) => Answer | Promise<Answer>;

/** Modules of parsers. Each is loaded when its first file is found, so that a capture loads no more than it needs. */
const modules: Readonly<Record<string, () => Promise<object>>> = {
  bazel: () => import('./bazel.ts'),
  bun: () => import('./bun.ts'),
  cargo: () => import('./cargo.ts'),
  carthage: () => import('./carthage.ts'),
  cocoapods: () => import('./cocoapods.ts'),
  conan: () => import('./conan.ts'),
  conda: () => import('./conda.ts'),
  'conda-locks': () => import('./conda-locks.ts'),
  crystal: () => import('./crystal.ts'),
  dart: () => import('./dart.ts'),
  deno: () => import('./deno.ts'),
  devcontainer: () => import('./devcontainer.ts'),
  dotnet: () => import('./dotnet.ts'),
  elixir: () => import('./elixir.ts'),
  elm: () => import('./elm.ts'),
  erlang: () => import('./erlang.ts'),
  gleam: () => import('./gleam.ts'),
  go: () => import('./go.ts'),
  gradle: () => import('./gradle.ts'),
  haskell: () => import('./haskell.ts'),
  helm: () => import('./helm.ts'),
  images: () => import('./images.ts'),
  julia: () => import('./julia.ts'),
  maven: () => import('./maven.ts'),
  nix: () => import('./nix.ts'),
  npm: () => import('./npm.ts'),
  opam: () => import('./opam.ts'),
  paket: () => import('./paket.ts'),
  php: () => import('./php.ts'),
  pnpm: () => import('./pnpm.ts'),
  'pre-commit': () => import('./pre-commit.ts'),
  'python-locks': () => import('./python-locks.ts'),
  'python-requirements': () => import('./python-requirements.ts'),
  r: () => import('./r.ts'),
  ruby: () => import('./ruby.ts'),
  scala: () => import('./scala.ts'),
  'setup-cfg': () => import('./setup-cfg.ts'),
  swift: () => import('./swift.ts'),
  terraform: () => import('./terraform.ts'),
  vcpkg: () => import('./vcpkg.ts'),
  wrappers: () => import('./wrappers.ts'),
  yarn: () => import('./yarn.ts'),
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
