// What a reader of a package database answers.

/** Packages with their versions, in the order of the database. */
export type InstalledPackages = Iterable<readonly [name: string, version: string]>;
