import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject, startService, type TestService } from '../../support/service.ts';
import { readTestData } from '../../support/test-data.ts';
import { download, formOf, storedKeys, upload, uploadRaw, usageOf } from './support.ts';

interface RefusedForm {
  readonly what: string;
  /** The disposition of the form's part. */
  readonly form?: string;
  /** The whole body. */
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly status: number;
  readonly text: string;
}

const { cases, refusedForms } = readTestData<{ cases: [string, string][]; refusedForms: RefusedForm[] }>(
  import.meta,
);

function blobFile(service: TestService, id: string): string {
  return path.join(service.config.dataDir, 'files', id);
}

describeEachDatabase((openDatabase) => {
  it('a file has the type that its part names, and is text without one', async () => {
    const { service, key } = await startProject(openDatabase);
    const typeOf = async (header: string) => {
      const form = `--XX\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n${header}\r\nx\r\n--XX--\r\n`;
      const headers = { 'content-type': 'multipart/form-data; boundary=XX' };
      const made = await service.request('POST', '/machine/files', { key, body: form, headers });
      expect([header, made.status]).toEqual([header, 201]);
      return (await download(service, key, made.body.id)).headers.get('content-type');
    };
    expect(await typeOf('')).toBe('text/plain');
    expect(await typeOf('Content-Type: text/plain; charset=utf-8\r\n')).toBe('text/plain');
    expect(await typeOf('content-type: image/PNG; a=b\r\n')).toBe('image/png');
    for (const type of ['nonsense', '<b>'])
      expect(await typeOf(`Content-Type: ${type}\r\n`)).toBe('text/plain');
  });

  it('forms that hold no file are refused with what is wrong', async () => {
    const { service, key, projectId } = await startProject(openDatabase);
    for (const { what, form, body = form && formOf(form), headers, status, text } of refusedForms) {
      const answer =
        body === undefined
          ? await service.send(key, 'POST', '/machine/files')
          : await uploadRaw(service, key, body, headers);
      expect({ what, status: answer.status, error: answer.body.error }).toEqual({
        what,
        status,
        error: expect.stringMatching(new RegExp(text)),
      });
    }
    expect(await usageOf(service, projectId)).toEqual({ files: 0, bytes: 0, unneeded: 0 });
    expect(await storedKeys(service)).toEqual([]);
  });

  it('names in every spelling of RFC 7578 and RFC 5987 arrive, and come back without injecting a header', async () => {
    const { service, key } = await startProject(openDatabase);
    for (const [disposition, filename] of cases) {
      const created = await uploadRaw(service, key, formOf(disposition));
      expect([created.status, created.body.filename]).toEqual([201, filename]);
      const answer = await download(service, key, created.body.id);
      expect(answer.bytes.toString()).toBe('hello');
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=[\x20-\x7e]+$/);
    }
    const refused = [
      "utf-8''a%0D%0ASet-Cookie:%20x=y",
      "utf-8''nul%00",
      "utf-8''%1B%5B31m",
      "UTF-16LE''a%00%00%d8",
    ];
    for (const encoded of refused) {
      const disposition = `form-data; name="file"; filename*=${encoded}`;
      const answer = await uploadRaw(service, key, formOf(disposition));
      expect([answer.status, answer.body.details[0].path]).toEqual([400, 'file']);
    }
  });

  it('other fields are ignored, up to a megabyte of them', async () => {
    const { service, key } = await startProject(openDatabase);
    const field = (bytes: number) =>
      `--XX\r\nContent-Disposition: form-data; name="note"; filename="n"\r\n\r\n${'n'.repeat(bytes)}\r\n`;
    const file = formOf('form-data; name="file"; filename="a"');
    const small = await uploadRaw(service, key, Buffer.concat([Buffer.from(field(1000)), file]));
    expect(small.status).toBe(201);
    const large = await uploadRaw(service, key, Buffer.concat([Buffer.from(field(3 * 1024 * 1024)), file]));
    expect([large.status, large.body.code]).toEqual([413, 'body_too_large']);
  });

  it('a caller that already has the file gets 304, and HEAD gets only the headers', async () => {
    const { service, key } = await startProject(openDatabase);
    const { body } = await upload(service, { key });
    const etag = `"${body.checksum}"`;
    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await download(service, key, body.id, { headers: { 'if-none-match': condition } });
      expect([answer.status, answer.headers.get('etag'), answer.bytes.length]).toEqual([304, etag, 0]);
    }
    const changed = await download(service, key, body.id, { headers: { 'if-none-match': '"other"' } });
    expect([changed.status, changed.bytes.toString()]).toEqual([200, 'hello']);
    const head = await download(service, key, body.id, { method: 'HEAD' });
    expect([
      head.status,
      head.headers.get('content-length'),
      head.headers.get('etag'),
      head.bytes.length,
    ]).toEqual([200, '5', etag, 0]);
  });

  it('files of another project do not exist', async () => {
    const service = await startService(openDatabase);
    const one = await service.bootstrap();
    const two = await service.bootstrap();
    const { body } = await upload(service, { key: one.apiKey });
    expect((await download(service, two.apiKey, body.id)).status).toBe(404);
    const removal = await service.send(two.apiKey, 'DELETE', `/machine/files/${body.id}`);
    expect(removal.status).toBe(404);
    expect((await service.send(two.apiKey, 'GET', '/machine/files')).body.files).toEqual([]);
    const malformed = await service.send(one.apiKey, 'GET', '/machine/files/..%2f..%2fmaster.key');
    expect(malformed.status).toBe(400);
  });

  it('the list is cut into pages, newest first', async () => {
    const { service, key } = await startProject(openDatabase);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await upload(service, { key, name: `${n}` })).body.id);
    const page = await service.send(key, 'GET', '/machine/files?limit=2&offset=1');
    expect(page.body).toMatchObject({ total: 5, limit: 2, offset: 1 });
    expect(page.body.files.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1, 3));
  });

  it('uploads and deletions are announced to webhooks', async () => {
    const { service, key } = await startProject(openDatabase);
    const webhook = await service.send(key, 'POST', '/machine/webhooks', {
      url: 'http://192.0.2.1/hook',
      events: ['file.uploaded', 'file.deleted'],
    });
    expect(webhook.status).toBe(201);
    const { body } = await upload(service, { key, name: 'announced.txt' });
    await service.send(key, 'DELETE', `/machine/files/${body.id}`);
    const { builder } = service.database.dialect;
    const events = await service.database.all<{ payload: string }>(
      builder('outbox_events').select('payload').orderBy('id'),
    );
    expect(
      events.map(({ payload }) => JSON.parse(payload)).map(({ event, data }) => ({ event, data })),
    ).toEqual([
      { event: 'file.uploaded', data: { fileId: body.id, filename: 'announced.txt' } },
      { event: 'file.deleted', data: { fileId: body.id, filename: 'announced.txt' } },
    ]);
  });

  it('bytes that were tampered with are never served as the file', async () => {
    const { service, key } = await startProject(openDatabase);
    const content = randomBytes(300_000);
    const { body } = await upload(service, { key, content });
    const other = await upload(service, { key, content: randomBytes(300_000) });
    const file = blobFile(service, body.id);
    const genuine = readFileSync(file);
    const changedAt = (offset: number) => {
      const copy = Buffer.from(genuine);
      copy[offset] = (copy[offset] as number) ^ 1;
      return copy;
    };
    const atOnce = [
      changedAt(0),
      changedAt(20),
      changedAt(33),
      genuine.subarray(0, 40),
      Buffer.alloc(0),
      readFileSync(blobFile(service, other.body.id)),
    ];
    for (const damaged of atOnce) {
      writeFileSync(file, damaged);
      const answer = await service.send(key, 'GET', `/machine/files/${body.id}`);
      expect([answer.status, answer.body.code]).toEqual([500, 'internal_error']);
      expect(answer.headers.get('content-disposition')).toBeNull();
    }
    for (const damaged of [changedAt(genuine.length - 1), changedAt(200_000), genuine.subarray(0, 200_000)]) {
      writeFileSync(file, damaged);
      await expect(download(service, key, body.id)).rejects.toThrow();
    }
    writeFileSync(file, genuine);
    expect((await download(service, key, body.id)).bytes.equals(content)).toBe(true);
    expect(service.log()).toContain('cannot be decrypted');
  });
});
