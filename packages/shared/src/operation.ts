// The shape of an operation: one endpoint, declared once, from which routing, SDK, documents and tests come.

import type * as z from 'zod';
import type { ErrorCode } from './error-codes.ts';
import type { Role } from './primitives.ts';

/** Sections of the API with what they are about, in the order of the documents. */
export const operationGroups = {
  keys: [
    'API keys',
    'Every key belongs to one project and has one role in it. A key is shown once, when it is created.',
  ],
  projects: ['Projects', 'A project owns its snapshots, files, members, webhooks, quotas and keys.'],
  team: ['Team members', 'The members of a project. Each has a separate key.'],
  snapshots: [
    'Snapshots',
    'Environments of machines: stored, listed, compared. Variables are encrypted at rest.',
  ],
  shares: [
    'Shares and the console',
    'Pages about snapshots and comparisons that open without a key until they expire.',
  ],
  webhooks: ['Webhooks', 'URLs that receive events, as signed deliveries with a log.'],
  files: ['Files', 'Files of a project, encrypted at rest.'],
  usage: ['Usage and analytics', 'Usage, quotas and requests of a project.'],
  service: ['Service', 'Whether the service is alive and ready. Needs no key.'],
} as const;
export type OperationGroup = keyof typeof operationGroups;

/** Who may call an operation: anybody, every role of the project, or some roles. */
export type Access = 'public' | 'any' | readonly Role[];

export interface Operation {
  /** camelCase, unique: the name in the OpenAPI document. */
  readonly name: string;
  readonly group: OperationGroup;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Express path, such as `/machine/snapshots/:id`; also the route's name in logs and metrics. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  /**
   * Path parameter that names the project. The key must belong to that project: 403 `not_a_member` if the project exists, 404
   * `project_not_found` if not (docs/specification.md §2).
   */
  readonly projectParam?: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  /** JSON body. Absent: the operation takes none. */
  readonly body?: z.ZodType;
  /** True for a body of up to 8 MiB (a setting of the server), instead of 64 KiB. */
  readonly largeBody?: true;
  /** True for `multipart/form-data` with one field `file`. */
  readonly upload?: true;
  /** Schema of the JSON response, or `binary` for a stream of bytes. */
  readonly response: z.ZodType | 'binary';
  readonly status: 200 | 201;
  /** Describes the successful response in a sentence. */
  readonly answer: string;
  /** Whether `Idempotency-Key` is honoured (every POST that creates); `secret` responses are kept encrypted and briefly. */
  readonly idempotency?: 'plain' | 'secret';
  /** True for a POST that changes nothing, so that sending it again is always safe. */
  readonly safe?: true;
  /** True if it deletes or changes many things at once: it then refuses unknown query parameters. */
  readonly isSweeping?: true;
  /** True if it revokes keys or takes roles away. */
  readonly revokes?: true;
  /** Whether the response has an `ETag` and `If-None-Match` is honoured. */
  readonly etag?: true;
  /** Whether the handler compares `If-Match`. Other operations have no `ETag`, so no value can match. */
  readonly ifMatch?: true;
  /** Whether `Range` and `If-Range` are honoured. */
  readonly ranges?: true;
  /** Codes of this operation beyond those of every operation (validation, authentication, role, rate limit, 5xx). */
  readonly errors: readonly ErrorCode[];
}

/** A row of the table: its key is the name, its table the group, and the default status is 200. */
type OperationRow = Omit<Operation, 'name' | 'group' | 'method' | 'path' | 'status' | 'errors'> &
  Partial<Pick<Operation, 'status' | 'errors'>> & {
    readonly route: `${Operation['method']} /${string}`;
  };

type Defined<Group, Table> = {
  readonly [Name in keyof Table & string]: Table[Name] &
    RouteOf<Table[Name]> & {
      readonly name: Name;
      readonly group: Group;
      readonly status: Table[Name] extends { readonly status: infer Status } ? Status : 200;
      readonly errors: Table[Name] extends { readonly errors: infer Errors } ? Errors : readonly [];
    };
};
type RouteOf<Row> = Row extends {
  readonly route: `${infer Method extends Operation['method']} ${infer Path}`;
}
  ? { readonly method: Method; readonly path: Path }
  : never;

/** Declares the operations of a section by their names, and keeps the exact type of each. */
export function defineOperations<
  const Group extends OperationGroup,
  const Table extends Readonly<Record<string, OperationRow>>,
>(group: Group, table: Table): Defined<Group, Table> {
  const defined = Object.entries(table).map(([name, { route, ...row }]) => {
    const [method, path] = route.split(' ');
    return [name, { name, group, method, path, status: 200, errors: [], ...row }];
  });
  return Object.fromEntries(defined) as Defined<Group, Table>;
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Input<S> = S extends z.ZodType ? z.input<S> : undefined;

/** Values of a request after validation, as handlers see them. */
export interface RequestOf<O extends Operation> {
  readonly params: Output<O['params']>;
  readonly query: Output<O['query']>;
  readonly body: Output<O['body']>;
}
export type BodyOf<O extends Operation> = Input<O['body']>;
export type ResponseOf<O extends Operation> = O['response'] extends z.ZodType
  ? z.output<O['response']>
  : never;
