// Builds the address of a call from a route's template: pure.

import { UsageError } from '../errors.ts';

/** A value of a query parameter; undefined leaves it out, a date is sent as ISO 8601. */
export type QueryValue = string | number | boolean | Date | undefined;

/** Fills the parameters into the template and adds the query. Throws `UsageError` for a parameter that is not an id. */
export function buildUrl(
  baseUrl: string,
  template: string,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, QueryValue>> = {},
): string {
  const path = template.replace(/:(\w+)/g, (_, name: string) => encodeSegment(params[name], name));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined)
      search.set(name, value instanceof Date ? formatDate(value, name) : String(value));
  }
  const text = search.toString();
  return `${baseUrl}${path}${text ? `?${text}` : ''}`;
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
