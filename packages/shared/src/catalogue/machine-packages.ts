// The operating system's package databases as captures name them, and which of the packages programs load. docs/specification.md
// §11.

/** Databases by the path under which `dependencies` holds their packages. */
export const packageDatabases = {
  '/var/lib/dpkg/status': 'dpkg',
  '/lib/apk/db/installed': 'apk',
  '/var/lib/rpm/rpmdb.sqlite': 'rpm',
  '/usr/lib/sysimage/rpm/rpmdb.sqlite': 'rpm',
  // Databases of older releases (Berkeley DB, NDB): they are found but not read, so they are unknown.
  '/var/lib/rpm/Packages': 'rpm',
  '/usr/lib/sysimage/rpm/Packages.db': 'rpm',
  '/opt/homebrew/Cellar': 'homebrew',
  '/usr/local/Cellar': 'homebrew',
  '/home/linuxbrew/.linuxbrew/Cellar': 'homebrew',
} as const;

export type PackageDatabase = (typeof packageDatabases)[keyof typeof packageDatabases];

/** Which package manager keeps a database; undefined for files of a project. */
export function packageDatabaseOf(file: string): PackageDatabase | undefined {
  return Object.hasOwn(packageDatabases, file)
    ? packageDatabases[file as keyof typeof packageDatabases]
    : undefined;
}

/**
 * Packages whose files other programs load while they run: C and C++ libraries, OpenSSL, certificates, zone files, ICU,
 * locales. The names of Debian, Alpine, Red Hat and Homebrew; sonames and versions in a name vary.
 */
const cLibrary = /^(?:libc6|glibc|musl)$/;
const loaded: readonly RegExp[] = [
  cLibrary,
  /^(?:libssl(?:\d[\w.]*)?|libcrypto\d[\w.]*|openssl|openssl-libs|openssl@\d[\w.]*|libressl)$/,
  /^(?:libstdc\+\+\d*|libgcc-s1|libgcc_s1|libgcc)$/,
  /^(?:libicu\d*|icu-libs|icu-data-full|icu4c(?:@\d+)?)$/,
  /^ca-certificates(?:-bundle)?$/,
  /^tzdata$/,
  /^(?:locales|locales-all|glibc-langpack-[a-z]+|glibc-all-langpacks|musl-locales)$/,
];

/** Whether a machine package is the C library, which captures also record as `libc` of the system. */
export function isCLibrary(name: string): boolean {
  return rankOfLoadedPackage(name) === 0;
}

/** Whether a difference in a machine package counts by default; all others are context. */
export function isLoadedPackage(name: string): boolean {
  return rankOfLoadedPackage(name) >= 0;
}

/** The rank of a package among those that programs load. The C library, which most programs load, is 0; other packages are -1. */
export function rankOfLoadedPackage(name: string): number {
  // dpkg adds the architecture if a package is installed for several: `libc6:amd64`.
  const bare = name.replace(/:[a-z0-9-]+$/, '');
  return loaded.findIndex((pattern) => pattern.test(bare));
}
