// Makes a span of each attempt to deliver an event, in the trace of the request that caused it.

import type { Tracing } from '../infra/tracing/tracing.ts';
import type { Deliver } from './deliver.ts';

/** The same attempts, traced: the receiver is sent the span of its attempt. */
export function traceDelivery(deliver: Deliver, tracing: Tracing): Deliver {
  return (delivery, signal) => {
    // The rest of the URL may hold a secret.
    const { hostname, port } = new URL(delivery.url);
    const attributes = {
      'http.request.method': 'POST',
      'server.address': hostname,
      'server.port': port === '' ? undefined : Number(port),
      'envsnap.event.id': delivery.eventId,
    };
    return tracing.follow(
      delivery.traceparent,
      { name: 'webhook delivery', attributes },
      (traceparent) => deliver({ ...delivery, traceparent }, signal),
      ({ responseStatus, failure }) => ({
        attributes: {
          'http.response.status_code': responseStatus ?? undefined,
          'error.type': failure?.reason,
        },
        failed: failure !== undefined,
      }),
    );
  };
}
