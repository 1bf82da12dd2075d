// A console request by somebody who is signed in: the caller, and access to the operations behind pages and forms.

import type { ConsoleCaller, ConsolePage, PageContext } from '@envsnap/console';
import { limits, type Operation, type ResponseOf, text } from '@envsnap/shared';
import type { Request, Response } from 'express';
import * as z from 'zod';
import type { RecallAnswer } from '../idempotency/perform.ts';
import { checkRole } from '../infra/http/check-role.ts';
import type { CompressedPage } from '../infra/http/compressed-page.ts';
import type { CallOperation, OperationInput } from '../infra/http/mount.ts';
import { contextOf, type Principal } from '../infra/http/request-context.ts';
import { validate } from '../infra/http/validate.ts';
import { bytesOf, type JsonText, jsonOf } from '../infra/json-text.ts';
import { type JobContext, jobContextOf } from '../snapshots/snapshot-rows.ts';

/** A page, rendered here or in the job thread. */
export type MadePage = ConsolePage | JsonText<CompressedPage>;

export interface Visit {
  readonly request: Request;
  readonly response: Response;
  readonly principal: Principal;
  readonly sessionId: string;
  readonly context: PageContext & { readonly caller: ConsoleCaller };
  readonly jobContext: JobContext;
  /** Calls the API for the caller, with the API's roles, validation and limits. */
  ask<O extends Operation>(operation: O, input?: OperationInput): Promise<ResponseOf<O>>;
  /** The same, as JSON in UTF-8, for the thread that renders the page. */
  askForBytes(operation: Operation, input?: OperationInput): Promise<Uint8Array>;
  /** The result of a form, as long as this address shows it. */
  made<O extends Operation>(operation: O): Promise<ResponseOf<O> | undefined>;
  /** A value of the query, if it is given once and not empty. Errors: `validation_failed`. */
  query(name: string): string | undefined;
}

export function createVisit(
  request: Request,
  response: Response,
  deps: Pick<Visit, 'sessionId' | 'context'> & {
    readonly call: CallOperation;
    readonly recall: RecallAnswer;
    readonly confirm: (request: Request) => Promise<void>;
  },
): Visit {
  const context = contextOf(request);
  const principal = context.principal as Principal;
  const answerOf = async (operation: Operation, input: OperationInput = {}) => {
    const { answer } = await deps.call(request, response, operation, { query: {}, ...input });
    return jsonOf(answer);
  };
  return {
    request,
    response,
    principal,
    sessionId: deps.sessionId,
    context: deps.context,
    jobContext: jobContextOf({
      principal,
      hold: context.hold,
      work: { confirm: () => deps.confirm(request) },
      response,
    }),
    ask: async (operation, input) =>
      JSON.parse((await answerOf(operation, input)).text) as ResponseOf<typeof operation>,
    askForBytes: async (operation, input) => bytesOf(await answerOf(operation, input)),
    async made(operation) {
      const { made } = request.query;
      if (typeof made !== 'string' || made === '') return undefined;
      checkRole(operation, principal.role);
      return deps.recall(request, operation, made.slice(0, limits.idempotencyKeyLength));
    },
    query(name) {
      const value = request.query[name];
      if (typeof value !== 'string' || value === '') return undefined;
      return validate(z.object({ [name]: text() }), { [name]: value }, 'query')[name];
    },
  };
}

export function given<Value>(values: Record<string, Value | undefined>): Record<string, Value> {
  const pairs = Object.entries(values).filter((pair): pair is [string, Value] => pair[1] !== undefined);
  return Object.fromEntries(pairs);
}

/** Redirects are relative, so that a proxy's prefix stays. */
export function redirect(response: Response, location: string): void {
  response.statusCode = 303;
  response.setHeader('Location', location);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Referrer-Policy', 'same-origin');
  response.end();
}
