// Actions that need no machine and no service: names of files, references, the live feed, explanations of errors.

import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiError, ConnectionError, QuotaError, RateLimitError, TimeoutError } from '@envsnap/sdk';
import type { LoggedRequest } from '@envsnap/shared';
import { errorCodes } from '@envsnap/shared/error-codes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveId } from '../../../packages/cli/src/actions/references/resolve-id.ts';
import { localFileName } from '../../../packages/cli/src/actions/service/transfer-files.ts';
import { exitCodeOfAnswer } from '../../../packages/cli/src/errors/cli-error.ts';
import { describeError } from '../../../packages/cli/src/errors/error-report.ts';
import { bar } from '../../../packages/cli/src/render/layout/table.ts';
import { scriptsOf } from '../../../packages/cli/src/runs/find-missing-command.ts';
import { newRequests } from '../../../packages/cli/src/service-commands/usage.ts';
import { nearestName } from '../../../packages/shared/src/text/nearest-name.ts';
import { anyCharacter } from '../../support/generated.ts';
import { readTestData } from '../../support/test-data.ts';

const { expected } = readTestData<{ expected: Record<string, number> }>(import.meta);

describe('a local file name', () => {
  it('never leaves the folder, whatever the stored name is', () => {
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('..', '.', '/', '\\', 'CON', 'nul.txt', 'C:', '~', ' '),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const name = localFileName(pieces.join(''));
        expect(name).not.toMatch(/[/\\:<>"|?*]|\p{Cc}|\p{Cs}/u);
        expect(['', '.', '..']).not.toContain(name);
        expect(name).not.toMatch(/^(con|nul)(\.|$)/i);
        expect(name).not.toMatch(/[. ]$/);
      }),
    );
  });

  it('is the stored name when that is harmless', () => {
    for (const name of ['compose.yaml', '.env', 'Käse 2.txt', '日本語'])
      expect(localFileName(name)).toBe(name);
    expect(localFileName('/etc/passwd')).toBe('passwd');
    expect(localFileName('a/..')).toBe('download');
  });
});

describe('the beginning of an id', () => {
  const ids = ['0193a5c2-0000-4000-8000-000000000001', '0193a5c2-0000-4000-8000-000000000002'];
  const space = { noun: 'snapshot', listCommand: 'envsnap snapshot list', ids: async () => ids };

  it('names the only id with that beginning, in any letter case', async () => {
    expect(await resolveId(ids[1]?.toUpperCase().slice(0, 36) as string, space)).toBe(ids[1]);
    expect(
      await resolveId('0193a5c2-0000-4000-8000-00000000000', { ...space, ids: async () => ids.slice(1) }),
    ).toBe(ids[1]);
  });

  it('that fits several is refused with the candidates, one that fits none is not found', async () => {
    await expect(resolveId('0193a5c2', space)).rejects.toMatchObject({
      code: 'ambiguous_id',
      exitCode: 2,
      hint: expect.stringContaining(ids[0] as string),
    });
    await expect(resolveId('ffffffff', space)).rejects.toMatchObject({ exitCode: 4 });
    await expect(resolveId('0193a5c', space)).rejects.toMatchObject({ code: 'invalid_id', exitCode: 2 });
  });
});

describe('the live feed', () => {
  const request = (path: string): LoggedRequest => ({
    method: 'GET',
    path,
    statusCode: 200,
    responseTimeMs: 1,
    createdAt: '2026-02-07T13:05:00.000Z',
  });

  it('says what is new between two looks, also of requests that look the same', () => {
    const earlier = [request('/b'), request('/a')];
    const later = [request('/b'), request('/c'), request('/b'), request('/a')];
    expect(newRequests(earlier, later).map(({ path }) => path)).toEqual(['/b', '/c']);
    expect(newRequests(later, later)).toEqual([]);
    expect(newRequests([], later)).toEqual(later);
  });

  it('shows every request once over any number of looks that overlap', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('/a', '/b', '/c'), { maxLength: 30 }),
        fc.integer({ min: 1, max: 9 }),
        (paths, step) => {
          let seen: LoggedRequest[] = [];
          const shown: LoggedRequest[] = [];
          for (let end = 0; end <= paths.length + step; end += step) {
            const now = paths.slice(0, end).map(request).reverse();
            shown.push(...newRequests(seen, now).reverse());
            seen = now;
          }
          expect(shown.map(({ path }) => path).sort()).toEqual([...paths].sort());
        },
      ),
    );
  });
});

describe('an exit code', () => {
  it('is given to every error code of the service', () => {
    for (const [code, { status }] of Object.entries(errorCodes)) {
      const fallback = code.endsWith('_not_found') ? 4 : 7;
      expect([code, exitCodeOfAnswer(status, code)]).toEqual([code, expected[code] ?? fallback]);
    }
  });

  it('follows from the errors of the SDK', () => {
    const answer = (status: number, code?: string) => ({
      status,
      code,
      message: 'm',
      operation: 'getUsage' as const,
    });
    expect(describeError(new QuotaError(answer(403, 'snapshot_quota_exceeded'))).exitCode).toBe(5);
    expect(describeError(new RateLimitError(answer(429, 'rate_limited'))).exitCode).toBe(5);
    expect(describeError(new ApiError(answer(502))).exitCode).toBe(6);
    expect(describeError(new ApiError(answer(413, 'body_too_large'))).hint).toContain('--dir');
    expect(describeError(new ConnectionError('gone')).exitCode).toBe(6);
    expect(describeError(new TimeoutError('try', 1000)).exitCode).toBe(6);
    expect(describeError(new Error('what?'))).toMatchObject({ exitCode: 7, code: 'internal_error' });
    expect(describeError('text')).toMatchObject({ exitCode: 7 });
  });

  it('names the request and the wait if the service gave them', () => {
    const error = new RateLimitError({
      status: 429,
      code: 'rate_limited',
      message: 'Rate limit exceeded (per-minute)',
      requestId: 'r-1',
      retryAfterSeconds: 7,
      operation: 'getUsage',
    });
    expect(describeError(error)).toMatchObject({
      requestId: 'r-1',
      retryAfterSeconds: 7,
      hint: 'Try again in 7 s.',
    });
  });
});

describe('the nearest name', () => {
  it('is offered for a slip and not for something else', () => {
    const names = ['snapshot list', 'snapshot show', 'team list'];
    expect(nearestName('snapshot lst', names)).toBe('snapshot list');
    expect(nearestName('snapshot shwo', names)).toBe('snapshot show');
    expect(nearestName('deploy', names)).toBeUndefined();
    expect(nearestName('mak', ['make-ssl-cert', 'makeinfo', 'make'])).toBe('make');
  });
});

describe('a bar', () => {
  it('is never wider than its width, and never empty for something', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 80 }),
        (share, width) => {
          const text = bar(share, width);
          expect(text.length).toBeLessThanOrEqual(width);
          expect(text === '').toBe(share === 0);
        },
      ),
    );
  });
});

it.skipIf(process.platform === 'win32')('scripts are not waited for if the manifest is a pipe', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'scripts-'));
  spawnSync('mkfifo', [path.join(folder, 'package.json')]);
  expect(await scriptsOf(folder)).toEqual([]);
});
