// Says whether a form's file came with a Content-Type that cannot be read, which the form's parser takes for none: a part
// without one is text (RFC 7578 §4.4), a part with an unreadable one is anything.

/** Most bytes of a part's headers, as the parser has it. */
const maxHeaderBytes = 16 * 1024;

/** Looks over the parser's shoulder until the file begins. */
export function watchPartHeaders() {
  let seen = '';
  return {
    /** Takes what the parser gets next; call it before the parser does. */
    take(chunk: Buffer): void {
      // What came before may end in the part's headers; a whole chunk is behind that.
      seen = seen.slice(-maxHeaderBytes) + chunk.toString('latin1');
    },
    /** The content type of the file part that has just begun, as its header says; undefined without that header. */
    contentTypeOf(fieldName: string): string | undefined {
      const disposition = new RegExp(
        `\r\ncontent-disposition: *form-data;[^\r\n]*\\bname="?${fieldName}\\b`,
        'gi',
      );
      const at = [...seen.matchAll(disposition)].at(-1)?.index;
      if (at === undefined) return undefined;
      const start = seen.lastIndexOf('\r\n--', at) + 4;
      const end = seen.indexOf('\r\n\r\n', at);
      const headers = seen.slice(start, end < 0 ? undefined : end);
      return /\r\ncontent-type:([^\r\n]*)/i.exec(headers)?.[1]?.trim();
    },
  };
}
