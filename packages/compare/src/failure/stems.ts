// The common stem in the names of a library, its headers, its packages and its linker option.

import stems from './rules/stems.json' with { type: 'json' };

/** The common stem of packages, headers and libraries: `gmp` of libgmp-dev, gmp.h, libgmp.so.10 and FindGMP. */
export function stemOf(name: string): string {
  const stem = name
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/\.(?:so|dylib|dll|h|hpp|pc|cmake|node|js|rb|py)\b[\d.]*$/, '')
    .replace(/-(?:dev|devel|headers|bin|common|config|sys|c)$/, '')
    .replace(/^(?:find|conf-|ext-|php\d?[\d.]*-|python\d?-|ruby-|rubygem-|perl-)(?=[a-z])/, '')
    .replace(/^(?:x86-64|aarch64|arm|i686)-(?:pc-)?linux-gnu[a-z]{0,8}-/, '')
    .replace(/^lib(?=[a-z])/, '')
    .replace(/[-+.\d:]{1,20}$/, '');
  return otherStems.get(stem) ?? stem;
}

/** Libraries whose packages, headers and linker options have no common stem, with the name that we use instead. */
const otherStems = new Map(
  Object.entries(stems).flatMap(([stem, others]) => others.map((other) => [other, stem] as const)),
);
