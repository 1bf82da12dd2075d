// Modules that Node.js and its like have built in, where there is no import of them: browsers have none.

type WithBuiltins = { readonly process?: { getBuiltinModule?(name: string): unknown } };

/** The module, such as `node:crypto`; undefined on a platform without it. */
export function builtinModule<T>(name: string): T | undefined {
  return (globalThis as WithBuiltins).process?.getBuiltinModule?.(name) as T | undefined;
}
