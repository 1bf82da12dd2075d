// The files of a project that show its needs, and how each is read.

import {
  ciMentions,
  composeMentions,
  composerMentions,
  dockerfileMentions,
  dotenvMentions,
  type Mentions,
  packageJsonMentions,
  policyMentions,
  programMentions,
  scriptMentions,
  sourceMentions,
  submoduleMentions,
} from './mentions.ts';

type Reader = (text: string) => Mentions;

/** Folders that begin with a dot and hold definitions for CI services or containers; others are not looked into. */
export const dottedFolders: ReadonlySet<string> = new Set(
  `.github .gitlab .circleci .buildkite .forgejo .gitea .woodpecker .semaphore .devcontainer .docker
  .azure-pipelines .husky .cargo`.split(/\s+/),
);

/** Facts that a file of the project sets if its expression matches; then they are not personal choices. */
function settingsReader(facts: Readonly<Record<string, RegExp>>): Reader {
  return (text) => ({
    variables: [],
    tools: [],
    settings: Object.keys(facts).filter((name) => facts[name]?.test(text)),
  });
}

/** How files are read whose relative path, or whose name, matches. The first matching row counts. */
const rows: readonly (readonly [read: Reader, ...tests: readonly RegExp[]])[] = [
  [
    dotenvMentions,
    /(?:^|\/)\.?env[._-](?:example|sample|template|tmpl|tpl|dist|defaults?|schema)$/i,
    /(?:^|\/)\.env\.[\w-]+\.(?:example|sample|template|dist)$/i,
    /(?:^|\/)(?:example|sample|template)\.env$/i,
  ],
  [
    composeMentions,
    /(?:^|\/)(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml$/,
    /(?:^|\/)\.devcontainer(?:\/[\w-]+)?\/devcontainer\.json$|^\.devcontainer\.json$/,
  ],
  [dockerfileMentions, /(?:^|\/)(?:(?:Dockerfile|Containerfile)(?:[.-][\w.-]+)?|[\w.-]+\.[Dd]ockerfile)$/],
  [
    ciMentions,
    /^\.(?:github|forgejo|gitea)\/(?:workflows\/[^/]+|actions\/[^/]+\/action)\.ya?ml$/,
    /^(?:\.gitlab-ci\.yml|\.gitlab\/.*\.ya?ml|\.circleci\/[^/]+\.yml|\.travis\.yml|\.?appveyor\.yml)$/,
    /^(?:\.?azure-pipelines[\w.-]*\.ya?ml|\.azure-pipelines\/.*\.ya?ml|bitbucket-pipelines\.yml)$/,
    /^(?:\.drone\.ya?ml|\.woodpecker(?:\.ya?ml|\/.*\.ya?ml)|\.cirrus\.yml|\.semaphore\/.*\.yml)$/,
    /^(?:\.buildkite\/.*\.ya?ml|Jenkinsfile(?:\.[\w-]+)?|cloudbuild\.ya?ml|buildspec[\w.-]*\.ya?ml)$/,
    /^(?:netlify\.toml|vercel\.json|render\.yaml|fly\.toml|app\.json|railway\.(?:json|toml)|heroku\.yml)$/,
  ],
  [packageJsonMentions, /(?:^|\/)package\.json$/],
  [composerMentions, /(?:^|\/)composer\.(?:json|lock)$/],
  [
    scriptMentions,
    /(?:^|\/)\.envrc(?:\.(?:example|sample|template))?$/,
    /(?:^|\/)(?:GNUm|M|m)akefile$|(?:^|\/)[\w.-]+\.mk$/,
    /(?:^|\/)(?:\.?[jJ]ustfile|Procfile(?:\.dev)?|Taskfile\.ya?ml|tox\.ini|noxfile\.py)$/,
    /^(?:bin|scripts?|ci|build|tools|hack|\.husky)\/(?:[\w-]+|[\w.-]+\.(?:sh|bash|zsh))$/,
    /^[\w.-]+\.sh$/,
  ],
  [
    programMentions,
    /(?:^|\/)Rakefile$/,
    /^(?:bin|scripts?|ci|build|tools|hack)\/[\w.-]+\.(?:[cm]?[jt]s|py|rb|pl|php)$/,
  ],
  [policyMentions, /^\.envsnap\.ya?ml$/],
  [submoduleMentions, /^\.gitmodules$/],
  [
    settingsReader({
      'npm.registry': /^registry[ \t]*=/m,
      'npm.scopedRegistries': /^@[^\s:=]+:registry[ \t]*=/m,
      'npm.engineStrict': /^engine-strict[ \t]*=/m,
      'npm.ignoreScripts': /^ignore-scripts[ \t]*=/m,
      'npm.before': /^(?:before|(?:min|minimum)-release-age)[ \t]*=/m,
      'npm.scriptShell': /^script-shell[ \t]*=/m,
    }),
    /^\.npmrc$/,
  ],
  [settingsReader({ 'yarn.registry': /^(?:npmRegistryServer:|registry )/m }), /^\.yarnrc(?:\.yml)?$/],
  [settingsReader({ 'bun.registry': /^(?:registry[ \t]*=|\[install\.scopes\])/m }), /^bunfig\.toml$/],
  [
    settingsReader({
      'cargo.registries': /^\[(?:source|registries|registry)\b/m,
      'cargo.flags': /^(?:rustflags|linker)[ \t]*=/m,
    }),
    /^\.cargo\/config(?:\.toml)?$/,
  ],
];

const testSetUp =
  /(?:^|\/)(?:(?:vitest|jest|playwright|cypress|karma|ava)\.config\.[cm]?[jt]s|conftest\.py|(?:spec|rails|test)_helper\.rb|phpunit\.xml(?:\.dist)?)$/;
const testFile =
  /(?:[._-](?:test|spec)\.[cm]?[jt]sx?|(?:^|\/)test_[\w-]+\.py|_(?:test|spec)\.(?:go|py|rb)|Test\.php)$/;

/** Files with tests: they are read last, because a project has many. */
export function isTest(path: string): boolean {
  return testFile.test(path);
}

/** Maximum number of files of a project: sources, which mention variables, and documents, which show no needs. */
const source =
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|cs|c|cc|cpp|exs?|scala|clj|swift|dart|pl|hs|lua|jl)$/i;
const inert = /\.(?:md|h|hpp|css|scss|html|svg|png|snap)$/i;
const folderOfScripts = /^(?:bin|scripts?|ci|build|tools|hack)\//;

/** Files with the project's code. Only some of them are read, because there are many. */
export function isSource(path: string): boolean {
  return source.test(path) && !isScript(path) && !isOfTests(path);
}

function isScript(path: string): boolean {
  return folderOfScripts.test(path) || path.endsWith('noxfile.py');
}

function isOfTests(path: string): boolean {
  return testFile.test(path) || testSetUp.test(path);
}

/** How to read the project's needs from a file; undefined for other files. */
export function readerOf(path: string): Reader | undefined {
  if (isOfTests(path)) return programMentions;
  if (isSource(path)) return sourceMentions;
  return inert.test(path) && !isScript(path)
    ? undefined
    : rows.find(([, ...tests]) => tests.some((test) => test.test(path)))?.[0];
}
