// Compilers and build tools.

import { cudaToolkit } from './installed-versions.ts';
import { mavenCoreJar } from './jar-version.ts';
import { pythonDistribution } from './python-distribution.ts';
import { entryName, firstOf, ownText, packageJson, pathText, type Tool, textFile } from './tool.ts';

/** `gcc (Debian 12.2.0-14) 12.2.0`; Apple's clang under this name does not match. */
const gnuCompiler = /^\S+ \(.*\) (\d+(?:\.\d+)+)/m;

/** `/usr/bin/x86_64-linux-gnu-gcc-12` is of `gcc-12`. */
const gnuCompilerPackage = (realPath: string): string | undefined =>
  /-((?:gcc|g\+\+|gfortran)-\d+)$/.exec(realPath)?.[1];

export const compilers: readonly Tool[] = [
  { name: 'gcc', pattern: gnuCompiler, debianPackage: gnuCompilerPackage },
  { name: 'g++', pattern: gnuCompiler, debianPackage: gnuCompilerPackage },
  { name: 'gfortran', pattern: gnuCompiler, debianPackage: gnuCompilerPackage },
  { name: 'clang', pattern: /clang version (\d[\w.]*)/ },
  { name: 'nvcc', files: cudaToolkit, pattern: /release [\d.]+, V(\d[\d.]*)/ },
  { name: 'emcc', files: textFile('emscripten-version.txt'), filesOnly: true },
  {
    name: 'ld',
    pattern: /^GNU ld .{0,200}?(\d+\.\d[\d.]*)$/m,
    debianPackage: (realPath) =>
      `binutils-${/(?<![^/])([^/]+)-ld\.bfd$/.exec(realPath)?.[1]?.replaceAll('_', '-')}`,
  },
  { name: 'lld', executables: ['ld.lld', 'lld'], pattern: /LLD (\d[\w.]*)/ },
  { name: 'nasm', args: ['-v'] },
  { name: 'protoc' },
  { name: 'swig', args: ['-version'] },
  { name: 'wasm-pack', withoutHome: true },
  {
    name: 'gdb',
    args: ['--nx', '--version'],
    pattern: /^GNU gdb .{0,200}?(\d+\.\d[\d.]*)$/m,
    debianPackage: 'gdb',
  },
  { name: 'valgrind', pattern: /valgrind-(\d\S*)/, withoutHome: true, debianPackage: 'valgrind' },
  { name: 'xcodebuild', args: ['-version'], pattern: /Xcode (\d[\d.]*)/, heavy: true },
];

export const buildTools: readonly Tool[] = [
  { name: 'make', executables: ['make', 'gmake'], debianPackage: 'make' },
  { name: 'cmake', executables: ['cmake', 'cmake3'], debianPackage: 'cmake' },
  { name: 'ninja', executables: ['ninja', 'ninja-build'], debianPackage: 'ninja-build' },
  { name: 'meson', files: pythonDistribution('meson') },
  { name: 'scons', files: pythonDistribution('scons') },
  {
    name: 'bazel',
    // This may be Bazelisk, which downloads the Bazel that is asked for; a probe has no network.
    pattern: /^bazel (\d\S+)/m,
    withoutHome: true,
    heavy: true,
  },
  {
    name: 'maven',
    executables: ['mvn'],
    files: firstOf(entryName('../lib', /^maven-core-(.+)\.jar$/), mavenCoreJar),
    heavy: true,
  },
  {
    name: 'gradle',
    files: firstOf(
      entryName('../lib', /^gradle-(?:core|launcher|runtime-api-info)-(\d.+)\.jar$/),
      pathText(/\/gradle-(\d[^/]*)\/bin\//),
    ),
    filesOnly: true,
  },
  {
    name: 'ant',
    files: firstOf(entryName('../lib', /^ant-(\d.+)\.jar$/), pathText(/\/apache-ant-(\d[^/]*)\/bin\//)),
    args: ['-version'],
    heavy: true,
  },
  { name: 'sbt', files: ownText(/^declare (?:-r )?init_sbt_version="?(\d[^"\s]*)/m), filesOnly: true },
  {
    name: 'leiningen',
    executables: ['lein'],
    files: ownText(/^export LEIN_VERSION="(\d[^"]*)"/m),
    filesOnly: true,
  },
  { name: 'rebar3', filesOnly: true },
  { name: 'autoconf' },
  { name: 'automake' },
  { name: 'libtool', pattern: /libtool\) (\d\S+)/ },
  { name: 'm4', pattern: /m4[^\n]{0,100} (\d\S+)/ },
  { name: 'bison' },
  { name: 'flex', pattern: /flex (\d\S+)/ },
  { name: 'pkg-config', executables: ['pkg-config', 'pkgconf'], debianPackage: 'pkgconf-bin' },
  { name: 'ccache' },
  { name: 'sccache', withoutHome: true },
  { name: 'just' },
  { name: 'task', pattern: /Task version: v?(\d\S+)/ },
  { name: 'buf', withoutHome: true },
  { name: 'dune' },
  { name: 'watchman', withoutHome: true, pattern: /^(\d\S+)$/m },
  { name: 'lerna', files: packageJson('lerna'), filesOnly: true },
  { name: 'nx', files: packageJson('nx'), filesOnly: true },
  { name: 'turbo', files: packageJson('turbo'), filesOnly: true },
  { name: 'hugo', args: ['version'], pattern: /v(\d+\.\d+\.\d+)/, withoutHome: true },
  { name: 'fastlane', filesOnly: true },
  { name: 'adb', pattern: /Version (\d[\d.]*)/, withoutHome: true },
];
