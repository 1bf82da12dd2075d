import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { describeEachDatabase } from '../../support/databases.ts';
import { useS3 } from '../../support/s3.ts';
import { startService, untilServed } from '../../support/service.ts';
import { abortedUpload, download, storedKeys, upload, uploadRaw, usageOf } from './support.ts';

const MiB = 1024 * 1024;

/** Waits for something that happens soon, even on a busy machine. */
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000 });

describeEachDatabase((openDatabase) => {
  // The database and the file store are independent: each is tested once.
  const kind = openDatabase.databaseName === 'sqlite' ? 'disk' : 's3';
  describe(`with files on ${kind}`, () => {
    const s3Settings = useS3();
    const start = (env: Record<string, string> = {}) =>
      startService(openDatabase, { ...(kind === 's3' ? s3Settings() : {}), ...env });

    it('a file comes back byte for byte, with its type, name and checksum', {
      tags: 'both-databases',
    }, async () => {
      const service = await start();
      const { apiKey: key, projectId } = await service.bootstrap();
      // More than a part of an upload to a bucket, which has 5 MiB.
      const content = randomBytes(6 * MiB + 17);
      const checksum = createHash('sha256').update(content).digest('hex');
      const created = await upload(service, { key, content, name: 'Größe "1".bin', type: 'image/png' });
      expect(created.status).toBe(201);
      expect(created.body).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        filename: 'Größe "1".bin',
        size: content.length,
        sizeBytes: content.length,
        checksum,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      const { id } = created.body;
      const answer = await download(service, key, id);
      expect(answer.status).toBe(200);
      expect(answer.bytes.equals(content)).toBe(true);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/png',
        'content-length': String(content.length),
        'content-disposition': `attachment; filename="Gr??e \\"1\\".bin"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.bin`,
        etag: `"${checksum}"`,
        'x-content-type-options': 'nosniff',
      });
      const list = await service.send(key, 'GET', '/machine/files');
      expect(list.body).toEqual({
        files: [
          {
            id,
            filename: 'Größe "1".bin',
            contentType: 'image/png',
            sizeBytes: content.length,
            size: content.length,
            checksum,
            createdAt: created.body.createdAt,
          },
        ],
        total: 1,
        limit: 50,
        next: null,
        offset: 0,
      });
      expect(await usageOf(service, projectId)).toEqual({ files: 1, bytes: content.length, unneeded: 0 });
      const metrics = await (await fetch(`${service.url}/metrics`)).text();
      expect(metrics).toContain(`envsnap_project_stored_bytes{project="${projectId}"} ${content.length}\n`);
      for (const operation of kind === 's3' ? ['UploadPart', 'CompleteMultipartUpload', 'GetObject'] : [])
        expect(metrics).toMatch(
          new RegExp(
            `^envsnap_file_store_duration_seconds_count\\{operation="${operation}",result="ok"\\} [1-9]`,
            'm',
          ),
        );
    });

    it('an empty file is a file', async () => {
      const service = await start();
      const { apiKey: key } = await service.bootstrap();
      const { body } = await upload(service, { key, content: '' });
      expect(body.size).toBe(0);
      const answer = await download(service, key, body.id);
      expect([answer.status, answer.bytes.length, answer.headers.get('content-length')]).toEqual([
        200,
        0,
        '0',
      ]);
    });

    it('the store holds no plain text', async () => {
      const service = await start();
      const { apiKey: key } = await service.bootstrap();
      const { body } = await upload(service, { key, content: 'canary-in-the-file' });
      const { openFileStore } = await import('../../../packages/server/src/files/open-file-store.ts');
      const store = await openFileStore(service.config);
      const chunks: Uint8Array[] = [];
      for await (const chunk of await store.open(body.id)) chunks.push(chunk);
      expect(Buffer.concat(chunks).length).toBeGreaterThan(18);
      expect(Buffer.concat(chunks).includes('canary')).toBe(false);
    });

    it('a deleted file is gone from the list, the quota and the store', async () => {
      const service = await start();
      const { apiKey: key, projectId } = await service.bootstrap();
      const { body } = await upload(service, { key });
      const answer = await service.send(key, 'DELETE', `/machine/files/${body.id}`);
      expect([answer.status, answer.body]).toEqual([200, { success: true }]);
      expect((await download(service, key, body.id)).status).toBe(404);
      const again = await service.send(key, 'DELETE', `/machine/files/${body.id}`);
      expect([again.status, again.body.error, again.body.code]).toEqual([
        404,
        'File not found',
        'file_not_found',
      ]);
      await eventually(async () => {
        expect(await storedKeys(service)).toEqual([]);
        expect(await usageOf(service, projectId)).toEqual({ files: 0, bytes: 0, unneeded: 0 });
      });
    });

    it('deleting the project removes its bytes and no others', { tags: 'both-databases' }, async () => {
      const service = await start();
      const one = await service.bootstrap();
      const two = await service.bootstrap();
      await upload(service, { key: one.apiKey });
      const otherFile = await upload(service, { key: two.apiKey });
      const answer = await service.send(one.apiKey, 'DELETE', `/machine/projects/${one.projectId}`);
      expect(answer.status).toBe(200);
      await eventually(async () => expect(await storedKeys(service)).toEqual([otherFile.body.id]));
    });

    const maxFiles = 15;
    const parallel = 40;
    it(`${parallel} parallel uploads at ${maxFiles - 5} of ${maxFiles} files: five fit`, async () => {
      const service = await start({ ENVSNAP_MAX_FILES: String(maxFiles) });
      const { apiKey: key, projectId } = await service.bootstrap();
      await Promise.all(Array.from({ length: maxFiles - 5 }, () => upload(service, { key })));
      const answers = await Promise.all(
        Array.from({ length: parallel }, () => untilServed(() => upload(service, { key }))),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
      const refused = answers.filter(({ status }) => status === 403);
      expect(refused).toHaveLength(parallel - 5);
      expect(refused[0]?.body).toMatchObject({
        error: `File quota exceeded (max ${maxFiles})`,
        code: 'file_quota_exceeded',
      });
      await eventually(async () => {
        expect(await usageOf(service, projectId)).toEqual({
          files: maxFiles,
          bytes: maxFiles * 5,
          unneeded: 0,
        });
        expect(await storedKeys(service)).toHaveLength(maxFiles);
      });
    });

    const quotaMiB = 10;
    it(`${parallel} parallel uploads at ${quotaMiB - 0.5} of ${quotaMiB} MB, more cut off half-way: what fits is exact`, {
      tags: 'both-databases',
    }, async () => {
      const service = await start({
        ENVSNAP_MAX_FILES: '1000',
        ENVSNAP_MAX_STORAGE_BYTES: String(quotaMiB * MiB),
      });
      const { apiKey: key, projectId } = await service.bootstrap();
      const fillerBytes = (quotaMiB - 0.5) * MiB;
      const filler = await upload(service, { key, content: randomBytes(fillerBytes) });
      expect(filler.status).toBe(201);
      const content = randomBytes(0.1 * MiB);
      const [answers] = await Promise.all([
        Promise.all(
          Array.from({ length: parallel }, () => untilServed(() => upload(service, { key, content }))),
        ),
        ...Array.from({ length: 10 }, () =>
          abortedUpload(service, key, {
            announcedBytes: content.length,
            sentBytes: content.length / 2,
            until: async () => undefined,
          }),
        ),
      ]);
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
      expect(answers.filter(({ status }) => status === 403)).toHaveLength(parallel - 5);
      expect(answers.find(({ status }) => status === 403)?.body).toMatchObject({
        error: `Storage quota exceeded (max ${quotaMiB * MiB} bytes)`,
        code: 'storage_quota_exceeded',
      });
      await eventually(async () => {
        const usage = await usageOf(service, projectId);
        expect(usage).toEqual({ files: 6, bytes: fillerBytes + 5 * content.length, unneeded: 0 });
        expect(await storedKeys(service)).toHaveLength(6);
      });
    });

    it('an upload that is cut off leaves nothing and takes no quota', async () => {
      const service = await start();
      const { apiKey: key, projectId } = await service.bootstrap();
      await abortedUpload(service, key, {
        announcedBytes: 20 * MiB,
        sentBytes: 8 * MiB,
        until: () =>
          eventually(async () => expect(await usageOf(service, projectId)).toMatchObject({ unneeded: 1 })),
      });
      await eventually(async () => {
        expect(await usageOf(service, projectId)).toEqual({ files: 0, bytes: 0, unneeded: 0 });
        expect(await storedKeys(service)).toEqual([]);
      });
      expect(service.log()).not.toMatch(/"level":(50|"error")/);
    });

    it('an upload over the quota is refused without reading it to the end, whatever its length says', async () => {
      const service = await start({ ENVSNAP_MAX_STORAGE_BYTES: String(MiB) });
      const { apiKey: key, projectId } = await service.bootstrap();
      let sent = 0;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(
            Buffer.from('--XX\r\nContent-Disposition: form-data; name="file"; filename="endless"\r\n\r\n'),
          );
        },
        pull(controller) {
          sent += 64 * 1024;
          if (sent < 64 * MiB) controller.enqueue(new Uint8Array(64 * 1024));
          else controller.close();
        },
      });
      const response = await fetch(`${service.url}/machine/files`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'multipart/form-data; boundary=XX' },
        body,
        duplex: 'half',
      } as RequestInit);
      expect([response.status, (await response.json()).code]).toEqual([403, 'storage_quota_exceeded']);
      await eventually(async () => {
        expect(await usageOf(service, projectId)).toEqual({ files: 0, bytes: 0, unneeded: 0 });
        expect(await storedKeys(service)).toEqual([]);
      });
    });

    it('a retry with the same idempotency key gets the first response, even at the quota', async () => {
      const service = await start({ ENVSNAP_MAX_FILES: '1', ENVSNAP_MAX_STORAGE_BYTES: '10' });
      const { apiKey: key, projectId } = await service.bootstrap();
      const headers = { 'idempotency-key': 'once' };
      const first = await upload(service, { key, content: '0123456789', headers });
      const second = await upload(service, { key, content: '0123456789', headers });
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.body).toEqual(first.body);
      expect(second.headers.get('idempotency-replayed')).toBe('true');
      const other = await upload(service, { key, content: 'other', headers });
      expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
      const further = await upload(service, { key, content: 'x', headers: { 'idempotency-key': 'next' } });
      expect([further.status, further.body.code]).toEqual([403, 'file_quota_exceeded']);
      await eventually(async () => {
        expect(await usageOf(service, projectId)).toEqual({ files: 1, bytes: 10, unneeded: 0 });
        expect(await storedKeys(service)).toEqual([first.body.id]);
      });
    });

    it('a form that ends too early is not a file', async () => {
      const service = await start();
      const { apiKey: key, projectId } = await service.bootstrap();
      const body = '--XX\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc';
      const answer = await uploadRaw(service, key, body);
      expect([answer.status, answer.body.code]).toEqual([400, 'malformed_request']);
      expect(await usageOf(service, projectId)).toEqual({ files: 0, bytes: 0, unneeded: 0 });
      expect(await storedKeys(service)).toEqual([]);
    });
  });
});
