import { errorCodes, type Operation, operationGroups, operations, roles } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';

const table = Object.entries<Operation>(operations);
const parametersOf = (path: string) => [...path.matchAll(/:(\w+)/g)].map((match) => match[1]);
/** The JSON schema of the transmitted data; fails for types that a document cannot show. */
const jsonSchema = (schema: NonNullable<Operation['body']>, io: 'input' | 'output') =>
  schema.toJSONSchema({ io, unrepresentable: 'any' });

describe('the table of operations', () => {
  it('names each operation as its key does', () => {
    for (const [key, operation] of table) expect(operation.name).toBe(key);
  });

  it('has each method and path once, even when all parameters are treated alike', () => {
    const routes = table.map(([, { method, path }]) => `${method} ${path.replace(/:\w+/g, ':')}`);
    expect(new Set(routes).size).toBe(routes.length);
  });

  it('lists a fixed path before one of the same method that would catch it', () => {
    for (const [index, [name, later]] of table.entries())
      for (const [earlierName, earlier] of table.slice(0, index)) {
        if (earlier.method !== later.method || !earlier.path.includes(':')) continue;
        const pattern = new RegExp(`^${earlier.path.replace(/:\w+/g, '[^/]+')}$`);
        expect(pattern.test(later.path), `${earlierName} hides ${name}`).toBe(false);
      }
  });
});

describe.each(table)('%s', (_, operation) => {
  const parameters = parametersOf(operation.path);

  it('has a summary that fits a heading', () => {
    expect(operation.summary).toMatch(/^[A-Z].{5,79}[^.]$/);
    expect(Object.keys(operationGroups)).toContain(operation.group);
    expect(operation.path).toMatch(/^(\/(:?[a-zA-Z-]+))+$/);
  });

  it('declares exactly the parameters of its path, each a UUID', () => {
    const declared = operation.params ? jsonSchema(operation.params, 'input') : { properties: {} };
    expect(Object.keys(declared.properties ?? {}).sort()).toEqual([...parameters].sort());
    for (const property of Object.values(declared.properties ?? {}))
      expect(property).toMatchObject({ type: 'string', format: 'uuid' });
  });

  it('says who may call it', () => {
    if (typeof operation.access === 'string') expect(['public', 'any']).toContain(operation.access);
    else {
      expect(operation.access.length).toBeGreaterThan(0);
      expect(operation.access).toEqual(roles.filter((role) => operation.access.includes(role)));
      expect(operation.access).toContain('owner');
    }
    if (operation.projectParam) {
      expect(parameters).toContain(operation.projectParam);
      expect(operation.errors).toEqual(expect.arrayContaining(['not_a_member', 'project_not_found']));
    }
  });

  it('takes a body only where the method has one', () => {
    if (operation.method === 'GET' || operation.method === 'DELETE') {
      expect(operation).not.toHaveProperty('body');
      expect(operation).not.toHaveProperty('upload');
      expect(operation).not.toHaveProperty('idempotency');
    }
    if (operation.method === 'PATCH') expect(operation.body).toBeDefined();
    if (operation.query) expect(operation.method).toBe('GET');
  });

  it('takes null for text that a body may leave out', () => {
    const { properties = {}, required = [] } = operation.body ? jsonSchema(operation.body, 'input') : {};
    const refusing = Object.entries(properties).filter(
      ([name, schema]) => !required.includes(name) && (schema as { type?: string }).type === 'string',
    );
    // A role or a format is chosen, or left out.
    expect(refusing.filter(([name]) => !['role', 'format'].includes(name))).toEqual([]);
  });

  it('returns 201 exactly if it creates, and is then safe to repeat with a key', () => {
    // A rotation replaces the existing key, and must not happen twice.
    const replaces = operation.name === 'rotateFingerprintKey';
    expect(operation.status === 201 || replaces).toBe(operation.idempotency !== undefined);
    if (operation.status === 201) expect(operation.method).toBe('POST');
    if (operation.safe) expect(operation.idempotency).toBeUndefined();
  });

  it('keeps a response that contains a secret briefly and encrypted', () => {
    if (operation.response === 'binary') return;
    const fields = Object.keys(jsonSchema(operation.response, 'output').properties ?? {});
    // A share's address opens its page, a link's address the console.
    const holdsSecret =
      operation.name === 'createShare' ||
      operation.name === 'createConsoleLink' ||
      ['apiKey', 'secret', 'key'].some((name) => fields.includes(name));
    if (operation.method !== 'GET') expect(holdsSecret).toBe(operation.idempotency === 'secret');
  });

  it('names codes of the table, each once', () => {
    expect(new Set(operation.errors).size).toBe(operation.errors.length);
    for (const code of operation.errors) expect(errorCodes).toHaveProperty(code);
    if (parameters.includes('id') && operation.group !== 'keys')
      expect(operation.errors.some((code) => code.endsWith('_not_found'))).toBe(true);
  });

  it('can be shown in a document', () => {
    const shown = [
      operation.params && jsonSchema(operation.params, 'input'),
      operation.query && jsonSchema(operation.query, 'input'),
      operation.body && jsonSchema(operation.body, 'input'),
      operation.response === 'binary' ? undefined : jsonSchema(operation.response, 'output'),
    ];
    for (const schema of shown) if (schema) expect(schema.type).toBe('object');
  });
});

describe('error codes', () => {
  it('are stable words with a meaning that is a sentence, and may be tried again only where time can help', () => {
    for (const [code, { status, retryable, meaning }] of Object.entries(errorCodes)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(meaning).toMatch(/^[A-Z].*\.$/);
      expect(status).toBeGreaterThanOrEqual(400);
      // Damage to a file is permanent, so trying again does not help.
      if (code === 'database_damaged') expect(retryable).toBe(false);
      else if (status >= 500 || status === 429 || status === 408) expect(retryable, code).toBe(true);
      else expect(retryable, code).toBe(code === 'idempotency_key_in_use');
    }
  });
});
