// The schemas of the document: zod as JSON Schema 2020-12, each thing of the API once, under its name, and referred to
// everywhere else.

import * as z from 'zod';
import { apiKey, apiKeyOperations } from '../api-key.ts';
import { auditAction, auditActor, auditEntry, auditOperations, auditTarget } from '../audit.ts';
import {
  attributeDifference,
  comparisonDiff,
  comparisonSummary,
  dependencyDifference,
  runtimeDifference,
  variableDifference,
} from '../comparison.ts';
import { diagnosisAnswer, finding } from '../diagnosis.ts';
import { errorBody, errorDetail } from '../error-body.ts';
import { errorCodes } from '../error-codes.ts';
import { file, fileOperations } from '../file.ts';
import { fingerprintKey } from '../fingerprint-key.ts';
import { machineHealth, projectHealth, runHealth, shortCause } from '../health.ts';
import type { Operation } from '../operation.ts';
import { assignableRole, role, success } from '../primitives.ts';
import { project, projectWithCounts } from '../project.ts';
import { share } from '../share.ts';
import { snapshot, snapshotContent, snapshotOperations, snapshotSummary } from '../snapshot.ts';
import { machine, snapshotHistoryOperations, valueChange, valueSeries } from '../snapshot-history.ts';
import { member } from '../team.ts';
import { endpointUsage, loggedRequest, usage, usageHistory, usagePeriod } from '../usage.ts';
import { deliveryAttempt, webhook, webhookEvent, webhookFormat, webhookWithDeliveries } from '../webhook.ts';
import type { JsonObject, JsonValue } from './json.ts';

type Direction = 'input' | 'output';

/** Names of the things of the API. What an operation takes or gives beside them is named after the operation. */
const named: Readonly<Record<string, z.ZodType>> = {
  ApiError: errorBody,
  ErrorDetail: errorDetail,
  Role: role,
  AssignableRole: assignableRole,
  Success: success,
  Project: project,
  ProjectWithCounts: projectWithCounts,
  ApiKey: apiKey,
  CurrentApiKey: apiKeyOperations.getCurrentKey.response,
  FingerprintKey: fingerprintKey,
  Share: share,
  AuditEntry: auditEntry,
  AuditAction: auditAction,
  AuditActor: auditActor,
  AuditTarget: auditTarget,
  PageOfAuditEntries: auditOperations.listAuditEntries.response,
  Member: member,
  NewSnapshot: snapshotContent,
  Snapshot: snapshot,
  SnapshotSummary: snapshotSummary,
  PageOfSnapshots: snapshotOperations.listSnapshots.response,
  Comparison: comparisonDiff,
  ComparisonSummary: comparisonSummary,
  AttributeDifference: attributeDifference,
  RuntimeDifference: runtimeDifference,
  DependencyDifference: dependencyDifference,
  VariableDifference: variableDifference,
  Diagnosis: diagnosisAnswer,
  DiagnosisFinding: finding,
  Machine: machine,
  PageOfMachines: snapshotHistoryOperations.listMachines.response,
  ValueSeries: valueSeries,
  ValueChange: valueChange,
  WebhookEvent: webhookEvent,
  WebhookFormat: webhookFormat,
  Webhook: webhook,
  WebhookWithDeliveries: webhookWithDeliveries,
  DeliveryAttempt: deliveryAttempt,
  File: file,
  PageOfFiles: fileOperations.listFiles.response,
  ProjectHealth: projectHealth,
  MachineHealth: machineHealth,
  RunHealth: runHealth,
  ShortCause: shortCause,
  Usage: usage,
  UsagePeriod: usagePeriod,
  UsageHistory: usageHistory,
  EndpointUsage: endpointUsage,
  LoggedRequest: loggedRequest,
};

/** Collects schemas for `components.schemas` while the document is written. */
export class SchemaComponents {
  readonly #names = new Map<unknown, string>(Object.entries(named).map(([name, schema]) => [schema, name]));
  readonly #schemas = new Map<string, JsonObject>();

  /** A reference to what an operation takes (`…Body`) or gives (`…Answer`), or to the thing of the API that it is. */
  referTo(operation: Operation, part: 'Body' | 'Answer', schema: z.ZodType): JsonObject {
    const own = `${operation.name.charAt(0).toUpperCase()}${operation.name.slice(1)}${part}`;
    const name = this.#names.get(schema) ?? own;
    this.#names.set(schema, name);
    this.#define(name, schema, part === 'Body' ? 'input' : 'output');
    return { $ref: `#/components/schemas/${name}` };
  }

  /** A schema written out where it stands, with references to what has a name. */
  inline(schema: z.ZodType, direction: Direction): JsonObject {
    return this.#convert(schema, direction, undefined);
  }

  /** Everything that was referred to, by name. */
  all(): JsonObject {
    this.#define('ApiError', errorBody, 'output');
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #define(name: string, schema: z.ZodType, direction: Direction): void {
    if (this.#schemas.has(name)) return;
    this.#schemas.set(name, {}); // Ends a recursion.
    const made = this.#convert(schema, direction, name);
    if (name === 'ApiError') {
      const { code } = made.properties as { code: JsonObject };
      code.enum = Object.keys(errorCodes);
    }
    this.#schemas.set(name, made);
  }

  #convert(schema: z.ZodType, direction: Direction, ownName: string | undefined): JsonObject {
    const nameOf = (one: unknown): string | undefined => {
      // A schema that was described again is a copy of the one that has the name.
      for (let next = one as { _zod?: { parent?: unknown } } | undefined; next; ) {
        const name = this.#names.get(next);
        if (name !== undefined) return name;
        next = next._zod?.parent as typeof next;
      }
      return undefined;
    };
    const schemas = new Map<string, z.ZodType>();
    const {
      $schema: _,
      $defs: definitions,
      ...made
    } = z.toJSONSchema(schema, {
      io: direction,
      unrepresentable: 'any',
      reused: 'inline',
      target: 'draft-2020-12',
      override({ zodSchema, jsonSchema }) {
        if (direction === 'input') ignoreCaseAs(zodSchema, jsonSchema as JsonObject);
        const name = nameOf(zodSchema);
        if (name !== undefined && name !== ownName && (zodSchema as unknown) !== schema) {
          schemas.set(name, zodSchema as unknown as z.ZodType);
          (jsonSchema as JsonObject)['x-refer'] = name;
        }
      },
    }) as JsonObject;
    const shaped = this.#shape(made, (definitions ?? {}) as { [name: string]: JsonObject }) as JsonObject;
    for (const [name, one] of schemas)
      this.#define(
        name,
        originalOf(one, (each) => this.#names.has(each)),
        direction,
      );
    return shaped;
  }

  /** Puts references in, and leaves answers open for the fields that later versions add. */
  #shape(value: JsonValue, definitions: { [name: string]: JsonObject }): JsonValue {
    if (Array.isArray(value)) return value.map((one) => this.#shape(one, definitions));
    if (typeof value !== 'object' || value === null) return value;
    const target =
      typeof value.$ref === 'string' ? definitions[value.$ref.replace('#/$defs/', '')] : undefined;
    if (target) {
      const { $ref: _, ...own } = value;
      return this.#shape({ ...target, ...own }, definitions);
    }
    const { 'x-refer': name, ...own } = value;
    if (typeof name === 'string') {
      const beside = Object.entries(own).filter(([key]) => key === 'description' || key === 'default');
      return { $ref: `#/components/schemas/${name}`, ...Object.fromEntries(beside) };
    }
    const open =
      own.additionalProperties === false ? (({ additionalProperties: __, ...rest }) => rest)(own) : own;
    return orNull(
      Object.fromEntries(
        Object.entries(open)
          .filter(([key, one]) => !isSafeInteger(key, one))
          .map(([key, one]) => [key, this.#shape(one, definitions)]),
      ),
    );
  }
}

/** What may be null says so in its `type`: generators and readers see one thing then, not a choice of two. */
function orNull(schema: JsonObject): JsonObject {
  const { anyOf, ...beside } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value, nothing] = anyOf as [JsonObject, JsonObject];
  if (nothing.type !== 'null' || typeof value.type !== 'string' || value.enum) return schema;
  return { ...value, ...beside, type: [value.type, 'null'] };
}

/** The largest and the smallest safe integer, which say nothing about the field. */
function isSafeInteger(key: string, value: JsonValue): boolean {
  return (key === 'maximum' || key === 'minimum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}

/** JSON Schema has no flags: a pattern that takes both cases says so with its ranges. Only the ranges of ids occur. */
function ignoreCaseAs({ _zod }: z.core.$ZodType, jsonSchema: JsonObject): void {
  const { checks = [] } = _zod.def;
  const ignoresCase = checks.some((check) => (check._zod.def as { pattern?: RegExp }).pattern?.ignoreCase);
  if (ignoresCase && typeof jsonSchema.pattern === 'string')
    jsonSchema.pattern = jsonSchema.pattern.replaceAll('0-9a-f]', '0-9a-fA-F]');
}

function originalOf(schema: z.ZodType, isNamed: (schema: unknown) => boolean): z.ZodType {
  let next = schema as z.ZodType & { _zod: { parent?: z.ZodType } };
  while (!isNamed(next) && next._zod.parent) next = next._zod.parent as typeof next;
  return next;
}
