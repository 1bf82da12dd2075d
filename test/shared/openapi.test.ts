import { limits, operations, webhookEvents } from '@envsnap/shared';
import { describeApi } from '@envsnap/shared/openapi';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';

describe('the OpenAPI document', () => {
  it('is clean under the strict rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const source = JSON.stringify(describeApi('1.2.3'));
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    expect(problems.map((problem) => `${problem.ruleId}: ${problem.message}`)).toEqual([]);
  });

  it('describes every operation under its own id, with every status that it can return', () => {
    const { paths } = describeApi('1.2.3') as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((method) => method.operationId),
    );
    expect(ids.sort()).toEqual(Object.keys(operations).sort());
  });

  it('names everything in the API once, and has one schema for errors, which lists their codes', () => {
    const { components } = describeApi('1.2.3') as { components: { schemas: Record<string, Schema> } };
    const names = Object.keys(components.schemas);
    for (const name of [
      'Snapshot',
      'SnapshotSummary',
      'Webhook',
      'Member',
      'ApiKey',
      'Project',
      'File',
      'Usage',
    ])
      expect(names).toContain(name);
    expect(names).toEqual(expect.arrayContaining(['PageOfSnapshots', 'PageOfFiles', 'ApiError']));
    expect(names).not.toContain('Error');
    expect(components.schemas.ApiError?.properties?.code?.enum).toContain('snapshot_quota_exceeded');
  });

  it('describes every field, and every success in its own words', () => {
    const document = describeApi('1.2.3') as unknown as Document;
    const bare: string[] = [];
    walk(document, '', (schema, place) => {
      for (const [name, field] of Object.entries(schema.properties ?? {}))
        if (!field.description && !field.$ref) bare.push(`${place}.${name}`);
    });
    expect(bare).toEqual([]);
    const successes = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(
        ({ responses }) => (responses['200'] ?? responses['201'])?.description ?? '',
      ),
    );
    expect(new Set(successes).size).toBe(successes.length);
  });

  it('leaves responses open for the fields that later versions add', () => {
    expect(JSON.stringify(describeApi('1.2.3'))).not.toContain('"additionalProperties":false');
  });

  it('gives parameters their type, default and range', () => {
    const { paths } = describeApi('1.2.3') as unknown as Document;
    const parameters = paths['/machine/snapshots']?.get?.parameters ?? [];
    expect(parameters.find(({ name }) => name === 'limit')?.schema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 50,
    });
    expect(parameters.find(({ name }) => name === 'offset')?.schema).toMatchObject({
      type: 'integer',
      default: 0,
    });
    for (const methods of Object.values(paths))
      for (const { parameters: all = [] } of Object.values(methods))
        for (const { schema } of all)
          if (schema.type === 'integer') expect(schema).not.toHaveProperty('pattern');
    const bootstrap = paths['/machine/keys/bootstrap']?.post?.parameters ?? [];
    const idempotency = bootstrap.find(({ name }) => name === 'Idempotency-Key');
    expect(idempotency?.schema).toMatchObject({ minLength: 32, maxLength: 255 });
  });

  it('says what may be null in its type, and gives the limits of maps', () => {
    const { components } = describeApi('1.2.3') as { components: { schemas: Record<string, Schema> } };
    const { envVars, dependencies } = components.schemas.NewSnapshot?.properties ?? {};
    expect(envVars).toMatchObject({
      type: ['object', 'null'],
      maxProperties: limits.variablesPerSnapshot,
      propertyNames: { minLength: 1, maxLength: limits.variableNameLength },
      additionalProperties: { type: 'string', maxLength: limits.variableValueBytes },
    });
    expect(dependencies).toMatchObject({
      maxProperties: limits.dependencyFilesPerSnapshot,
      additionalProperties: { maxProperties: limits.packagesPerSnapshot },
    });
    for (const name of ['UpdateProjectBody', 'UpdateWebhookBody']) {
      expect(components.schemas[name]).toMatchObject({ type: 'object', minProperties: 1 });
      expect(components.schemas[name]).not.toHaveProperty('anyOf');
    }
  });

  it('carries an example of every JSON operation, which its own schemas accept', () => {
    const document = describeApi('1.2.3') as unknown as Document;
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'https://example.com/api', components: document.components });
    const check = (schema: Schema, value: unknown, what: string) => {
      const local = JSON.parse(
        JSON.stringify(schema).replaceAll('"#/', '"https://example.com/api#/'),
      ) as Schema;
      expect(ajv.validate(local, value) || ajv.errorsText(), what).toBe(true);
    };
    let checked = 0;
    for (const methods of Object.values(document.paths))
      for (const { operationId, requestBody, responses } of Object.values(methods)) {
        const answer = (responses['200'] ?? responses['201'])?.content?.['application/json'];
        const request = requestBody?.content['application/json'];
        if (answer) check(answer.schema, answer.example, `${operationId} answer`);
        if (request) check(request.schema, request.example, `${operationId} request`);
        checked += answer ? 1 : 0;
      }
    expect(checked).toBe(Object.keys(operations).length - 1);
  });

  it('announces a replayed response only for what the service keeps', () => {
    const { paths } = describeApi('1.2.3') as unknown as Document;
    const responses = Object.entries(paths['/machine/snapshots']?.post?.responses ?? {});
    const bare = responses.filter(([, { headers }]) => !Object.hasOwn(headers, 'Idempotency-Replayed'));
    expect(bare.map(([status]) => Number(status))).toEqual([401, 409, 422, 429, 500, 503]);
  });

  it('describes the deliveries of webhooks with their signature', () => {
    const { webhooks } = describeApi('1.2.3') as {
      webhooks: Record<string, { post: { parameters: { name: string }[] } }>;
    };
    expect(Object.keys(webhooks).sort()).toEqual([...webhookEvents, 'webhook.test'].sort());
    const names = webhooks['file.deleted']?.post.parameters.map(({ name }) => name);
    expect(names).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature', 'X-Webhook-Signature']);
  });
});

interface Schema {
  readonly [key: string]: unknown;
  readonly properties?: Record<string, Schema>;
  readonly description?: string;
  readonly $ref?: string;
  readonly enum?: readonly string[];
}

interface Content {
  readonly 'application/json'?: { readonly schema: Schema; readonly example?: unknown };
}

interface Document {
  readonly components: object;
  readonly paths: Record<
    string,
    Record<
      string,
      {
        readonly operationId: string;
        readonly parameters?: readonly { readonly name: string; readonly schema: Schema }[];
        readonly requestBody?: { readonly content: Content };
        readonly responses: Record<
          string,
          { readonly description: string; readonly content?: Content; readonly headers: object }
        >;
      }
    >
  >;
}

function walk(value: unknown, place: string, visit: (schema: Schema, place: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if ('properties' in value && !place.endsWith('/example')) visit(value as Schema, place);
  for (const [key, one] of Object.entries(value)) if (key !== 'example') walk(one, `${place}/${key}`, visit);
}
