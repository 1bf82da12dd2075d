// Version of this package, recorded in every capture.

export const version = '0.1.0';
