// JSON that is already text, such as stored columns, typed by its value.

/** A piece of JSON: text, or UTF-8 that is sent as it is. */
type JsonPart = string | Uint8Array;

/** The JSON of a value. Parts of long JSON are kept apart, so that nobody has to copy them into one text. */
export class JsonText<out Value = unknown> {
  readonly parts: readonly JsonPart[];
  /** Types only: so that the JSON of one response is not taken for that of another. */
  declare readonly value?: Value;

  /** Use the functions of this file: they tie the text to its type. */
  constructor(parts: readonly JsonPart[]) {
    this.parts = parts;
  }

  get text(): string {
    return this.parts.map(textOf).join('');
  }

  /** In UTF-16 units for text, in bytes for bytes; never more than its bytes. */
  get length(): number {
    return this.parts.reduce((sum, part) => sum + part.length, 0);
  }
}

/** The JSON of any value; existing JSON stays as it is. Undefined members are left out. */
export function jsonOf<Value>(value: Value | JsonText<Value>): JsonText<Value> {
  return value instanceof JsonText ? value : new JsonText([JSON.stringify(value)]);
}

/** Text that this service stored, or another thread wrote, as the JSON of such a value: trusted, never parsed. */
export function storedJson<Value>(json: JsonPart): JsonText<Value> {
  return new JsonText([json]);
}

function textOf(part: JsonPart): string {
  if (typeof part === 'string') return part;
  return Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('utf8');
}

export function bytesOf({ parts }: JsonText): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/** From this length, in UTF-16 units or bytes, a piece is not joined with others. */
const longPart = 64 * 1024;

class Parts {
  readonly #done: JsonPart[] = [];
  #short = '';

  add(piece: JsonPart): void {
    if (piece.length < longPart) {
      this.#short += textOf(piece);
      return;
    }
    this.#done.push(this.#short, piece);
    this.#short = '';
  }

  toJson<Value>(end: string): JsonText<Value> {
    this.#done.push(this.#short + end);
    return new JsonText(this.#done);
  }
}

/** The JSON of an object whose members are values, or JSON already. */
export function jsonFromMembers<Value extends object>(
  members: {
    readonly [Name in keyof Value]: Value[Name] | JsonText<Value[Name]>;
  },
): JsonText<Value> {
  const parts = new Parts();
  let before = '{"';
  for (const name in members) {
    const member = members[name];
    if (member === undefined) continue;
    // Names are those of a schema: nothing in them needs to be escaped.
    parts.add(`${before}${name}":`);
    before = ',"';
    if (member instanceof JsonText) for (const part of member.parts) parts.add(part);
    else parts.add(JSON.stringify(member));
  }
  return parts.toJson(before === '{"' ? '{}' : '}');
}

/** The JSON of a list of values that are JSON already. */
export function jsonFromItems<Item>(items: readonly JsonText<Item>[]): JsonText<Item[]> {
  const parts = new Parts();
  let before = '[';
  for (const item of items) {
    parts.add(before);
    before = ',';
    for (const part of item.parts) parts.add(part);
  }
  return parts.toJson(before === '[' ? '[]' : ']');
}

/** The response to an earlier request with the same Idempotency-Key, which may be an error. */
export class ReplayedAnswer {
  readonly status: number;
  readonly json: JsonText;

  constructor(status: number, json: JsonText) {
    this.status = status;
    this.json = json;
  }
}
