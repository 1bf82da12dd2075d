// Every tool that a capture looks for, one row each.

import { cellFields, tableRows } from '../../text/table-rows.ts';
import type { ToolKind, ToolRow } from './tool-row.ts';

/**
 * A line that begins with `#` names a kind. The lines below have the name and title of a tool, then further fields of
 * {@link ToolRow}, by name. A line of plain words names tools whose title is their name. Cargo changes with its compiler, so it
 * is judged as a language.
 */
const table = tableRows(`
  # language
  node | Node.js | versionsLike: npm | mise | asdf: nodejs | aliases: nodejs | image: node:{version}{base}
  bun | Bun | versionsLike: npm | mise | asdf | image: oven/bun:{version}{alpine}
  deno | Deno | versionsLike: npm | mise | asdf | image: denoland/deno:bin-{version}
  python | Python 3 | versionsLike: pypi | mise | asdf | aliases: python3 | image: python:{version}{base}
  python2 | Python 2 | versionsLike: pypi
  pypy | PyPy | versionsLike: pypi
  ruby | Ruby | versionsLike: rubygems | mise | asdf | image: ruby:{version}{base}
  go | Go | versionsLike: go | mise | asdf: golang | aliases: golang | image: golang:{version}{base}
  rustc | the Rust compiler | versionsLike: npm | mise: rust | asdf: rust | aliases: rust
    | image: rust:{version}{base}
  java | the Java runtime | mise | aliases: java-temurin | image: eclipse-temurin:{version}
  javac | the Java compiler, absent where only a runtime is installed | comesWith: java
  kotlin | Kotlin | versionsLike: maven | mise | asdf
  scala | Scala | versionsLike: maven | mise | asdf
  Groovy Clojure
  dotnet | the .NET SDK | mise | aliases: dotnet-core dotnet-sdk
  php | PHP | mise | asdf | image: php:{version}-cli{base}
  perl | Perl | mise | asdf | image: perl:{version}{debian}
  lua | Lua | mise | asdf | insteadOf: luajit
  luajit | LuaJIT | insteadOf: lua
  julia | Julia | versionsLike: npm | mise | asdf
  r | R | mise | asdf | aliases: R
  swift | Swift | versionsLike: npm | mise | asdf
  erlang | Erlang/OTP | mise | asdf
  elixir | Elixir | mise | asdf
  gleam | Gleam | versionsLike: npm
  ghc | the Glasgow Haskell compiler | mise
  OCaml
  zig | Zig | mise | asdf
  nim | Nim | mise | asdf
  crystal | Crystal | mise | asdf
  dart | Dart | versionsLike: npm | mise | asdf
  flutter | Flutter | versionsLike: npm | mise | asdf | comesWith: dart
  Racket
  sbcl | Steel Bank Common Lisp
  CoffeeScript
  typescript | the TypeScript compiler | versionsLike: npm
  # package manager
  npm | npm | versionsLike: npm | mise | installedBy: npm | comesWith: node
  pnpm | pnpm | versionsLike: npm | mise | asdf | installedBy: npm
  yarn | Yarn | versionsLike: npm | mise | asdf | installedBy: npm
  corepack | Corepack, which fetches Yarn and pnpm | versionsLike: npm | comesWith: node
  pip | pip | versionsLike: pypi | installedBy: pip | comesWith: python
  pipx
  pipenv | Pipenv | versionsLike: pypi | mise | installedBy: pip
  poetry | Poetry | versionsLike: pypi | mise | asdf | installedBy: pip
  pdm | PDM | versionsLike: pypi | mise | installedBy: pip
  Hatch
  uv | uv | versionsLike: pypi | mise | asdf | installedBy: pip
  Rye Pixi
  conda | conda | versionsLike: pypi
  Mamba Micromamba
  gem | RubyGems | versionsLike: rubygems | comesWith: ruby
  bundler | Bundler | versionsLike: rubygems | comesWith: ruby
  CocoaPods
  cargo | Cargo | versionsLike: npm | role: language | comesWith: rustc
  composer | Composer | mise | comesWith: php
  LuaRocks
  cpanm | cpanminus
  opam
  stack | Stack | mise
  cabal | Cabal | mise
  nuget | the NuGet command line
  vcpkg Conan
  apt | apt of Debian and Ubuntu
  dpkg | dpkg of Debian and Ubuntu
  RPM
  dnf | DNF of Fedora and Red Hat
  zypper | Zypper of SUSE
  apk | apk of Alpine
  pacman | pacman of Arch
  brew | Homebrew
  port | MacPorts
  Nix Guix Flatpak WinGet
  choco | Chocolatey
  Scoop
  # version manager
  asdf
  mise | mise | versionsLike: npm
  volta | Volta | versionsLike: npm
  fnm | Fast Node Manager
  n | n, for Node.js
  nvm | Node Version Manager
  sdkman | SDKMAN, for the JVM
  pyenv | pyenv, for Python
  rbenv | rbenv, for Ruby
  nodenv | nodenv, for Node.js
  jenv | jEnv, for Java
  goenv | goenv, for Go
  rustup | rustup, for Rust
  juliaup | juliaup, for Julia
  ghcup | GHCup, for Haskell
  tfenv | tfenv, for Terraform
  proto direnv Devbox
  # compiler
  gcc | the GNU C compiler | insteadOf: clang
  g++ | the GNU C++ compiler | comesWith: gcc | insteadOf: clang
  gfortran | the GNU Fortran compiler | comesWith: gcc
  clang | Clang | insteadOf: gcc g++
  nvcc | the CUDA compiler
  emcc | Emscripten
  ld | the GNU linker
  lld | the LLVM linker
  NASM
  protoc | the Protocol Buffers compiler
  SWIG wasm-pack
  xcodebuild | Xcode
  gdb | the GNU debugger
  Valgrind
  # build tool
  make | GNU Make
  cmake | CMake | mise | asdf
  Ninja Meson SCons Bazel
  maven | Maven | versionsLike: maven | mise | asdf | aliases: mvn
  gradle | Gradle | versionsLike: maven | mise | asdf
  Ant sbt Leiningen Rebar3 Autoconf Automake Libtool
  m4 | GNU M4
  Bison Flex pkg-config ccache sccache
  just | just | mise | asdf
  Task
  buf | Buf, for Protocol Buffers
  dune | Dune, for OCaml
  Watchman Lerna Nx
  turbo | Turborepo
  Hugo fastlane
  adb | the Android debug bridge
  # version control
  Git
  git-lfs | Git LFS
  Mercurial Subversion
  jj | Jujutsu
  # container
  docker | the Docker client | versionsLike: npm | insteadOf: podman
  docker-compose | Docker Compose | comesWith: docker
  docker-buildx | Docker Buildx | comesWith: docker
  podman | Podman | versionsLike: npm | mise | insteadOf: docker
  Buildah Skopeo nerdctl containerd runc Lima Colima
  kubectl | the Kubernetes client | versionsLike: npm | mise | asdf
  helm | Helm | versionsLike: npm | mise | asdf
  Kustomize Skaffold Tilt minikube
  kind | kind, Kubernetes in Docker
  k3d
  argocd | the Argo CD client
  Flux Vagrant VirtualBox QEMU
  # cloud
  terraform | Terraform | versionsLike: npm | role: manager | mise | asdf | insteadOf: tofu
  tofu | OpenTofu | versionsLike: npm | role: manager | mise: opentofu | asdf: opentofu | aliases: opentofu |
    insteadOf: terraform
  Terragrunt Packer
  vault | the Vault client
  Consul Nomad Pulumi Ansible
  aws | the AWS command line | mise: awscli | asdf: awscli | aliases: awscli
  sam | AWS SAM
  cdk | the AWS CDK
  gcloud | the Google Cloud command line | mise
  az | the Azure command line
  doctl | the DigitalOcean command line
  flyctl | the Fly.io command line
  gh | the GitHub command line
  glab | the GitLab command line
  heroku | the Heroku command line
  vercel | the Vercel command line
  netlify | the Netlify command line
  wrangler | the Cloudflare Workers command line
  firebase | the Firebase command line
  serverless | Serverless Framework
  eksctl
  # database
  psql | the PostgreSQL client
  postgres | the PostgreSQL server
  mysql | the MySQL client
  mariadb | the MariaDB client
  SQLite DuckDB
  redis-cli | the Redis client
  redis-server | the Redis server
  mongosh | the MongoDB shell
  mongod | the MongoDB server
  ClickHouse
  etcdctl | the etcd client
  memcached
  # server
  nginx
  apache | the Apache HTTP server
  Caddy
  # browser
  Chromium
  chrome | Google Chrome
  edge | Microsoft Edge
  Brave Firefox Safari ChromeDriver geckodriver
  # utility
  Bash
  zsh | Z shell
  fish
  nu | Nushell
  PowerShell curl Wget
  openssl | the OpenSSL command line
  openssh | the OpenSSH client
  gpg | GnuPG
  rsync jq yq ripgrep FFmpeg ImageMagick Graphviz Pandoc ShellCheck
`);

/** Fields that hold one text. All others hold words, or are true. */
const texts: ReadonlySet<string> = new Set([
  ...['versionsLike', 'mise', 'asdf', 'image', 'installedBy', 'role', 'comesWith'],
]);

/** All tools, by kind. Names are unique. */
export const tools: readonly ToolRow[] = toolsOf(table);

function toolsOf(rows: readonly (readonly string[])[]): ToolRow[] {
  let kind = '' as ToolKind;
  return rows.flatMap(([first = '', about, ...more]) => {
    if (about !== undefined) return [{ name: first, kind, about, ...cellFields(more, texts) }];
    if (!first.startsWith('# '))
      return first.split(' ').map((each) => ({ name: each.toLowerCase(), kind, about: each }));
    kind = first.slice(2) as ToolKind;
    return [];
  });
}
