// Bytes to text: byte order marks, UTF-16 with and without one, the encoding an XML declaration names.

import { isAscii, isUtf8 } from 'node:buffer';

/** A decoded text; `lossy` if some bytes were invalid in the encoding and became U+FFFD. */
interface DecodedText {
  readonly text: string;
  readonly lossy: boolean;
}

/** Encoding of UTF-16 text, from its byte order mark or from the zero bytes of ASCII characters. */
function utf16Encoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined;
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return 'utf-16be';
  return undefined;
}

/** Windows editors add a byte order mark to files that declare another encoding. The mark is right. */
function isMarkedUtf8(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function decodeAs(bytes: Uint8Array, encoding: string): DecodedText {
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), lossy: false };
  } catch {
    return { text: new TextDecoder(encoding).decode(bytes), lossy: true };
  }
}

/** Decodes a text file as UTF-8 or UTF-16, and removes byte order marks. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const utf16 = utf16Encoding(bytes);
  if (utf16) return decodeAs(bytes, utf16);
  const start = isMarkedUtf8(bytes) ? 3 : 0;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.length - start);
  // As Latin-1, ASCII needs only one byte of memory per character.
  if (isAscii(buffer)) return { text: buffer.toString('latin1'), lossy: false };
  return { text: buffer.toString('utf8'), lossy: !isUtf8(buffer) };
}

/** Decodes an XML file by its byte order mark, else by its declaration, else as UTF-8. */
export function decodeXml(bytes: Uint8Array): DecodedText {
  if (utf16Encoding(bytes) || isMarkedUtf8(bytes)) return decodeText(bytes);
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200)).toString('latin1');
  const encoding = /^\s{0,20}<\?xml[^>]{0,150}?encoding\s?=\s?["']([\w.:-]{1,40})["']/i.exec(head)?.[1];
  if (!encoding || /^utf-?8$/i.test(encoding)) return decodeText(bytes);
  try {
    return decodeAs(bytes, encoding);
  } catch {
    return decodeText(bytes);
  }
}
