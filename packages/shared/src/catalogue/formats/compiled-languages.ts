// Dependency files of Rust, Go, C and C++, Swift and Apple's platforms, Dart, Haskell, OCaml, Crystal.

import { type Format, family, list, lock, manifest, unread } from './format.ts';

const tree = 'tree' as const;
const program = 'only running the program would say what it asks for';

export const compiledFormats: readonly Format[] = [
  ...family('cargo', 'cargo', [
    lock('cargo-lock', 'Cargo.lock', 'cargo/parseCargoLock', 'the lock file of Cargo, versions 1 to 4', {
      reach: tree,
      manifests: ['Cargo.toml'],
    }),
    manifest('cargo-toml', 'Cargo.toml', 'cargo/parseCargoToml', 'the manifest of Cargo', {
      plainMeansRange: true,
    }),
  ]),
  ...family('go', 'go', [
    // go.mod says which versions are selected; go.sum only which contents were ever checked.
    list('go-mod', 'go.mod', 'go/parseGoMod', 'the module file of Go'),
    lock('go-sum', 'go.sum', 'go/parseGoSum', 'the checksums of Go, read only where go.mod does not select', {
      manifests: ['go.mod'],
    }),
    lock(
      'go-vendor',
      /(?:^|\/)vendor\/modules\.txt$/,
      'go/parseModulesTxt',
      'the vendored modules of Go, where they are not those of go.mod',
      { examples: ['vendor/modules.txt'] },
    ),
    unread(
      'go-work-sum',
      'go.work.sum',
      'the checksums of a Go workspace',
      'the go.mod files of its modules say what is selected',
      { voidBeside: ['go.work'] },
    ),
  ]),
  ...family('conan', 'conan', [
    lock('conan-lock', 'conan.lock', 'conan/parseConanLock', 'the lock file of Conan 1 and 2', {
      manifests: ['conanfile.txt', 'conanfile.py'],
      tools: ['conan'],
    }),
    manifest('conanfile', 'conanfile.txt', 'conan/parseConanfile', 'the manifest of Conan', {
      tools: ['conan'],
    }),
    unread('conanfile-py', 'conanfile.py', 'a recipe of Conan', program),
  ]),
  ...family('vcpkg', 'vcpkg', [
    list('vcpkg', 'vcpkg.json', 'vcpkg/parseVcpkg', 'the manifest of vcpkg', { tools: ['vcpkg'] }),
  ]),
  ...family('swift', 'swift', [
    lock(
      'package-resolved',
      'Package.resolved',
      'apple/parsePackageResolved',
      'the lock file of SwiftPM, versions 1 to 3',
      { manifests: ['Package.swift'] },
    ),
    unread('package-swift', 'Package.swift', 'the manifest of SwiftPM', program),
  ]),
  ...family('cocoapods', 'cocoapods', [
    lock('podfile-lock', 'Podfile.lock', 'apple/parsePodfileLock', 'the lock file of CocoaPods', {
      manifests: ['Podfile'],
    }),
    unread('podfile', 'Podfile', 'the manifest of CocoaPods', program),
  ]),
  ...family('carthage', 'carthage', [
    lock(
      'cartfile-resolved',
      'Cartfile.resolved',
      'apple/parseCartfileResolved',
      'the lock file of Carthage',
      { manifests: ['Cartfile'] },
    ),
    manifest('cartfile', ['Cartfile', 'Cartfile.private'], 'apple/parseCartfile', 'the manifest of Carthage'),
  ]),
  ...family('dart', 'pub', [
    lock('pubspec-lock', 'pubspec.lock', 'dart/parsePubspecLock', 'the lock file of Dart and Flutter', {
      manifests: ['pubspec.yaml'],
    }),
    manifest(
      'pubspec',
      ['pubspec.yaml', 'pubspec_overrides.yaml'],
      'dart/parsePubspec',
      'the manifest of Dart and Flutter, and what overrides it',
    ),
  ]),
  ...family('haskell', 'hackage', [
    lock('stack-lock', 'stack.yaml.lock', 'haskell/parseStackLock', 'the lock file of Stack', {
      manifests: ['stack.yaml'],
    }),
    lock('cabal-freeze', 'cabal.project.freeze', 'haskell/parseCabalFreeze', 'the lock file of Cabal', {
      manifests: ['cabal.project', '*.cabal'],
    }),
    unread(
      'stack',
      'stack.yaml',
      'the manifest of Stack',
      'its resolver stands for packages that no file of the project names; `stack.yaml.lock` is read',
    ),
    unread(
      'cabal-project',
      'cabal.project',
      'the project file of Cabal',
      'its conditions would have to be evaluated; `cabal freeze` writes cabal.project.freeze, which is read',
    ),
    unread('cabal', /\.cabal$/, 'the manifest of Cabal', 'its conditions would have to be evaluated', {
      examples: ['app.cabal'],
    }),
  ]),
  ...family('ocaml', 'opam', [
    lock('opam-locked', /(?:\/opam|\.opam)\.locked$/, 'opam/parseOpam', 'the lock file of opam', {
      examples: ['opam.locked', 'app.opam.locked'],
      manifests: ['opam', '*.opam', 'dune-project'],
    }),
    manifest('opam', /(?:\/|\.)opam$/, 'opam/parseOpam', 'the manifest of opam', {
      examples: ['opam', 'app.opam'],
    }),
  ]),
  ...family('crystal', 'crystal', [
    lock('shard-lock', 'shard.lock', 'crystal/parseShardLock', 'the lock file of Shards', {
      manifests: ['shard.yml'],
    }),
    manifest('shard', 'shard.yml', 'crystal/parseShard', 'the manifest of Shards'),
  ]),
  ...family('zig', 'generic', [
    unread(
      'zig-zon',
      'build.zig.zon',
      'the manifest of Zig',
      'packages are pinned by hash and address only',
      { tools: ['zig'], isLock: true },
    ),
  ]),
];
