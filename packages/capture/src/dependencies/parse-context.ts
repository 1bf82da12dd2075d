// What a parser of a dependency file gets besides the text.

export interface ParseContext {
  /** The file, relative to the captured folder with `/`. */
  readonly path: string;
  /** Reports one entry that is left out while the rest of the file counts. */
  warn(message: string, line?: number): void;
  /**
   * What `read` makes of another file of the captured folder, by a path relative to this file's folder; undefined when there is
   * none, or when it lies outside the captured folder. It is made once for all files that include that one.
   */
  include<T>(relativePath: string, read: (text: string, realPath: string) => T): Promise<T | undefined>;
}
