// Warnings, which a collector reports instead of failing, so that the capture continues and says what it could not read.

/** Something that was skipped or looks wrong. Never holds a variable's value. */
export interface CaptureWarning {
  /** Stable snake_case name, e.g. `lockfile_unreadable`, `probe_timeout`, `version_mismatch`. */
  readonly code: string;
  /** One sentence for a person: what happened, and what follows from it. */
  readonly message: string;
  /** The file, relative to the captured folder with `/`, when it is about a file of that folder. */
  readonly file?: string;
  /** Why, as the end of a sentence: `it is larger than 32 MiB`. Given where the file’s content stays unknown. */
  readonly reason?: string;
  /** 1-based line in that file, when it can be determined. */
  readonly line?: number;
  /** 1-based column in that line, when it can be determined. */
  readonly column?: number;
}
