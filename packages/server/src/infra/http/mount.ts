// Binds an operation of the shared table to a handler: routing, credentials, limits, role, validation, status, response.

import type { Operation, RequestOf, ResponseOf } from '@envsnap/shared';
import type { IRouter, Request, RequestHandler, Response } from 'express';
import { AppError } from '../app-error.ts';
import { type JsonText, jsonOf, type ReplayedAnswer } from '../json-text.ts';
import { checkRole } from './check-role.ts';
import { encodingOf, sendCompressed } from './compress.ts';
import { checkIfMatch } from './etag.ts';
import { listIgnored, unknownNames } from './ignored-names.ts';
import type { ReadJsonBody } from './json-body.ts';
import { createReadSlots, type ReadSlots } from './read-slots.ts';
import { type ReceivedBody, receiveBody } from './receive-body.ts';
import { contextOf, type Principal, type RequestContext } from './request-context.ts';
import { sendJsonText } from './respond.ts';
import { validate } from './validate.ts';

/** The input of a handler. `Work` gives access to the features: reads, and transactions. */
interface HandlerInput<O extends Operation, Work, Body = RequestOf<O>['body']>
  extends Omit<RequestOf<O>, 'body'> {
  readonly body: Body;
  readonly principal: O['access'] extends 'public' ? undefined : Principal;
  readonly work: Work;
  readonly request: Request;
  readonly response: Response;
  /** Call it before reading or building more than some hundred kilobytes. Errors: `server_busy`. */
  readonly hold: HoldBytes;
  /** Releases the payer's read slot. Call it before waiting for anything but the database. */
  readonly releaseSlot: () => void;
}

export type HoldBytes = RequestContext['hold'];

type Handler<O extends Operation, Work, Body = RequestOf<O>['body']> = (
  input: HandlerInput<O, Work, Body>,
) => Promise<O['response'] extends 'binary' ? undefined : AnswerOf<O>>;

/** The result of a handler: the value or its JSON, the first response for a retry, or that the caller has the value already. */
type AnswerOf<O extends Operation> =
  | ResponseOf<O>
  | JsonText<ResponseOf<O>>
  | ReplayedAnswer
  | typeof notModified;

export const notModified = Symbol('304');

export interface MountSteps<Work> {
  /** Recognises and admits the caller: key, then rate limit. Sets the limit's headers. */
  readonly admit: (request: Request, response: Response, operation: Operation) => Promise<void>;
  readonly readJsonBody: ReadJsonBody;
  /** Whether a project exists, for the difference between 403 and 404 on project paths. */
  readonly projectExists: (projectId: string) => Promise<boolean>;
  /** Runs the handler with access to the features; honours `Idempotency-Key`: a replay has its first status. */
  readonly perform: (
    request: Request,
    response: Response,
    operation: Operation,
    handle: (work: Work) => Promise<unknown>,
  ) => Promise<{ readonly status: number; readonly answer: unknown }>;
}

interface MountOptions<Body> {
  /** Throws if the request must be refused before its body is read. */
  readonly check?: (request: Request) => void;
  /** Reads the body if the handler needs it in another form than the operation's; default: `receiveBody`. */
  readonly receive?: Receive<Body>;
}

type Receive<Body> = (
  sent: unknown,
  withDigest: boolean,
  principal: Principal,
) => ReceivedBody<Body> | Promise<ReceivedBody<Body>>;

export type Mount<Work> = <O extends Operation, Body = RequestOf<O>['body']>(
  operation: O,
  handler: Handler<O, Work, Body>,
  options?: MountOptions<Body>,
) => void;

export interface OperationInput {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: (() => Promise<unknown>) | undefined;
}

/** Runs an operation for an admitted request: membership, role, validation, then the handler. */
export type CallOperation = (
  request: Request,
  response: Response,
  operation: Operation,
  input: OperationInput,
) => Promise<{ readonly status: number; readonly answer: unknown }>;

/** Creates the function that mounts operations on a router, and the one that calls those that were mounted. */
export function createMount<Work>(
  router: IRouter,
  steps: MountSteps<Work>,
): { readonly mount: Mount<Work>; readonly call: CallOperation } {
  const mounted = new Map<string, MountedOperation<Work>>();
  const readSlots = createReadSlots();
  const call: CallOperation = (request, response, operation, input) => {
    const found = mounted.get(operation.name);
    if (!found) throw new Error(`${operation.name} is not mounted`);
    return callHandler(operation, found, { ...steps, readSlots }, { request, response, ...input });
  };
  const mount: Mount<Work> = (operation, handler, { check, receive } = {}) => {
    mounted.set(operation.name, {
      handler: handler as Handler<Operation, Work, unknown>,
      receive: receive ?? ((sent, withDigest) => receiveBody(operation, sent, withDigest)),
    });
    const handle = createOperationHandler(operation, call, steps, check);
    const route = router.route(operation.path);
    if (operation.method === 'GET') route.get(handle);
    else if (operation.method === 'POST') route.post(handle);
    else if (operation.method === 'PATCH') route.patch(handle);
    else route.delete(handle);
  };
  return { mount, call };
}

interface MountedOperation<Work> {
  readonly handler: Handler<Operation, Work, unknown>;
  readonly receive: Receive<unknown>;
}

async function callHandler<Work>(
  operation: Operation,
  { handler, receive }: MountedOperation<Work>,
  steps: MountSteps<Work> & { readonly readSlots: ReadSlots },
  {
    request,
    response,
    ...input
  }: OperationInput & { readonly request: Request; readonly response: Response },
): Promise<{ readonly status: number; readonly answer: unknown }> {
  const context = contextOf(request);
  const { principal } = context;
  const params = operation.params ? validate(operation.params, input.params, 'path') : undefined;
  if (operation.projectParam) {
    const projectId = (params as Record<string, string>)[operation.projectParam] as string;
    await checkMembership(projectId, principal, steps);
  }
  checkRole(operation, principal?.role);
  const unknown = unknownNames(operation.query, input.query);
  if (operation.isSweeping && unknown.length > 0) refuseUnknown(unknown);
  listIgnored(response, unknown);
  const query = operation.query ? validate(operation.query, input.query, 'query') : undefined;
  const withDigest = request.headers['idempotency-key'] !== undefined;
  const received = operation.body
    ? await receive((await input.body?.()) ?? {}, withDigest, principal as Principal)
    : undefined;
  context.bodyDigest = received?.digest;
  listIgnored(response, [...unknown, ...(received?.ignored ?? [])]);
  const values = {
    params,
    query,
    body: received?.body,
    principal: principal as Principal,
    request,
    response,
    hold: context.hold,
  };
  const isReading = (operation.method === 'GET' || operation.safe) && operation.response !== 'binary';
  const releaseSlot = isReading && principal ? await steps.readSlots.take(principal.payer) : () => {};
  try {
    return await steps.perform(request, response, operation, (work) =>
      handler({ ...values, releaseSlot, work }),
    );
  } finally {
    releaseSlot();
  }
}

/** A parameter that was meant to narrow such a call, or to make it a dry run, must not be ignored. */
function refuseUnknown(names: readonly string[]): never {
  const details = names.map((path) => ({ path, message: 'is not a parameter of this call' }));
  throw new AppError('validation_failed', 'Invalid query: this call takes no such parameter', details);
}

function createOperationHandler<Work>(
  operation: Operation,
  call: CallOperation,
  steps: MountSteps<Work>,
  check: ((request: Request) => void) | undefined,
): RequestHandler {
  return async (request, response) => {
    const context = contextOf(request);
    context.operation = operation;
    context.route = operation.path;
    await steps.admit(request, response, operation);
    check?.(request);
    if (operation.access !== 'public' && !operation.ifMatch) checkIfMatch(request);
    const { status, answer } = await call(request, response, operation, {
      params: request.params,
      query: firstValues(request.query),
      body: () => steps.readJsonBody(request, operation),
    });
    if (operation.response === 'binary') return;
    if (answer === notModified) {
      response.statusCode = 304;
      response.end();
      return;
    }
    const json = jsonOf(answer);
    if (response.hasHeader('Vary')) response.vary('Accept-Encoding');
    else response.setHeader('Vary', 'Accept-Encoding');
    const encoding = encodingOf(request, operation, json);
    if (encoding) await sendCompressed(response, status, json, encoding);
    else await sendJsonText(response, status, json);
  };
}

async function checkMembership<Work>(
  projectId: string,
  principal: Principal | undefined,
  steps: MountSteps<Work>,
): Promise<void> {
  if (projectId === principal?.projectId) return;
  if (await steps.projectExists(projectId))
    throw new AppError('not_a_member', 'Not a member of this project');
  throw new AppError('project_not_found', 'Project not found');
}

/** A parameter given several times counts once, by its first value. */
function firstValues(query: Request['query']): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(query)) values[name] = Array.isArray(value) ? value[0] : value;
  return values;
}
