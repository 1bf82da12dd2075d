// Binds the operations of snapshots to their service.

import { operations } from '@envsnap/shared';
import type { Request } from 'express';
import type { NoteDisclosure } from '../audit/disclosures.ts';
import { checkIfMatch, matchesEtag } from '../infra/http/etag.ts';
import { type Mount, notModified } from '../infra/http/mount.ts';
import { momentOf } from '../infra/list-parts.ts';
import type { Work } from '../work.ts';
import type { Intake } from './intake.ts';
import { jobContextOf } from './snapshot-rows.ts';

export function mountSnapshots(mount: Mount<Work>, intake: Intake, noteDisclosure: NoteDisclosure): void {
  const noteVariables = (request: Request, id: string) =>
    noteDisclosure(request, { action: 'snapshot.variables_read', target: { type: 'snapshot', id } });

  mount(
    operations.createSnapshot,
    async ({ body, principal, work }) =>
      work.transact(({ snapshots }) => snapshots.create(principal.projectId, body)),
    { receive: intake.receive },
  );

  mount(operations.listSnapshots, async ({ query, principal, work, hold }) => {
    const { limit, offset, after, machineName, os, arch, outcome, outcomeOf, from, to } = query;
    const span = { fromMs: momentOf(from), toMs: momentOf(to) };
    const filter = { projectId: principal.projectId, machineName, os, arch, outcome, outcomeOf, ...span };
    return work.read.snapshots.list(filter, { limit, offset, after }, hold);
  });

  mount(operations.getSnapshot, async ({ params, principal, work, request, response, hold }) => {
    checkIfMatch(request, `"${params.id}"`);
    const { etag, answer, hasVariables } = await work.read.snapshots.get(
      principal.projectId,
      params.id,
      (current) => matchesEtag(request, current),
      hold,
    );
    response.setHeader('ETag', etag);
    if (answer && hasVariables) await noteVariables(request, params.id);
    return answer ?? notModified;
  });

  mount(operations.deleteSnapshot, async ({ params, principal, work, request }) => {
    checkIfMatch(request, `"${params.id}"`);
    await work.transact(({ snapshots }) => snapshots.remove(principal.projectId, params.id));
    return { success: true as const };
  });

  mount(operations.compareSnapshots, async (input) => {
    const { body, request, work } = input;
    const comparison = await work.read.snapshots.compare(body, jobContextOf(input), intake.compare);
    if (body.includeEnvValues) {
      // The request may have waited for a thread.
      await work.confirm();
      for (const id of [body.snapshotA, body.snapshotB]) await noteVariables(request, id);
    }
    return comparison;
  });

  mount(operations.listMachines, async (input) => {
    const { limit, offset, keys } = input.query;
    const request = { keys: keys?.split(',') ?? [], limit, offset };
    return input.work.read.snapshots.machines(request, jobContextOf(input));
  });

  mount(operations.getHistory, async (input) =>
    input.work.read.snapshots.history(input.query, jobContextOf(input)),
  );
}
