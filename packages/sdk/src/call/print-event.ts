// Prints an event of a call for a terminal.

import type { TransportEvent } from './transport-event.ts';

/** One line: the call, the attempt, and its result. */
export function eventText(event: TransportEvent): string {
  const { operation, attempt, url } = event;
  const call = `envsnap-sdk ${operation}, attempt ${attempt}:`;
  switch (event.type) {
    case 'request':
      return `${call} ${url}`;
    case 'response':
      return `${call} ${event.status} in ${Math.round(event.durationMs)} ms, request ${event.requestId ?? 'without id'}`;
    case 'failure':
      return `${call} ${event.error.name} after ${Math.round(event.durationMs)} ms: ${event.error.message}`;
    case 'retry':
      return `${call} again in ${Math.round(event.delayMs)} ms`;
  }
}
