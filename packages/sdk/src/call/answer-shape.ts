// Checks that an answer has the shape that the contract gives it, without zod: kinds of values, not their ranges. Unknown
// fields pass, and so do simple values that are missing: another version of the server may not know them.

/** Text, number, boolean, anything: by a letter, since every program carries the shapes of all answers. */
type Kind = 's' | 'n' | 'b' | 'a';
const kinds: Readonly<Record<string, string>> = { s: 'string', n: 'number', b: 'boolean' };

/**
 * The shape of a value: a kind (`?` behind it: or null), `[shape]` a list, `{'*': shape}` a map, `['?', shape]` something or
 * null, and an object by its fields (`?` behind a name: may be missing).
 */
export type Shape =
  | Kind
  | `${Kind}?`
  | readonly [Shape]
  | readonly ['?', Shape]
  | { readonly [field: string]: Shape };

/** What is wrong with a value, e.g. `snapshots is an object instead of a list`; undefined when nothing. */
export function describeMismatch(shape: Shape, value: unknown, place = ''): string | undefined {
  if (typeof shape === 'string') return describeSimple(shape, value, place);
  if (isNullable(shape)) return value === null ? undefined : describeMismatch(shape[1], value, place);
  if (isList(shape)) {
    if (!Array.isArray(value)) return mismatch(place, value, 'a list');
    for (let index = 0; index < value.length; index += 1) {
      const problem = describeMismatch(shape[0], value[index], `${place}[${index}]`);
      if (problem) return problem;
    }
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return mismatch(place, value, 'an object');
  }
  return describeObject(shape as Readonly<Record<string, Shape>>, value, place);
}

function describeObject(
  shape: Readonly<Record<string, Shape>>,
  value: object,
  place: string,
): string | undefined {
  const prefix = place && `${place}.`;
  const values = shape['*'];
  if (values !== undefined) {
    if (values === 'a') return undefined;
    for (const [name, entry] of Object.entries(value)) {
      const problem = describeMismatch(values, entry, `${prefix}${name.slice(0, 100)}`);
      if (problem) return problem;
    }
    return undefined;
  }
  let known = 0;
  for (const [field, inner] of Object.entries(shape)) {
    const isOptional = field.endsWith('?');
    const name = isOptional ? field.slice(0, -1) : field;
    const entry: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
    if (entry === undefined) {
      if (!isOptional && typeof inner !== 'string') return `${prefix}${name} is missing`;
      continue;
    }
    known += 1;
    const problem = describeMismatch(inner, entry, `${prefix}${name}`);
    if (problem) return problem;
  }
  return known === 0 ? `${place || 'it'} has none of the fields that belong there` : undefined;
}

function describeSimple(shape: string, value: unknown, place: string): string | undefined {
  const orNull = shape.endsWith('?');
  const kind = kinds[shape.charAt(0)];
  if (kind === undefined || (orNull && value === null)) return undefined;
  return typeof value === kind ? undefined : mismatch(place, value, `a ${kind}`);
}

function mismatch(place: string, value: unknown, expected: string): string {
  return `${place || 'it'} is ${nameKind(value)} instead of ${expected}`;
}

function nameKind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function isNullable(shape: Shape): shape is readonly ['?', Shape] {
  return Array.isArray(shape) && shape.length === 2;
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape) && shape.length === 1;
}
