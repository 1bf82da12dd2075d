// SHA-256 in JavaScript, for platforms without a hash of their own. In a file of its own, so that bundlers leave out whatever else the
// library has.

export { sha256 } from '@noble/hashes/sha2.js';
