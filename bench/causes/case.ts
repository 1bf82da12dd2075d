// What a case is: a public report, rebuilt as a difference between two machines, with the true cause as its label.

import type { MachineKind } from './machines.ts';
import type { ProjectName } from './projects.ts';

/** What is other on one side than the project and the machine say. Null: not there. */
export interface Change {
  readonly env?: Readonly<Record<string, string | null>>;
  readonly runtimes?: Readonly<Record<string, string | null>>;
  readonly facts?: Readonly<Record<string, string | number | boolean | readonly string[] | null>>;
  /** Lock file to package to installed version. */
  readonly installed?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
  readonly system?: Readonly<Record<string, unknown>>;
  readonly timezone?: string;
  readonly locale?: string;
  readonly arch?: 'x64' | 'arm64';
}

export const causeKinds = [
  'variable or PATH',
  'installed other than locked',
  'runtime or package version',
  'image or service version',
  'language or time zone',
  'basic tools',
  'limits',
  'processor or C library',
  'git configuration',
  'registry',
  'file system',
  'TLS',
  'network',
  'fonts',
  'drivers',
] as const;
export type CauseKind = (typeof causeKinds)[number];

export interface CauseCase {
  /** The report. Its path is the case's id. */
  readonly report: string;
  readonly kind: CauseKind;
  readonly project: ProjectName;
  /** What differed, in a few words. */
  readonly differed: string;
  /** How it showed. */
  readonly showed: string;
  /** It works on the first and fails on the second. Default: drawn by the report's address. */
  readonly machines?: readonly [MachineKind, MachineKind];
  readonly works: Change;
  readonly fails: Change;
  /** `section:key`; several where one difference shows in several places, any of which names it. */
  readonly cause: readonly string[];
}

/** `nodejs/node/issues/50504` of the report's address. */
export function idOf({ report }: CauseCase): string {
  return report.replace('https://github.com/', '');
}
