// The vocabulary of the API: identifiers, timestamps, roles, pages, and the limits of every field with their units.

import * as z from 'zod';
import { limits, seeLimits } from './catalogue/limits.ts';
import { hasLength } from './code-points.ts';

export { limits, seeLimits };

/** Schemas that the API document defines once, under a name. */
export const apiNames = z.registry<{ id: string }>();
export const named = <S extends z.ZodType>(id: string, schema: S): S => {
  apiNames.add(schema, { id });
  return schema;
};
export const object = <Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) =>
  named(id, z.object(shape));
/** Makes fields that are described at their declaration. */
export const string = (description: string) => z.string().describe(description);
export const stringOrNull = (description: string) => z.string().nullable().describe(description);
export const bool = (description: string) => z.boolean().describe(description);
export const int = (description: string) => z.number().int().describe(description);
export const natural = (description: string) => z.number().int().min(0).describe(description);
export const part = <Shape extends z.core.$ZodLooseShape>(description: string, shape: Shape) =>
  z.object(shape).describe(description);
export const list = <S extends z.ZodType>(schema: S, description: string) =>
  z.array(schema).describe(description);
export const objects = <Shape extends z.core.$ZodLooseShape>(description: string, shape: Shape) =>
  list(z.object(shape), description);
export const orNull = <S extends z.ZodType>(schema: S, description: string) =>
  schema.nullable().describe(description);

/** A UUID in any letter case. Responses always have it in lower case. */
export const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'must be a UUID')
  .toLowerCase()
  .meta({ format: 'uuid', examples: ['019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77'] });

/** A time in UTC with milliseconds, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: 'date-time', examples: ['2026-02-07T13:05:00.000Z'] });

/** Roles of a key in its project, from the most to the least powerful. docs/specification.md §1. */
export const roles = ['owner', 'admin', 'member', 'viewer'] as const;
export const role = named('Role', z.enum(roles));
export type Role = z.infer<typeof role>;

/** Roles that can be given to a key or a member; `owner` comes only with a project. */
export const assignableRole = named('AssignableRole', z.enum(['admin', 'member', 'viewer']));
export type AssignableRole = z.infer<typeof assignableRole>;

/** Text without NUL characters, which PostgreSQL cannot store, and halves of surrogate pairs, which UTF-8 cannot. */
export function text(description?: string) {
  const schema = z
    .string()
    .refine((value) => !value.includes('\0'), 'must not contain NUL characters')
    .refine((value) => !/\p{Surrogate}/u.test(value), 'must not contain unpaired surrogates');
  return description ? schema.describe(description) : schema;
}

/** Text of `minimum` to `maximum` code points. */
export function boundedText(minimum: number, maximum: number) {
  return withLength(text(), minimum, maximum);
}

/** Text of `minimum` to `maximum` code points after trimming. */
export function trimmedText(minimum: number, maximum: number) {
  return withLength(text().trim(), minimum, maximum);
}

function withLength(schema: ReturnType<typeof text>, minimum: number, maximum: number) {
  return schema
    .refine((value) => value.length > 0 || minimum === 0, { message: 'must not be empty', abort: true })
    .refine(
      (value) => value.length >= minimum && hasLength(value, minimum, Number.MAX_SAFE_INTEGER),
      `must be at least ${minimum} characters`,
    )
    .refine((value) => hasLength(value, 0, maximum), `must be at most ${maximum} characters`)
    .meta({ ...(minimum > 0 && { minLength: minimum }), maxLength: maximum });
}

/** Allows absent and null, which mean the same. docs/specification.md §2. */
export function maybe<S extends z.ZodType>(schema: S) {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
}

/** Name of a project: 1 to 200 characters after trimming. */
export const projectName = trimmedText(1, limits.nameLength);

/** Description of a project: up to 2,000 characters after trimming. */
export const projectDescription = trimmedText(0, limits.descriptionLength);

/** The name of a machine to look for. Not empty, because an empty name usually comes from an unset variable. */
export const machineNameFilter = boundedText(1, limits.machineNameLength);

/** Label of a key or member: up to 100 characters, null if there is none. */
export const label = boundedText(0, limits.labelLength).nullable();

export const idParams = z.object({ id: uuid.describe('Id of the resource.') });

/** `{success: true}`: the response of an operation that returns nothing else. */
export const success = named(
  'Success',
  z.object({ success: z.literal(true).describe('Always true: a failure is an error response.') }),
);

/**
 * A whole number in a query string, parsed strictly: `abc`, `1.5` and the empty string are refused, and so are numbers above
 * `maximum`. Default: the caller caps them.
 */
export function queryInteger(minimum: number, maximum = Number.POSITIVE_INFINITY) {
  return z
    .string()
    .regex(/^-?\d{1,100}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= minimum, `must be at least ${minimum}`)
    .refine((value) => value <= maximum, `must be at most ${maximum}`)
    .meta({ type: 'integer', minimum });
}

/** More items than any list will ever have; both databases count that far. */
const maxOffset = 999_999_999_999_999;

/** Query of a list: `limit` 1 to 100 (default 50, larger ones are capped), `offset` from 0. docs/specification.md §2. */
export const pageQuery = z.object({
  limit: queryInteger(1)
    .transform((value) => Math.min(value, limits.pageMax))
    .default(limits.pageDefault)
    .meta({
      'x-query': { type: 'integer', minimum: 1, maximum: limits.pageMax, default: limits.pageDefault },
    })
    .describe('How many entries to return. Values above 100 count as 100.'),
  offset: queryInteger(0, maxOffset)
    .default(0)
    .meta({ 'x-query': { type: 'integer', minimum: 0, maximum: maxOffset, default: 0 } })
    .describe('How many entries to skip.'),
});

/** Query of a short list: everything, unless `limit` asks for a part. */
export const partQuery = z.object({
  limit: queryInteger(1)
    .transform((value) => Math.min(value, limits.pageMax))
    .optional()
    .meta({ 'x-query': { type: 'integer', minimum: 1, maximum: limits.pageMax } })
    .describe('How many entries to return; all by default. Values above 100 count as 100.'),
  offset: pageQuery.shape.offset,
});
export type PartQuery = z.output<typeof partQuery>;

/** Query of a list that is sorted by time: as {@link pageQuery}, or from a place in the list on. */
export const cursorQuery = pageQuery.extend({
  after: z
    .string()
    .regex(
      /^(\d{1,15}\.)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
      'must be the "next" value of a page, or an id',
    )
    .toLowerCase()
    .optional()
    .describe(
      'Start after this entry: the `next` value of the previous page, or the id of an entry. Nothing is ' +
        'skipped or repeated, even if entries are added or deleted between pages.',
    ),
});

export const pageInfo = z.object({
  total: natural('Total number of entries.'),
  limit: z.number().int().min(1).max(limits.pageMax).describe('The limit that was applied.'),
  offset: natural('The offset that was applied.'),
});

export const partInfo = pageInfo.extend({
  limit: z.number().int().min(1).nullable().describe('The limit that was applied; null if there was none.'),
});

export const cursorInfo = pageInfo.extend({
  next: z.string().nullable().describe('Value of `after` for the next page; null on the last page.'),
});

/** A time in a query: ISO 8601 date or date and time with an offset (`Z` if there is none). */
export const queryMoment = z
  .string()
  .refine((value) => parseMoment(value) !== undefined, 'must be an ISO 8601 date or date and time')
  .meta({ examples: ['2026-02-01', '2026-02-01T12:00:00Z'] });

/** Whether a range of time does not run backwards. Either end may be absent. */
export function isForward({ from, to }: { from?: string | undefined; to?: string | undefined }): boolean {
  if (from === undefined || to === undefined) return true;
  return (parseMoment(from) as number) <= (parseMoment(to) as number);
}

const firstMoment = Date.parse('0001-01-01T00:00:00.000Z');
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Milliseconds since the epoch of an ISO 8601 date (`2026-02-01`, midnight UTC) or date and time; a time without an offset is
 * taken as UTC, and a space before an offset as the `+` that a query string turns into one. Undefined if it is not ISO 8601, if
 * there is no such day, or if the year in UTC is not 1 to 9999.
 */
export function parseMoment(value: string): number | undefined {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+ -]\d{2}:?\d{2})?)?$/i.exec(
      value,
    );
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00.000Z`);
  if (Number.isNaN(midnight) || new Date(midnight).getUTCDate() !== Number(day)) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const sign = zone.startsWith('-') ? -1 : 1;
  const digits = zone.replace(/\D/g, '');
  const offsetMinutes = digits ? sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2, 4))) : 0;
  if (Math.abs(offsetMinutes) > 14 * 60) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const ofDay = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + milliseconds;
  const moment = midnight + ofDay - offsetMinutes * 60_000;
  return moment >= firstMoment && moment <= lastMoment ? moment : undefined;
}
