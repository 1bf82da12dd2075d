// The values of variables on both sides, ready for a command: with this machine's home folder and checkout, and with
// secrets only if this machine has them.

import path from 'node:path';
import { environmentOf } from '@envsnap/compare/workspace';
import { codeRisk } from '@envsnap/shared/catalogue/variables/code-variables';
import { isFingerprint, isHiddenValue } from '@envsnap/shared/opaque-value';
import { checkoutMark } from '@envsnap/shared/text/places';
import { homeFolder } from '../../../plain/cache-folder.js';
import { isOwnPlace } from '../own-place.ts';
import type { PlanInput, Side } from './bisect-change.ts';

type VariableValue =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly text: string; readonly shown: boolean }
  | { readonly kind: 'secret'; readonly reason: string };

export interface ValueReader {
  variable(side: Side, name: string): VariableValue;
  isSetHere(name: string): boolean;
  /** `TZ=UTC`, `no TZ`, `API_KEY as it is here`. */
  text(name: string, value: VariableValue): string;
}

const longestShown = 60;

export function createValueReader({
  a,
  b,
  local,
  aIsLocal,
  bIsLocal,
  env,
  checkout,
}: PlanInput): ValueReader {
  const valueIn = (side: Side, name: string): VariableValue => {
    const environment = side === 'a' ? a : b;
    const variables = environment.envVars ?? {};
    if (!Object.hasOwn(variables, name)) return { kind: 'absent' };
    const recorded = variables[name] as string;
    const here = env[name];
    const hidden = isHiddenValue(recorded);
    if (side === 'b' && bIsLocal && here !== undefined) return { kind: 'text', text: here, shown: !hidden };
    if (!hidden && !environmentOf(environment).capture.namesOnly)
      return { kind: 'text', text: expandPlaces(recorded, checkout), shown: true };
    const own = local.envVars ?? {};
    const same =
      (side === 'a' && aIsLocal) ||
      (isFingerprint(recorded) && Object.hasOwn(own, name) && own[name] === recorded);
    if (same && here !== undefined) return { kind: 'text', text: here, shown: false };
    return { kind: 'secret', reason: 'its value is secret, and this machine does not have it' };
  };
  return {
    variable: valueIn,
    isSetHere: (name) => env[name] !== undefined,
    text(name, value) {
      if (value.kind !== 'text') return `no ${name}`;
      if (!value.shown) return `${name} as it is here`;
      const line = value.text.replace(/\s+/g, ' ');
      return `${name}=${line.length > longestShown ? `${line.slice(0, longestShown - 1)}…` : line}`;
    },
  };
}

/** Captures write the home folder as `~` and the work tree as `<checkout>`; a command gets those of this machine. */
export function expandPlaces(text: string, checkout: string | undefined): string {
  const placed = checkout === undefined ? text : text.replaceAll(checkoutMark, () => checkout);
  return placed.replace(/(?<![^\s:;=,"'])~(?=$|[/\\:;,\s"'])/g, () => homeFolder());
}

export function isSearchPath(name: string): boolean {
  return name.toUpperCase() === 'PATH';
}

/** The possible effect of a stored value of a variable, or of an entry in its list; undefined if it is harmless. */
export function valueRisk(name: string, text: string): string | undefined {
  const risk = codeRisk(name, text);
  if (risk !== undefined || !isSearchPath(name)) return risk;
  return text.split(path.delimiter).every(isOwnPlace)
    ? undefined
    : 'start programs from a folder that is not yours';
}
