// What kinds of environment variables there are, and the shape of a row of the catalogue.

/**
 * What a variable is, as far as captures and comparisons care:
 *
 * - `behaviour`: changes what programs do wherever it is set (`TZ`, `NODE_OPTIONS`, `https_proxy`).
 * - `application`: read by the application itself (`DATABASE_URL`).
 * - `tool-setting`: configures a tool or a cloud; matters to projects of its ecosystems.
 * - `configuration`: set by a CI service and the same in all of its jobs; says how the service is set up.
 * - `per-image`, `per-job`, `per-run`: set by a CI service or its image; how often the value is another one.
 * - `process`: set by the program that started this process (npm, make, a test runner).
 * - `desktop`, `session`, `terminal`, `editor`, `shell`, `version-manager`: what their names say.
 * - `identity`: names the user or the machine.
 * - `personal`: a preference of a person or of one machine.
 * - `own`: a setting of envsnap.
 */
export const variableClasses = [
  'behaviour',
  'application',
  'tool-setting',
  'configuration',
  'per-image',
  'per-job',
  'per-run',
  'process',
  'desktop',
  'session',
  'terminal',
  'editor',
  'shell',
  'version-manager',
  'identity',
  'personal',
  'own',
] as const;
export type VariableClass = (typeof variableClasses)[number];

/** Rows that share everything but the name. */
export interface VariableGroup {
  readonly class: VariableClass;
  /** Names or patterns (`*` for any characters), separated by blanks. */
  readonly names: string;
  /** Who sets or reads it: a CI service, a tool, a language. Services are named as `metadata.ci.provider` names them. */
  readonly provider: string;
  /** Where it is documented. */
  readonly source: string;
  /** Matters only to projects of one of these ecosystems; absent: to every project. */
  readonly ecosystems?: readonly string[];
  /** True for names that mean this only where the provider is: elsewhere `BRANCH` and `URL` are an application's. */
  readonly scoped?: true;
  /** True for names that an application may use as its own: a project that mentions one means that. */
  readonly shared?: true;
  /** How often a difference explains a failure, among variables of its class. Default `usual`. */
  readonly likelihood?: 'high' | 'usual' | 'low';
}

/** One variable, or one family of them. */
export interface VariableRow extends Omit<VariableGroup, 'names'> {
  readonly pattern: string;
}
