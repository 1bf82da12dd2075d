// How a snapshot writes folders whose place differs between machines, in values and paths.

/** Stands for the work tree that was captured, or for the captured folder where it lies in none: `<checkout>/bin`. */
export const checkoutMark = '<checkout>';
