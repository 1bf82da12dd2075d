// Common input and output of all pages.

import type { Operations, ResponseOf } from '@envsnap/shared';
import type { FormName, ReturnedForm } from './forms.ts';

export interface ConsolePage {
  readonly status: number;
  /** The whole document, to be sent as `text/html; charset=utf-8`. */
  readonly html: string;
  /** The header `Content-Security-Policy`: the document's own style and script by their digests, and nothing else. */
  readonly contentSecurityPolicy: string;
}

/** The signed-in caller: the response to `GET /machine/keys/current` with their key. */
export type ConsoleCaller = ResponseOf<Operations['getCurrentKey']>;

/** Values that all parts of a page share. */
export interface PageContext {
  /** The relative path from this page to the console's first page, so that any prefix works: {@link rootOf}. */
  readonly root: string;
  /** Address of the server as people reach it, with its prefix and without a slash at the end: for commands to type. */
  readonly serverUrl: string;
  /** Null if nobody is signed in. */
  readonly caller: ConsoleCaller | null;
  readonly now: Date;
  /** The form that led here. Default: none. */
  readonly done?: FormName | undefined;
  /** A form that is shown again with its input. Default: none. */
  readonly returned?: ReturnedForm | undefined;
  /** Says that something is no longer shown. Default false. */
  readonly isShownNoMore?: boolean;
}

/** A stored snapshot without its content. */
export interface DatedSnapshot {
  readonly id: string;
  readonly machineName: string;
  readonly createdAt: string;
  /** Result and name of its run; null if it has none. */
  readonly run: { readonly result: 'passed' | 'failed'; readonly of: string } | null;
}

/** The relative path from a page to the console's first page: `./` for `runs`, `../` for `snapshots/ID`. */
export function rootOf(pathInConsole: string): string {
  return '../'.repeat(pathInConsole.split('/').length - 1) || './';
}

/** An address in the console: its parts are escaped, values of the query too; undefined ones are left out. */
export function linkTo(
  { root }: Pick<PageContext, 'root'>,
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodedPart(value)}`],
  );
  return `${root}${path.map(encodedPart).join('/')}${pairs.length === 0 ? '' : '?'}${pairs.join('&')}`;
}

/** A part of an address, or a value of its query. `encodeURIComponent` throws for text that is not well-formed. */
export function encodedPart(part: string): string {
  return encodeURIComponent(part.toWellFormed());
}
