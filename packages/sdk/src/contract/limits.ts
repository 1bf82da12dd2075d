// The limits that the SDK checks before it sends anything.
// Made by scripts/write-sdk-contract.ts from the table of operations; not to be edited.

/** Most characters of a file's name. */
export const fileNameLength = 255;
/** Most items of a page. */
export const pageMax = 100;
