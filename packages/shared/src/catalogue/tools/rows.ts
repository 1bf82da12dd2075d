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
  rustc | the compiler of Rust | versionsLike: npm | mise: rust | asdf: rust | aliases: rust
    | image: rust:{version}{base}
  java | the runtime of Java | mise | aliases: java-temurin | image: eclipse-temurin:{version}
  javac | the compiler of Java, absent where only a runtime is installed | comesWith: java
  kotlin | Kotlin | versionsLike: maven | mise | asdf
  scala | Scala | versionsLike: maven | mise | asdf
  Groovy Clojure
  dotnet | the SDK of .NET | mise | aliases: dotnet-core dotnet-sdk
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
  typescript | the compiler of TypeScript | versionsLike: npm
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
  nuget | the command line of NuGet
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
  gcc | the C compiler of GNU | insteadOf: clang
  g++ | the C++ compiler of GNU | comesWith: gcc | insteadOf: clang
  gfortran | the Fortran compiler of GNU | comesWith: gcc
  clang | Clang | insteadOf: gcc g++
  nvcc | the compiler of CUDA
  emcc | Emscripten
  ld | the linker of GNU
  lld | the linker of LLVM
  NASM
  protoc | the compiler of Protocol Buffers
  SWIG wasm-pack
  xcodebuild | Xcode
  gdb | the debugger of GNU
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
  adb | the debug bridge of Android
  # version control
  Git
  git-lfs | Git LFS
  Mercurial Subversion
  jj | Jujutsu
  # container
  docker | the client of Docker | versionsLike: npm | insteadOf: podman
  docker-compose | Docker Compose | comesWith: docker
  docker-buildx | Docker Buildx | comesWith: docker
  podman | Podman | versionsLike: npm | mise | insteadOf: docker
  Buildah Skopeo nerdctl containerd runc Lima Colima
  kubectl | the client of Kubernetes | versionsLike: npm | mise | asdf
  helm | Helm | versionsLike: npm | mise | asdf
  Kustomize Skaffold Tilt minikube
  kind | kind, Kubernetes in Docker
  k3d
  argocd | the client of Argo CD
  Flux Vagrant VirtualBox QEMU
  # cloud
  terraform | Terraform | versionsLike: npm | mise | asdf | insteadOf: tofu
  tofu | OpenTofu | versionsLike: npm | mise: opentofu | asdf: opentofu | aliases: opentofu | insteadOf: terraform
  Terragrunt Packer
  vault | the client of Vault
  Consul Nomad Pulumi Ansible
  aws | the command line of AWS | mise: awscli | asdf: awscli | aliases: awscli
  sam | AWS SAM
  cdk | the AWS CDK
  gcloud | the command line of Google Cloud | mise
  az | the command line of Azure
  doctl | the command line of DigitalOcean
  flyctl | the command line of Fly.io
  gh | the command line of GitHub
  glab | the command line of GitLab
  heroku | the command line of Heroku
  vercel | the command line of Vercel
  netlify | the command line of Netlify
  wrangler | the command line of Cloudflare Workers
  firebase | the command line of Firebase
  serverless | Serverless Framework
  eksctl
  # database
  psql | the client of PostgreSQL
  postgres | the server of PostgreSQL
  mysql | the client of MySQL
  mariadb | the client of MariaDB
  SQLite DuckDB
  redis-cli | the client of Redis
  redis-server | the server of Redis
  mongosh | the shell of MongoDB
  mongod | the server of MongoDB
  ClickHouse
  etcdctl | the client of etcd
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
  openssl | the command line of OpenSSL
  openssh | the client of OpenSSH
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
