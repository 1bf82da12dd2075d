// Lengths of text in Unicode code points, as in JSON Schema: an emoji has length 1, although it has two units in UTF-16.

/** The number of code points; an unpaired surrogate counts as one. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}

/** Whether a text has at least `minimum` and at most `maximum` code points. Reads only as much of it as needed. */
export function hasLength(text: string, minimum: number, maximum: number): boolean {
  if (text.length < minimum || text.length > 2 * maximum) return false;
  if (text.length >= 2 * minimum && text.length <= maximum) return true;
  const length = countCodePoints(text);
  return length >= minimum && length <= maximum;
}
