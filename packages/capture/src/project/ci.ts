// Which continuous-integration service runs the capture, by the variables that each documents.

import rows from './ci-providers.json' with { type: 'json' };

interface CiState {
  readonly provider: string;
  /** The provider's name for the job, without numbers that change with each run. */
  readonly job?: string;
  /** The job's runner, if the provider reports it. */
  readonly image?: CiImage;
  /** The page of this job, or of its run. */
  readonly url?: string;
}

interface CiImage {
  readonly name: string;
  readonly version?: string;
  /** `sha256:…`, if the job names its image by digest. */
  readonly digest?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface CiProvider {
  readonly provider: string;
  /** The variable that shows it: set and not `false`, or equal to the value after `=`. */
  readonly mark: string;
  /** Templates for the job's name. The first whose variables are all set is used. */
  readonly jobs?: readonly string[];
  /** Template for the address of the job's page. */
  readonly url?: string;
  /** The variables of the image and its version. */
  readonly image?: readonly string[];
}

// The last two are cloud workspaces: they set no CI variable, but their machines are just as uniform.
const providers = rows as readonly CiProvider[];

/** The provider, `unknown` if only the general `CI` variable is set, or undefined outside of CI. */
export function detectCi(env: Environment): CiState | undefined {
  const isSet = (name: string): boolean => !['', 'false', undefined].includes(env[name]);
  const found = providers.find(({ mark }) => {
    const [name = '', value] = mark.split('=');
    return value === undefined ? isSet(name) : env[name] === value;
  });
  if (!found) return isSet('CI') && env.CI !== '0' ? { provider: 'unknown' } : undefined;
  const { provider, jobs = [], url: address = '', image } = found;
  const job = jobs.map((template) => filled(template, env)).find(Boolean);
  // `CODEBUILD_BUILD_ID` is `project:uuid`.
  const name = provider === 'aws-codebuild' ? job?.replace(/:.*$/s, '') : job;
  const runsOn = imageOf(image, env);
  const url = urlOf(address, env);
  return { provider, ...(name && { job: name }), ...(runsOn && { image: runsOn }), ...(url && { url }) };
}

/** A template with the variables that it names; undefined if one of them is not set. */
function filled(template: string, env: Environment): string | undefined {
  const names = [...template.matchAll(/\$(\w+)/g)].map(([, name = '']) => name);
  return names.every((name) => env[name])
    ? template.replace(/\$(\w+)/g, (_, name: string) => env[name] ?? '')
    : undefined;
}

/** Empty if the address is not a web address; never contains a name or a password. */
function urlOf(template: string, env: Environment): string | undefined {
  const url = URL.parse(filled(template, env) ?? '');
  if (url === null || !/^https?:$/.test(url.protocol) || url.href.length > 2048) return undefined;
  url.username = '';
  url.password = '';
  return url.href;
}

/** `registry/name:tag@sha256:…` names an image by digest. */
function imageOf(
  [nameVariable = '', versionVariable = '']: readonly string[] = [],
  env: Environment,
): CiImage | undefined {
  const [name = '', digest] = (env[nameVariable] ?? '').split('@');
  if (name === '') return undefined;
  const version = env[versionVariable];
  return { name, ...(version && { version }), ...(digest && { digest }) };
}
