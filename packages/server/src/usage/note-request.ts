// Records a finished request: a line of the log, the metrics, and the project's request history.

import type { FinishedRequest, OnFinished } from '../infra/http/begin-request.ts';
import type { Logger } from '../infra/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { LoggedRequestRow } from './request-log-repository.ts';
import type { RequestRecorder } from './request-recorder.ts';

export interface NoteRequestDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly recorder: RequestRecorder;
  /** Requests that took this many milliseconds or more are marked in the log. */
  readonly slowRequestMs: number;
}

const pathLength = 2048;

export function createNoteRequest(deps: NoteRequestDeps): OnFinished {
  const { logger, metrics, recorder, slowRequestMs } = deps;
  return (finished) => {
    const { context, method, status, durationMs } = finished;
    logger.info(lineOf(finished, slowRequestMs), 'request');
    metrics.observeRequest({ method, route: context.route, status, durationMs });
    if (context.refusedBy) metrics.countRefusal(context.refusedBy, context.principal ? 'key' : 'address');
    const row = rowOf(finished);
    if (row) recorder.record(row);
  };
}

function lineOf({ context, method, status, durationMs }: FinishedRequest, slowRequestMs: number) {
  return {
    requestId: context.requestId,
    // The id in the audit log, if the caller chose the other.
    serverRequestId: context.origin.clientRequestId === null ? undefined : context.origin.requestId,
    method,
    route: context.route,
    path: context.path.slice(0, pathLength),
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    // Only if it is true, because people search for that.
    slow: durationMs >= slowRequestMs || undefined,
    projectId: context.principal?.projectId,
    apiKeyId: context.principal?.apiKeyId,
    clientAddress: context.address,
  };
}

/** The history has every request with a valid key, refused ones included. */
function rowOf({
  context,
  method,
  status,
  arrivedMs,
  durationMs,
}: FinishedRequest): LoggedRequestRow | undefined {
  const { principal } = context;
  return (
    principal && {
      project_id: principal.projectId,
      api_key_id: principal.apiKeyId,
      method,
      path: context.path.slice(0, pathLength),
      route: context.route ?? 'unmatched',
      status_code: status,
      response_time_ms: Math.round(durationMs),
      created_at: arrivedMs,
    }
  );
}
