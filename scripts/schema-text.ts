// Writes a JSON Schema as a TypeScript type with documentation: pure.

/** The part of JSON Schema that the contracts use. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  /** Name of the type that it is declared as. */
  readonly 'x-name'?: string;
  /** A text for which a `Date` is accepted too. */
  readonly 'x-date'?: boolean;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly description?: string;
  readonly default?: unknown;
  readonly format?: string;
  readonly readOnly?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}
/** The type of a schema; `named` gives the name of one that is declared elsewhere. */
export function typeText(
  schema: Schema,
  named: (schema: Schema) => string | undefined,
  indent: string,
): string {
  const name = named(schema);
  if (name) return name;
  if (schema['x-date']) return 'string | Date';
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return unique(options.map((option) => typeText(option, named, indent))).join(' | ');
  if (schema.allOf) return schema.allOf.map((part) => typeText(part, named, indent)).join(' & ');
  if (schema.properties) return objectText(schema, named, indent);
  const types = [schema.type ?? 'unknown'].flat();
  return unique(types.map((type) => ofType(type, schema, named, indent))).join(' | ');
}

function ofType(
  type: string,
  schema: Schema,
  named: (schema: Schema) => string | undefined,
  indent: string,
): string {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array': {
      const item = typeText(schema.items ?? {}, named, indent);
      const list = /[|&]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
      return schema.readOnly ? `readonly ${list}` : list;
    }
    case 'object': {
      const values = schema.additionalProperties;
      const value = typeof values === 'object' ? typeText(values, named, indent) : 'unknown';
      return `{ [name: string]: ${value} }`;
    }
    default:
      return type;
  }
}

function objectText(schema: Schema, named: (schema: Schema) => string | undefined, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const isRequired = schema.required?.includes(name) ?? false;
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const doc = documentation(property);
    const type = typeText(property, named, inner);
    return `${doc && `${inner}/** ${doc.replaceAll('*/', '* /')} */\n`}${inner}${key}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};\n`;
  });
  const isOpen = typeof schema.additionalProperties === 'object';
  return `{\n${fields.join('')}${isOpen ? `${inner}[name: string]: unknown;\n` : ''}${indent}}`;
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'A UUID.',
  'date-time': 'A moment in UTC, ISO 8601 with milliseconds.',
};

/** A field's description, and the limits that it does not mention. */
function documentation(schema: Schema): string {
  const { description, format, default: fallback } = schema;
  const options = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const find = <K extends keyof Schema>(key: K) => options.find((option) => option[key] !== undefined)?.[key];
  const [maxLength, minimum, maximum, maxItems] = [
    find('maxLength'),
    find('minimum'),
    find('maximum'),
    find('maxItems'),
  ];
  const isMentioned = (value: number) => (description ?? '').replaceAll(',', '').includes(String(value));
  const parts = [
    description?.replace(/(?<![.!?])$/, '.'),
    format && !description && formats[format],
    maxLength !== undefined &&
      !isMentioned(maxLength) &&
      `At most ${maxLength.toLocaleString('en')} characters.`,
    minimum !== undefined && minimum > 0 && !isMentioned(minimum) && `At least ${minimum}.`,
    maximum !== undefined &&
      maximum < Number.MAX_SAFE_INTEGER &&
      !isMentioned(maximum) &&
      `At most ${maximum.toLocaleString('en')}.`,
    maxItems !== undefined && !isMentioned(maxItems) && `At most ${maxItems} items.`,
    fallback !== undefined && !/default/i.test(description ?? '') && `Default: ${JSON.stringify(fallback)}.`,
  ];
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&')}'` : JSON.stringify(value);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
