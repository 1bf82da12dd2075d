// Warnings, which a collector reports instead of failing, so that the capture continues.

/** Something that was skipped or looks wrong. Never holds a variable's value. */
export interface CaptureWarning {
  /** Stable snake_case name, e.g. `lockfile_unreadable`, `probe_timeout`, `version_mismatch`. */
  readonly code: string;
  /** One sentence for a person: what happened, and what follows from it. */
  readonly message: string;
  /** The file, relative to the captured folder with `/`, if the warning is about one of its files. */
  readonly file?: string;
  /** Why, as the end of a sentence: `it is larger than 32 MiB`. Present if the file's content is unknown. */
  readonly reason?: string;
  /** 1-based line in that file, if known. */
  readonly line?: number;
  /** 1-based column in that line, if known. */
  readonly column?: number;
}
