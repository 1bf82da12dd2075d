// The text of an API key: its shape and its checksum. Pure and without zod, so that a client can check a key offline.
// docs/specification.md §1.

/** Shape of a key's text: `mk_`, 56 random hex digits, and the CRC-32 of those as 8 hex digits. */
export const apiKeyPattern = /^mk_[0-9a-f]{64}$/;

const digitsAt = 3;
const checksumAt = digitsAt + 56;

/** Checksum table by byte, because the server checks a key at every request. */
const crcOfByte = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0);
  return crc;
});

/**
 * CRC-32 (as in zip and zlib) of a key's 56 random hex digits, taken as ASCII text, as 8 lower-case hex digits.
 * docs/specification.md §1.
 */
export function apiKeyChecksum(randomDigits: string): string {
  let crc = 0xffff_ffff;
  for (let index = 0; index < randomDigits.length; index += 1) {
    const byte = (crc ^ randomDigits.charCodeAt(index)) & 0xff;
    crc = (crc >>> 8) ^ (crcOfByte[byte] as number);
  }
  return ((crc ^ 0xffff_ffff) >>> 0).toString(16).padStart(8, '0');
}

/** Whether a text has the shape and the checksum of a key. False for every mistyped or truncated key. */
export function isWellFormedApiKey(text: string): boolean {
  return (
    apiKeyPattern.test(text) && apiKeyChecksum(text.slice(digitsAt, checksumAt)) === text.slice(checksumAt)
  );
}
