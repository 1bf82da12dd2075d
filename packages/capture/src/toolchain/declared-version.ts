// The shape of a version that a folder declares, and what each kind of declaration means.

/**
 * How a declaration is to be read:
 * - `prefix`: `3.12` means any 3.12.x, as version managers do;
 * - `minimum`: this or a later one, as `go.mod` does;
 * - `npm-range`: a range of npm's (`engines`);
 * - `python-range`: PEP 440 (`requires-python`);
 * - `sdk`: .NET's feature bands, rolled forward as `global.json` says.
 */
export type DeclarationRule = 'prefix' | 'minimum' | 'npm-range' | 'python-range' | 'sdk';

export interface DeclaredVersion {
  /** Name as in `runtimeVersions`. */
  readonly tool: string;
  /** File, and the field where a file has several, e.g. `package.json engines`. */
  readonly source: string;
  /** As written, without a checksum. */
  readonly declared: string;
  readonly rule: DeclarationRule;
  /** Other acceptable versions, in a file that lists several. */
  readonly alternatives?: readonly string[];
  /** .NET's `rollForward`. */
  readonly rollForward?: string;
}
