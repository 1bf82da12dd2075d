// Which differences are one cause to a reader although several entries show it: one table, and what a cause stands for.

import type { FactRow } from '@envsnap/shared/catalogue/facts/fact';
import { factCatalogue, isFactName } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import type { SectionName } from '../model/model.ts';
import type { Cause } from './causes.ts';

/** Keys by section that show one thing; whichever of them differ are told in one line. */
export type CauseFamily = Partial<Record<SectionName, RegExp>>;

/** The program of the basic tools: GNU's, BSD's or BusyBox's, all at once. Told by names of its own. */
export const basicToolKeys = /^program\./;

const languageVariable = /^(?:LANG|LANGUAGE|LC_(?:ALL|CTYPE|COLLATE|NUMERIC|TIME|MESSAGES|MONETARY))$/;

/** Whether a variable chooses the language or its formats. */
export function isLanguageVariable(name: string): boolean {
  return languageVariable.test(name);
}

/** The families, each beside the reason why its keys move together. */
export const causeFamilies: readonly CauseFamily[] = [
  // The language in effect follows from the variables.
  {
    env: languageVariable,
    system: /^locale$/,
    facts: /^locale\.(?:categories|installed)$/,
  },
  { env: /^TZ$/, system: /^timezone$/, facts: /^time\.localtime$/ },
  { env: /^(?:https?|all|no|ftp)_proxy$/i, facts: /^net\.proxies$/ },
  { env: /^(?:TMPDIR|TMP|TEMP)$/ },
  // Behind a proxy that opens connections, each program is told of the certificate by a variable of its own.
  {
    env: /^(?:SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS|(?:REQUESTS|CURL|AWS)_CA_BUNDLE|GIT_SSL_CAINFO|NIX_SSL_CERT_FILE|PIP_CERT|HTTPLIB2_CA_CERTS|GRPC_DEFAULT_SSL_ROOTS_FILE_PATH|CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE|CARGO_HTTP_CAINFO|DENO_CERT|npm_config_cafile)$/i,
  },
  // Programs read these in turn, and the terminal tells the rest.
  { env: /^(?:FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|COLORTERM)$/, facts: /^terminal\.color$/ },
  // One key signs both.
  { facts: /^git\.(?:commit|tag)\.gpgSign$/ },
  { facts: /^git\.core\.(?:autocrlf|eol|safecrlf)$/ },
  // Git asks the file system when it makes a clone.
  { facts: /^(?:fs\.caseSensitive|git\.core\.(?:ignoreCase|precomposeUnicode))$/ },
  { facts: /^(?:fs\.symlinks|git\.core\.symlinks)$/ },
  { facts: /^gpu\./ },
  { facts: /^kernel\.inotify/ },
  { facts: /^limits\.openFiles/ },
  { facts: /^openssl\./ },
  { facts: /^net\.(?:resolvers|searchDomains|resolverOptions)$/ },
  // Root has capabilities that others have not.
  { facts: /^process\.(?:root|capabilities)$/ },
  { facts: /^(?:npm|yarn|bun)\.(?:registry|scopedRegistries)$/, env: /^npm_config_registry$/i },
  { facts: /^(?:pip|uv)\.(?:index|extraIndexes)$/, env: /^(?:PIP|UV)_(?:EXTRA_)?INDEX(?:_URL)?$/ },
];

/** What a runtime brings along or is found by: facts and variables that differ because it does. */
export const followersOfRuntimes: Readonly<Record<string, CauseFamily>> = {
  node: { facts: /^node\.(?:icu|unicode)$/ },
  java: { env: /^(?:JAVA_HOME|JDK_HOME|JRE_HOME)$/ },
  go: { env: /^GOROOT$/ },
  dotnet: { env: /^DOTNET_ROOT$/ },
};

/** Whether a key belongs to a family. */
export function isOfFamily(family: CauseFamily, section: SectionName, key: string): boolean {
  return family[section]?.test(key) ?? false;
}

/** The variable that sets a fact; undefined for facts that no variable sets. */
export function variableOfFact(key: string): string | undefined {
  const row: FactRow | undefined = isFactName(key) ? factCatalogue[key] : undefined;
  return row?.apply?.by === 'variable' ? row.apply.name : undefined;
}

/** All entries that a cause stands for. */
export function placesOf({
  section,
  keys,
  also = [],
}: Pick<Cause, 'section' | 'keys' | 'also'>): { readonly section: SectionName; readonly key: string }[] {
  // The platform names the architecture beside the system, which has a section of its own.
  const own = section === 'os' ? keys.filter((key) => key === 'os') : keys;
  return [...own.map((key) => ({ section, key })), ...also];
}
