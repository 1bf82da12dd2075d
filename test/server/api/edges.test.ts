// Edges that programs meet: integers that JavaScript cannot hold, and If-Match.

import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject } from '../../support/service.ts';

describeEachDatabase((openDatabase) => {
  it('an integer that would come back as another is refused with its path', async () => {
    const { service, key } = await startProject(openDatabase);
    const store = (metadata: string) =>
      service.send(key, 'POST', '/machine/snapshots', `{"machineName":"m","metadata":${metadata}}`);
    const refused = await store('{"build":{"ids":[1,9007199254740993]},"text":"9007199254740993"}');
    expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed']);
    expect(refused.body.details).toEqual([expect.objectContaining({ path: 'metadata.build.ids.1' })]);
    // A text, a fraction, and what JavaScript writes for the limits of Linux stay as they are.
    const kept = '{"text":"9007199254740993","rate":0.1234567890123456789,"max":9223372036854776000}';
    expect((await store(kept)).status).toBe(201);
  });

  describe('If-Match', () => {
    it('that does not match is 412 and changes nothing', async () => {
      const { service, key } = await startProject(openDatabase);
      const { id } = (await service.send(key, 'POST', '/machine/snapshots', { machineName: 'm' })).body;
      const call = async (method: string, path: string, match: string, body?: object) => {
        const headers = { 'if-match': match, ...(body && { 'content-type': 'application/json' }) };
        const sent = body && JSON.stringify(body);
        const answer = await service.request(method, path, { key, headers, ...(sent && { body: sent }) });
        return [answer.status, answer.body?.code];
      };
      const path = `/machine/snapshots/${id}`;
      const failed = [412, 'precondition_failed'];
      expect(await call('GET', path, '"other"')).toEqual(failed);
      expect(await call('DELETE', path, `W/"${id}"`)).toEqual(failed);
      expect(await call('POST', '/machine/keys', '"other"', { label: 'x' })).toEqual(failed);
      expect((await call('GET', path, '*'))[0]).toBe(200);
      expect((await call('DELETE', path, `"other", "${id}"`))[0]).toBe(200);
    });
  });
});
