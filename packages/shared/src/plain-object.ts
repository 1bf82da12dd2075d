// Plain objects as `JSON.parse` makes them, and maps of text among them. Without zod, so that programs which check
// nothing do not load it.

/** A map of names to text. Own keys only; may hold a key `__proto__`. */
export type StringMap = Record<string, string>;

/** Whether a value is a plain object; arrays and null are not. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
