import { operations } from '@envsnap/shared';
import { describeApi } from '@envsnap/shared/openapi';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';

describe('the OpenAPI document', () => {
  it('is clean under the recommended rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const source = JSON.stringify(describeApi('1.2.3'));
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    expect(problems.map((problem) => `${problem.ruleId}: ${problem.message}`)).toEqual([]);
  });

  it('describes every operation under its own id, with every status that it can answer', () => {
    const { paths } = describeApi('1.2.3') as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((method) => method.operationId),
    );
    expect(ids.sort()).toEqual(Object.keys(operations).sort());
  });

  it('holds no operation whose schema fell away', () => {
    const { paths } = describeApi('1.2.3') as unknown as {
      paths: Record<
        string,
        Record<string, { requestBody?: { content: Record<string, { schema: object }> } }>
      >;
    };
    for (const methods of Object.values(paths)) {
      for (const { requestBody } of Object.values(methods)) {
        for (const { schema } of Object.values(requestBody?.content ?? {})) {
          expect(Object.keys((schema as { properties: object }).properties).length).toBeGreaterThan(0);
        }
      }
    }
  });
});
