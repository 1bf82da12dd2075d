// Whether a difference in a variable counts by default, and how much it means. docs/specification.md §12.

import { describeVariable } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import type { VariableRow } from '@envsnap/shared/catalogue/variables/variable-class';
import type { ProjectNeeds } from './project-needs.ts';

export interface VariableRelevance {
  /** Null when a difference counts; else why it does not, in a few words. */
  readonly contextOf: string | null;
  /** What the catalogue says; undefined for names that nobody documents. */
  readonly row: VariableRow | undefined;
  /** The file of the project that mentions it. */
  readonly mentionedIn: string | undefined;
  /** A variable that a dotenv file of the folder sets. */
  readonly fromDotenv: boolean;
}

/** Judges a variable by its name, for a project. */
export function judgeVariable(key: string, needs: ProjectNeeds): VariableRelevance {
  const colon = key.lastIndexOf(':');
  const fromDotenv = isDotenvVariable(key);
  const name = fromDotenv ? key.slice(colon + 1) : key;
  const row = describeVariable(name, { providers: needs.providers, ignoreCase: needs.ignoreCase });
  const mentionedIn = needs.variables.get(name);
  const judged = { row, mentionedIn, fromDotenv };
  if (fromDotenv) return { ...judged, contextOf: null };
  return { ...judged, contextOf: contextOf(name, row, mentionedIn !== undefined, needs) };
}

/** Whether a key of the variables names one that a dotenv file sets: `.env.local:DATABASE_URL`. */
export function isDotenvVariable(key: string): boolean {
  const colon = key.lastIndexOf(':');
  return colon > 0 && isDotenvFile(key.slice(0, colon));
}

/** Whether a path is that of a dotenv file which programs load: `.env`, `.env.local`, `api/.env.test`. */
function isDotenvFile(path: string): boolean {
  return /(?:^|\/)\.env(?:\.[\w.-]+)?$/.test(path);
}

function contextOf(
  name: string,
  row: VariableRow | undefined,
  mentioned: boolean,
  needs: ProjectNeeds,
): string | null {
  if (!mentioned && needs.servicePorts.has(name)) return setByKubernetes;
  if (row === undefined) {
    if (mentioned || looksLikeApplication(name)) return null;
    return 'nothing in the project mentions it';
  }
  if (mentioned && row.shared) return null;
  switch (row.class) {
    case 'application':
      return null;
    case 'behaviour':
    case 'tool-setting': {
      if (mentioned) return null;
      if (row.ecosystems !== undefined && !isUsed(row.ecosystems, needs))
        return `of ${row.provider === 'other' ? 'a tool' : row.provider}, which the project does not use`;
      return row.class === 'tool-setting' && row.likelihood === 'low' ? 'where a tool keeps its files' : null;
    }
    case 'editor':
    case 'shell':
    case 'version-manager':
    case 'personal':
      return mentioned ? null : (contextNames[row.class] ?? 'context');
    case 'configuration':
      return row.provider === 'kubernetes' ? setByKubernetes : 'set by the CI service';
    default:
      return contextNames[row.class] ?? 'context';
  }
}

const setByKubernetes = 'set by Kubernetes for a service';

const contextNames: Readonly<Record<string, string>> = {
  'per-image': 'of the CI image',
  'per-job': 'of the CI job',
  'per-run': 'of one run',
  process: 'of the program that started the capture',
  desktop: 'of the desktop',
  session: 'of the session',
  terminal: 'of the terminal',
  editor: 'of the editor',
  shell: 'of the shell',
  'version-manager': 'of a version manager',
  identity: 'names the user or machine',
  personal: 'a personal setting',
  own: 'of envsnap',
};

function isUsed(ecosystems: readonly string[], needs: ProjectNeeds): boolean {
  return !needs.known || ecosystems.some((ecosystem) => needs.ecosystems.has(ecosystem));
}

/** Capitals and underscores are how applications spell their settings; handles of processes are none. */
function looksLikeApplication(name: string): boolean {
  return (
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(name) &&
    !/_(?:PID|PPID|SOCK|SOCKET|TTY|SESSION_ID|SESSION|FD|LOADED|INITIALIZED|SHLVL)$/.test(name)
  );
}
