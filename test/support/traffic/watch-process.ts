// Loaded into a server process by its tests (`--import`): writes every exchange as a line of JSON to the file that
// ENVSNAP_TEST_TRAFFIC names. The tests check the lines against the API document afterwards.

import { subscribe } from 'node:diagnostics_channel';
import { openSync, writeSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { watchExchange } from './watch-exchange.ts';

const file = process.env.ENVSNAP_TEST_TRAFFIC;
if (file) {
  const descriptor = openSync(file, 'a');
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    watchExchange(request, response, (exchange) => {
      const base64 = (body: Buffer | undefined) => body?.toString('base64');
      const { requestBody, answerBody } = exchange;
      const line = { ...exchange, requestBody: base64(requestBody), answerBody: base64(answerBody) };
      writeSync(descriptor, `${JSON.stringify(line)}\n`);
    });
  });
}
