// What kind of tool a runtime is: a language, a package manager or build tool, or anything else that is installed.

/** Runtimes that programs run on or are built with. */
export const languages: ReadonlySet<string> = new Set(
  (
    'node deno bun python python2 pypy ruby go rustc cargo java javac dotnet php perl elixir erlang swift kotlin scala julia ' +
    'r lua luajit dart flutter ghc ocaml zig crystal nim gcc g++ clang gleam clojure groovy'
  ).split(' '),
);

/** Tools that decide which packages a project gets and how it is built. */
export const managers: ReadonlySet<string> = new Set(
  (
    'npm pnpm yarn pip uv poetry pdm pipenv bundler gem maven gradle sbt composer conda nuget corepack cabal stack opam ' +
    'cocoapods terraform tofu cmake bazel typescript'
  ).split(' '),
);
