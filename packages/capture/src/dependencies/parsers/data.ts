// Julia (Manifest.toml of formats 1 and 2, Project.toml) and R (renv.lock, DESCRIPTION).

import { field, isPlainObject, textField } from '@envsnap/shared/plain-object';
import { entriesIn, entriesUnder, itemsUnder, requiredEntries, textFields } from '../fields.ts';
import {
  anyVersion,
  gitSource,
  type PackageList,
  type PackageSource,
  registrySource,
  versionOfCommit,
} from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { parseJsonObject } from '../text/json.ts';
import { requireLine } from '../text/lines.ts';
import { parseToml } from '../text/toml.ts';

/** Manifest.toml: packages. Modules of the standard library have no version and are recorded as `*`. */
export function parseJuliaManifest(text: string, list: PackageList): void {
  const manifest = parseToml(text);
  const holder = field(manifest, 'manifest_format') === undefined ? { deps: manifest } : manifest;
  const packages = entriesUnder(holder, 'deps');
  for (const [name, entries] of packages)
    for (const entry of Array.isArray(entries) ? entries : [entries]) {
      if (!Array.isArray(entries) || !isPlainObject(entry)) {
        list.rejected += 1;
        continue;
      }
      const [url, hash, revision, path] = textFields(entry, 'repo-url', 'git-tree-sha1', 'repo-rev', 'path');
      const tree = url === undefined ? undefined : hash;
      const version = textField(entry, 'version') ?? (path === undefined ? anyVersion : `path:${path}`);
      const source = url === undefined ? undefined : (`git+${url}#${revision ?? tree ?? ''}` as const);
      list.add(name, versionOfCommit(version, url ?? '', tree), source, hash);
    }
  if (list.size === 0 && packages.some(([, entries]) => isPlainObject(entries)))
    throw new ParseProblem('it is not a manifest of Julia');
}

/** Project.toml: requirements with the versions that `[compat]` allows. */
export function parseJuliaProject(text: string, list: PackageList): void {
  const project = parseToml(text);
  for (const [name] of entriesIn(project, 'deps', 'weakdeps'))
    list.add(name, textField(field(project, 'compat'), name) ?? anyVersion);
}

/** DESCRIPTION of a package for R: packages with their requirements; its version of R is a declared version. */
export function parseDescription(text: string, list: PackageList): void {
  requireLine(text, /^[A-Za-z][\w/@.-]*:/m);
  const fields = text.matchAll(/^(Depends|Imports|LinkingTo|Suggests|Remotes):(.*(?:\n[ \t].*)*)/gm);
  for (const [, name, value = ''] of fields) {
    const items = value.split(',').map((item) => item.trim());
    if (name === 'Remotes') list.set('remotes', items.join(', '));
    else
      for (const item of items) {
        const [, wanted = '', version = anyVersion] = /^([\w.]+)\s*(?:\(([^()]*)\))?$/.exec(item) ?? [];
        if (item !== '' && wanted !== 'R') list.add(wanted, version);
      }
  }
}

const forges: Readonly<Record<string, string>> = {
  github: 'https://github.com/',
  gitlab: 'https://gitlab.com/',
  bitbucket: 'https://bitbucket.org/',
};
const usualRepositories =
  /^https?:\/\/(?:cran\b[\w.-]*|[\w-]+\.cran\.[\w.-]*|packagemanager\.(?:posit|rstudio)\.(?:co|com))(?:\/|$)/;

/** renv.lock: packages; with the commit if they come from a forge. */
export function parseRenvLock(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  const r = field(lock, 'R');
  const repositories = new Map(
    itemsUnder(r, 'Repositories').map((each) => [textField(each, 'Name'), textField(each, 'URL')]),
  );
  for (const [key, entry] of isPlainObject(r)
    ? entriesUnder(lock, 'Packages')
    : requiredEntries(lock, 'Packages')) {
    const source = (textField(entry, 'Source') ?? '').toLowerCase();
    const [sha, address, owner, repository] = textFields(
      entry,
      'RemoteSha',
      'RemoteUrl',
      'RemoteUsername',
      'RemoteRepo',
    );
    const commit = /^(?:github|gitlab|bitbucket|git|git2r|xgit)$/.test(source) ? sha : undefined;
    const forge =
      forges[source] && owner && repository ? `${forges[source]}${owner}/${repository}` : undefined;
    // Packages of Bioconductor are not on CRAN.
    const bioconductor: PackageSource | undefined = source === 'bioconductor' ? 'generic' : undefined;
    list.add(
      textField(entry, 'Package') ?? key,
      versionOfCommit(textField(entry, 'Version') ?? anyVersion, '', commit),
      gitSource(address || forge, commit) ??
        bioconductor ??
        registrySource(repositories.get(textField(entry, 'Repository')), usualRepositories),
      textField(entry, 'Hash'),
    );
  }
}
