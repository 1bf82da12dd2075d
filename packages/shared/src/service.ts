// The service's own operations: open without a key. docs/specification.md §1.

import * as z from 'zod';
import { defineOperations } from './operation.ts';
import * as p from './primitives.ts';

export const serviceOperations = defineOperations('service', {
  getHealth: {
    route: 'GET /health',
    summary: 'Check that the process is alive',
    access: 'public',
    response: z.object({
      status: z.literal('ok').describe('The process is alive.'),
      version: p.string('Version of the server.'),
      commit: z.string().optional().describe('Commit that the server was built from, if the build knew it.'),
    }),
    answer: 'The process is alive.',
  },

  getReadiness: {
    route: 'GET /ready',
    summary: 'Check whether the server can serve requests',
    access: 'public',
    response: z.object({
      status: z.literal('ready').describe('Requests can be served.'),
      clockSkewSeconds: z
        .number()
        .optional()
        .describe(
          "How far the clock of the server's machine is ahead of the database's, if they differ by more than a minute. The server " +
            'then deletes nothing.',
        ),
    }),
    answer: 'Requests can be served.',
    errors: ['database_unavailable', 'database_damaged', 'shutting_down'],
  },
});
