// How a snapshot writes folders whose place differs between machines, in values and paths.

/**
 * Replaces the path of the captured work tree, or of the captured folder if it is in no work tree: `<checkout>/bin`.
 */
export const checkoutMark = '<checkout>';
