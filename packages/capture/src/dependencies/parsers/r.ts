// R: renv.lock.

import { entriesOf, field, isPlainObject, itemsOf, textField } from '@envsnap/shared/plain-object';
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

const forges: Readonly<Record<string, string>> = {
  github: 'https://github.com/',
  gitlab: 'https://gitlab.com/',
  bitbucket: 'https://bitbucket.org/',
};

function repositoryOf(entry: unknown, source: string): string | undefined {
  const address = textField(entry, 'RemoteUrl');
  if (address) return address;
  const [owner, repository] = ['RemoteUsername', 'RemoteRepo'].map((name) => textField(entry, name));
  const forge = forges[source.toLowerCase()];
  return forge && owner && repository ? `${forge}${owner}/${repository}` : undefined;
}

/** Packages of Bioconductor are not on CRAN. */
function bioconductor(source: string): PackageSource | undefined {
  return /^bioconductor$/i.test(source) ? 'generic' : undefined;
}

const usualRepositories =
  /^https?:\/\/(?:cran\b[\w.-]*|[\w-]+\.cran\.[\w.-]*|packagemanager\.(?:posit|rstudio)\.(?:co|com))(?:\/|$)/;

/** renv.lock: packages; those from a forge with their commit. */
export function parseRenvLock(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  if (!isPlainObject(field(lock, 'Packages')) && !isPlainObject(field(lock, 'R')))
    throw new ParseProblem('it has no `Packages`');
  const repositories = new Map(
    itemsOf(field(lock, 'R'), 'Repositories').map((each) => [
      textField(each, 'Name'),
      textField(each, 'URL'),
    ]),
  );
  for (const [key, entry] of entriesOf(lock, 'Packages')) {
    const source = textField(entry, 'Source') ?? '';
    const fromForge = /^(?:github|gitlab|bitbucket|git|git2r|xgit)$/i.test(source);
    const commit = fromForge ? textField(entry, 'RemoteSha') : undefined;
    list.add(
      textField(entry, 'Package') ?? key,
      versionOfCommit(textField(entry, 'Version') ?? anyVersion, '', commit),
      gitSource(repositoryOf(entry, source), commit) ??
        bioconductor(source) ??
        registrySource(repositories.get(textField(entry, 'Repository')), usualRepositories),
      textField(entry, 'Hash'),
    );
  }
}
