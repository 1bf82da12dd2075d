// Fills a route's template and formats a query. Pure.

import { UsageError } from '../errors.ts';

/** A value of a query parameter; undefined leaves it out, a date is sent as ISO 8601. */
export type QueryValue = string | number | boolean | Date | undefined;

/** Fills the parameters into a route's template. Throws `UsageError` for a parameter that is not an id. */
export function fillPath(template: string, params: Readonly<Record<string, string>> = {}): string {
  return template.replace(/:(\w+)/g, (_, name: string) => encodeSegment(params[name], name));
}

/** The parameters of a query as text; those that are undefined are left out. Throws `UsageError`. */
export function formatQuery(query: Readonly<Record<string, QueryValue>> = {}): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value === 'object' && !(value instanceof Date)) {
      throw new UsageError(`${name} is not part of a query; pass options of the call as the next argument`);
    }
    texts[name] = value instanceof Date ? formatDate(value, name) : String(value);
  }
  return texts;
}

/** An empty or dotted segment would silently name another path. */
function encodeSegment(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
    throw new UsageError(`${name} must be an id`);
  }
  return encodeURIComponent(value.toWellFormed());
}

function formatDate(value: Date, name: string): string {
  if (Number.isNaN(value.getTime())) throw new UsageError(`${name} is not a valid date`);
  return value.toISOString();
}
