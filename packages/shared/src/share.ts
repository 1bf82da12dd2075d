// Shares: pages about stored snapshots that open without a key until they expire. Also, links that sign in to the console.
// Additive; docs/specification.md §17.

import * as z from 'zod';
import { defineOperations } from './operation.ts';
import * as p from './primitives.ts';

/** Pages of the console by their addresses. Addresses with a hyphen sign in or out. */
export const consolePagePattern =
  /^(?:[a-z]+(?:\/[\w~%!*'()+@:,-][\w.~%!*'()+@:,-]{0,799})?(?:\?[\w.~%!*'()+:@/?&=,$;-]*)?)?$/;

const expiresIn = z
  .number()
  .int()
  .min(p.limits.shareMinSeconds)
  .max(p.limits.shareMaxSeconds)
  .default(p.limits.shareDefaultSeconds)
  .describe('Lifetime of the page in seconds: 5 minutes to 30 days. The default is a week.');

const shareKind = z.enum(['snapshot', 'comparison']);

/** The ids that each kind is made from. */
const neededIds: Record<z.infer<typeof shareKind>, readonly string[]> = {
  snapshot: ['snapshotId'],
  comparison: ['a', 'b'],
};

/** A share as a list shows it: without its address, which is shown once. */
export const share = p.object('Share', {
  id: p.uuid.describe('Id of the share.'),
  kind: shareKind.describe('What the page shows.'),
  snapshots: p.list(
    p.uuid,
    'The snapshots that the page shows: one, or A and B. They may have been deleted since.',
  ),
  createdBy: p.orNull(p.uuid, 'Id of the key that created the share; null once that key is revoked.'),
  createdAt: p.timestamp.describe('When the share was created.'),
  expiresAt: p.timestamp.describe('When the page expires.'),
});
export type Share = z.infer<typeof share>;

export const shareBody = z
  .object({
    kind: shareKind.describe('Show one snapshot (`snapshotId`), or the differences between two (`a`, `b`).'),
    snapshotId: p.maybe(p.uuid).describe('Id of the snapshot to show.'),
    a: p.maybe(p.uuid).describe('Id of the snapshot that works, or the older one.'),
    b: p
      .maybe(p.uuid)
      .describe('Id of side B: the snapshot to compare with A. The policy in its capture applies.'),
    expiresIn,
  })
  .superRefine((body, context) => {
    const needed = neededIds[body.kind];
    for (const path of ['snapshotId', 'a', 'b'] as const) {
      const isNeeded = needed.includes(path);
      if (isNeeded === (body[path] !== undefined)) continue;
      const message = isNeeded ? `is required for a ${body.kind}` : `is not allowed for a ${body.kind}`;
      context.addIssue({ code: 'custom', path: [path], message });
    }
  });
export type ShareBody = z.output<typeof shareBody>;

/** A page of the console, with its query: no scheme, no host, nothing that leads out of the console. */
const consolePage = z
  .string()
  .max(2000)
  .regex(consolePagePattern, 'must be a page of the console, such as runs or compare?a=ID&b=ID');

export const shareOperations = defineOperations('shares', {
  createShare: {
    route: 'POST /machine/shares',
    summary: 'Create a page of a snapshot or comparison that opens without a key',
    access: ['owner', 'admin', 'member'],
    body: shareBody,
    response: z.object({
      id: p.uuid.describe('Id of the share.'),
      url: p.string('Address of the page. Anyone who has it can read the page. It is shown only once.'),
      expiresAt: p.timestamp.describe('When the page expires.'),
    }),
    status: 201,
    answer: 'The page was created. Its address is shown only once.',
    idempotency: 'secret',
    errors: ['snapshot_not_found', 'too_much_work', 'share_quota_exceeded', 'share_not_found'],
  },

  listShares: {
    route: 'GET /machine/shares',
    summary: 'List the shares of the current project, newest first',
    access: 'any',
    query: p.partQuery,
    response: p.partInfo.extend({ shares: p.list(share, 'Shares that have not expired.') }),
    answer: 'The shares of the project, without their addresses.',
  },

  deleteShare: {
    route: 'DELETE /machine/shares/:id',
    summary: 'Revoke a share',
    access: ['owner', 'admin', 'member'],
    params: p.idParams,
    response: p.success,
    answer: 'The share was revoked. Its address now returns 404.',
    errors: ['share_not_found'],
  },

  createConsoleLink: {
    route: 'POST /machine/console-links',
    summary: 'Create a link that signs in to the console once',
    access: 'any',
    body: z.object({
      page: p
        .maybe(consolePage)
        .describe('Page of the console to open, such as `runs` or `compare?a=ID&b=ID`.'),
    }),
    response: z.object({
      url: p.string('The link. It signs in the first person who opens it, with the calling key.'),
      expiresAt: p.timestamp.describe('When the link expires: a minute from now.'),
    }),
    status: 201,
    answer: 'The link was created.',
    idempotency: 'secret',
    errors: ['route_not_found', 'console_link_not_found'],
  },
});
