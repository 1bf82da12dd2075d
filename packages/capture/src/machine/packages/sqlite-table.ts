// Reads the rows of one table from an SQLite file, without SQLite: just enough for databases to which nothing writes at the same time.
// https://www.sqlite.org/fileformat2.html

type ReadRange = (offset: number, length: number) => Promise<Uint8Array>;

const maxPages = 200_000;

type Pages = { readonly usableSize: number; page(number: number): Promise<Buffer> };

/**
 * The first `prefixBytes` of each row's record, in the order of the row ids. Throws if the file is not such a database or does
 * not have the table.
 */
export async function* readRows(read: ReadRange, table: string, prefixBytes: number): AsyncGenerator<Buffer> {
  const header = Buffer.from(await read(0, 100));
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') throw new Error('not an SQLite file');
  const stated = header.readUInt16BE(16);
  const pageSize = stated === 1 ? 65_536 : stated;
  let pagesRead = 0;
  const pages = {
    /** Bytes of a page that hold content. */
    usableSize: pageSize - header.readUInt8(20),
    async page(number: number): Promise<Buffer> {
      pagesRead += 1;
      if (pagesRead > maxPages) throw new Error('too many pages');
      return Buffer.from(await read((number - 1) * pageSize, pageSize));
    },
  };
  for await (const row of treeRows(pages, 1, 4096)) {
    const [type, name, , root] = columnsOf(row);
    if (type === 'table' && name === table && typeof root === 'number') {
      yield* treeRows(pages, root, prefixBytes);
      return;
    }
  }
  throw new Error(`no table ${table}`);
}

/** Rows of a table's tree, the leftmost leaf first. */
async function* treeRows(
  pages: Pages,
  number: number,
  prefixBytes: number,
  depth = 0,
): AsyncGenerator<Buffer> {
  if (depth > 20) throw new Error('the tree is too deep');
  const page = await pages.page(number);
  const start = number === 1 ? 100 : 0;
  const kind = page.readUInt8(start);
  const cells = page.readUInt16BE(start + 3);
  const isInterior = kind === 0x05;
  if (!isInterior && kind !== 0x0d) throw new Error('not a page of a table');
  for (let cell = 0; cell < cells; cell += 1) {
    const at = page.readUInt16BE(start + (isInterior ? 12 : 8) + 2 * cell);
    if (isInterior) yield* treeRows(pages, page.readUInt32BE(at), prefixBytes, depth + 1);
    else yield await rowAt(pages, page, at, prefixBytes);
  }
  if (isInterior) yield* treeRows(pages, page.readUInt32BE(start + 8), prefixBytes, depth + 1);
}

/** A cell of a leaf: length, row id, and the record, the rest of which may be on further pages. */
async function rowAt(pages: Pages, page: Buffer, at: number, prefixBytes: number): Promise<Buffer> {
  const [length, afterLength] = varint(page, at);
  const [, start] = varint(page, afterLength);
  const usable = pages.usableSize;
  const most = usable - 35;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (usable - 4));
  const local = length <= most ? length : fitting <= most ? fitting : least;
  const parts = [page.subarray(start, start + local)];
  let next = local < length ? page.readUInt32BE(start + local) : 0;
  for (let have = local; next !== 0 && have < Math.min(length, prefixBytes); ) {
    const overflow = await pages.page(next);
    const part = overflow.subarray(4, 4 + Math.min(usable - 4, length - have));
    parts.push(part);
    have += part.length;
    next = overflow.readUInt32BE(0);
  }
  return Buffer.concat(parts).subarray(0, prefixBytes);
}

/** The columns of a record: whole numbers, texts and blobs; others are null, and text beyond the prefix is cut off. */
export function columnsOf(record: Buffer): (number | string | Buffer | null)[] {
  const [headerLength, first] = varint(record, 0);
  const columns: (number | string | Buffer | null)[] = [];
  let body = headerLength;
  for (let at = first; at < headerLength; ) {
    const [type, next] = varint(record, at);
    at = next;
    const length = type >= 12 ? Math.floor((type - 12) / 2) : ([0, 1, 2, 3, 4, 6, 8, 8][type] ?? 0);
    const bytes = record.subarray(body, body + length);
    body += length;
    if (type >= 12) columns.push(type % 2 === 0 ? bytes : bytes.toString('utf8'));
    else if (type === 8 || type === 9) columns.push(type - 8);
    else columns.push(type >= 1 && type <= 5 ? bytes.readIntBE(0, length) : null);
  }
  return columns;
}

/** Big-endian, seven bits a byte, at most nine bytes; lengths here never need more than 53 bits. */
function varint(bytes: Buffer, start: number): [value: number, end: number] {
  let value = 0;
  for (let at = start; at < start + 8; at += 1) {
    const byte = bytes.readUInt8(at);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + 1];
  }
  return [value * 256 + bytes.readUInt8(start + 8), start + 9];
}
