// Files in which a regular expression finds the version: its first group. The catalogue has a row for each version that
// a file may declare, with the tool, the expression, and the field's name in the file, if it has one.

import { declaredVersionGroups, type VersionRow } from '@envsnap/shared/catalogue/declared-versions';
import type { DeclaredVersion } from './package-json.ts';

type Rows = readonly (VersionRow & { readonly expression: RegExp })[];

export const rowGroups = declaredVersionGroups.map(({ files = [], example, pattern, versions }) => ({
  files,
  example,
  pattern: pattern === undefined ? undefined : new RegExp(pattern),
  rows: versions.map((row) => ({ ...row, expression: new RegExp(row.pattern, row.flags) })),
}));

/** Converts the version in a file to its usual form. */
const plainForms: Readonly<Record<string, (version: string) => string>> = {
  required_ruby_version: (version) =>
    [...version.matchAll(/["']([^"']+)["']/g)].map(([, part]) => part).join(', '),
  requires: plainPerl,
  Prereqs: plainPerl,
  MIN_PERL_VERSION: plainPerl,
  // The newest one decides which SDK is needed.
  TargetFrameworks: (list) =>
    list
      .split(';')
      .sort((a, b) => newerDotnet(b) - newerDotnet(a))
      .join(';'),
};

function newerDotnet(framework: string): number {
  return Number(/^\s*net(\d+\.\d)/.exec(framework)?.[1] ?? 0);
}

/** `5.014002` is 5.14.2. */
function plainPerl(version: string): string {
  const [, major, minor = '0', patch = '0'] = /^(\d+)\.(\d{3})_?(\d{3})?$/.exec(version) ?? [];
  return major === undefined ? version : `${major}.${Number(minor)}.${Number(patch)}`;
}

/** The text of a file without the versions that its rows find: those are compared as declared ones. */
export function withoutVersions(file: string, text: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const fits = (each: string) => file === each || file.endsWith(`/${each}`);
  const group = rowGroups.find(({ files, pattern }) => files.some(fits) || pattern?.test(name));
  return (group?.rows ?? []).reduce(
    (rest, { expression }) =>
      rest.replace(expression, (found, version: string) => found.replace(version, '')),
    text,
  );
}

/** A version that several rows find is taken from the first one. */
export function readRows(rows: Rows, text: string, source: string): DeclaredVersion[] {
  const versions = rows.flatMap(({ tool, rule, field = '', expression }): [string, DeclaredVersion][] => {
    const found = propertyIn(text, expression.exec(text)?.[1]?.trim().replace(/\s+/g, ' '));
    if (!found) return [];
    const declared = plainForms[field]?.(found) ?? found;
    const place = `${source} ${field}`.trim();
    return [
      [
        `${tool} ${rule} ${declared}`,
        { tool, source: place, declared, rule: rule as DeclaredVersion['rule'] },
      ],
    ];
  });
  return [...new Map(versions.reverse()).values()].reverse();
}

/** The value of `${NAME}`, if Maven's property is a version in the same file; other texts as they are. */
function propertyIn(text: string, found: string | undefined): string | undefined {
  if (!found?.startsWith('${')) return found;
  const tag = `<${found.slice(2, -1)}>`;
  const at = text.indexOf(tag);
  return at < 0
    ? undefined
    : /^\s*(?:1\.)?(\d[\d.]*)\s*</.exec(text.slice(at + tag.length, at + tag.length + 100))?.[1];
}
