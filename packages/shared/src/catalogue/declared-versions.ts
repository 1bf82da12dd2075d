// Versions of tools that files of a project declare, as far as a line or an expression finds them. Notes on the rows:
// - A version that is stated binds a tool that the build finds or downloads, whatever version of it runs the build.
// - Bundler installs the version that wrote the lock file; the version of Ruby in it is not binding.
// - The first line of a manifest of SwiftPM is `// swift-tools-version:5.9`. Heroku and others read `python-3.12.4`.

import catalogue from './declared-versions.json' with { type: 'json' };

export interface VersionRow {
  readonly tool: string;
  /** One of the rules of `packages/versions/src/declaration.ts`. */
  readonly rule: string;
  /** Its name in the file. */
  readonly field?: string;
  /** Its first group is the version. Linear in the length of the text. */
  readonly pattern: string;
  readonly flags?: string;
}

/** Files with the same versions: by their names, or by a pattern with an example. */
interface VersionGroup {
  readonly files?: readonly string[];
  readonly example?: string;
  readonly pattern?: string;
  readonly versions: readonly VersionRow[];
}

/** Files whose first line is the version of a tool. */
export const versionFiles: Readonly<Record<string, string>> = catalogue.firstLines;

export const declaredVersionGroups: readonly VersionGroup[] = catalogue.groups;
