// SHA-256 in JavaScript, for platforms without one. In its own file, so that bundlers leave out the rest of the library.

export { sha256 } from '@noble/hashes/sha2.js';
