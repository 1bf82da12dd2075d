// The JSON documents of commands over machines and stored values, and the types of what those commands return. Never bundled:
// other files import only the types.

import type { CapturedSnapshot } from '@envsnap/capture';
import { exportFormats, policyOutcomes, policyRules } from '@envsnap/compare/workspace';
import {
  bool,
  int,
  natural,
  objects,
  operations,
  part,
  snapshot,
  string,
  stringOrNull,
  valueChange,
  valueSeries,
} from '@envsnap/shared';
import { distances } from '@envsnap/versions';
import * as z from 'zod';
import { exitCodes } from '../errors/cli-error.ts';
import { type Document, idSchema, machineNameSchema, momentSchema, texts } from './document-parts.ts';

const distance = z
  .enum(distances)
  .nullable()
  .describe('How far apart two versions are; null unless there are two different versions.');

const capture = snapshot.extend({
  id: idSchema.optional().describe('Id of the stored snapshot; absent with --dry-run and --output.'),
  os: string('Operating system: darwin, linux, win32.'),
  arch: string('CPU architecture: arm64, x64.'),
  createdAt: momentSchema.optional().describe('When it was stored; absent with --dry-run and --output.'),
}) satisfies z.ZodType<CapturedSnapshot>;

export const repair = z
  .object({
    side: z.enum(['a', 'b', 'both']).describe('The side to change; this machine is B.'),
    commands: texts('What to run here, in order, in one POSIX shell.'),
  })
  .nullable()
  .describe('Commands that repair it, ready to run; null if no command does.');

const check = z.object({
  policy: stringOrNull('The policy file; null if there is none.'),
  machineName: machineNameSchema,
  os: string('Operating system.'),
  arch: string('CPU architecture.'),
  passed: bool('Whether everything is as expected: exit 0.'),
  checks: objects('Every expectation of the policy.', {
    rule: z.enum(policyRules).describe('Part of the policy.'),
    key: string('What the policy checks, such as a tool or a variable.'),
    outcome: z.enum(policyOutcomes).describe('Its result.'),
    expected: string('What the policy asks for.'),
    actual: stringOrNull('The actual value; null for variables, whose values are not shown.'),
    message: string('A sentence without a full stop.'),
    advice: string('What to do about a violation.'),
    line: int('Line in the policy file, from 1.'),
  }),
  declared: objects(
    'Declared versions that this machine does not meet. A missing tool is listed but does not fail the check.',
    {
      key: string('Key in the section toolchain.'),
      tool: string('Tool.'),
      file: string('What declares it.'),
      requirement: string('The required version or range.'),
      present: stringOrNull('The version on this machine; null if there is none.'),
      message: string('A sentence without a full stop.'),
      advice: string('What to do about it.'),
      repair,
    },
  ),
  otherDeclared: objects('The other declared versions of tools that this machine has.', {
    tool: string('Tool.'),
    file: string('What declares it.'),
    requirement: string('The required version or range.'),
    present: string('The version on this machine.'),
    met: z.boolean().nullable().describe('True; null if no tool enforces it.'),
  }),
  installed: objects(
    'Installed packages that differ from the lock file or, without one, from the manifest.',
    {
      file: string('Lock file or manifest.'),
      name: string('Package.'),
      installed: stringOrNull('Installed version; null if it is missing.'),
      locked: stringOrNull('Locked version or requirement; null if the file does not have it.'),
      direct: bool('Whether the project itself asks for it, not only a dependency.'),
      requiredBy: texts('Some of the packages that depend on it.'),
      folder: stringOrNull('Its folder, if it is installed in only one.'),
      message: string('A sentence without a full stop.'),
      advice: stringOrNull('The command that repairs it, if one is known.'),
      repair,
    },
  ),
  notInstalled: objects(
    'Lock files, and manifests without one, whose packages or development packages are not installed. They do not fail the check.',
    {
      file: string('Lock file or manifest.'),
      message: string('A sentence without a full stop.'),
      advice: stringOrNull('The command that installs it, if one is known.'),
      repair,
    },
  ),
  checkout: objects('How the work tree differs from its commit.', {
    key: string('Key in the section checkout.'),
    value: string('How it differs from the commit.'),
    message: string('A sentence without a full stop.'),
    advice: stringOrNull('What to do, if known.'),
    repair,
    counts: bool('Whether it fails the check. Uncommitted work does not.'),
  }),
  accepted: natural('How many unmet expectations, versions and packages the policy accepts.'),
  notes: objects(
    'Acceptances that have expired (their differences count again), files that could not be read, and a note if nothing is expected.',
    {
      code: string('Code of the note, for programs.'),
      message: string('The note, for people.'),
      advice: z.string().optional().describe('What to do about it.'),
    },
  ),
});

export type MachineCheck = Document<typeof check>;

const doctor = z.object({
  ok: bool('Whether nothing failed: exit 0.'),
  checks: objects('In the order in which they were made.', {
    name: string('What was checked.'),
    state: z.enum(['ok', 'warning', 'failed', 'skipped']).describe('Its result.'),
    message: string('What was found.'),
    hint: z.string().exactOptional().describe('What to do about it.'),
  }),
});

export type Check = Document<typeof doctor>['checks'][number];

const history = operations.getHistory.response.extend({
  series: z
    .array(
      valueSeries.extend({ changes: z.array(valueChange.extend({ distance })).describe('Oldest first.') }),
    )
    .describe('By machine name.'),
});

export type History = Document<typeof history>;
export type MachineHistory = History['series'][number];

const matrix = z.object({
  machines: objects('The machines, in the order of the values.', {
    machineName: machineNameSchema,
    snapshotId: idSchema.nullable().describe('Its newest snapshot; null for a file.'),
    createdAt: momentSchema.nullable().describe('When that was stored; null for a file.'),
  }),
  rows: objects('Rows that differ come first.', {
    key: string('What is compared: "os", "runtimes.node", "facts.limits.openFiles".'),
    values: z.array(z.string().nullable()).describe('Value of each machine; null if it has none.'),
    equal: bool('Whether all machines have the same value.'),
    majority: z
      .string()
      .nullish()
      .describe('What more than half of the machines have; absent if no value has a majority.'),
    odd: z
      .array(z.number().int().min(0))
      .describe('Positions of the machines that differ from the majority.'),
    unknown: z
      .array(z.number().int().min(0))
      .describe('Positions of the machines whose capture could not read it.'),
    context: bool('True for runtimes that no project asks for, and for facts that are rarely a cause.'),
  }),
});

export type Matrix = Document<typeof matrix>;

const exported = z.object({
  format: z.enum(exportFormats).describe('The format.'),
  snapshotId: stringOrNull('The stored snapshot; null for a file.'),
  machineName: machineNameSchema,
  content: string('The exported text.'),
});

export type ExportedSnapshot = Document<typeof exported>;

const accept = z.object({
  policy: string('The policy file.'),
  accepted: part('The entry in the policy.', {
    key: string('What is accepted.'),
    reason: string('Why.'),
    until: stringOrNull('Last day on which it applies, YYYY-MM-DD; null for no end.'),
  }),
  replaced: bool('Whether this replaced an earlier acceptance of the same key.'),
});

export type AcceptResult = Document<typeof accept>;

const issue = z.object({ markdown: string('The report.') });

export const machineDocuments = {
  capture,
  check,
  accept,
  history,
  matrix,
  issue,
  doctor,
  'snapshot export': exported,
} as const;

const init = z.object({
  profile: string('Name of the profile.'),
  baseUrl: string('Address of the server.'),
  projectId: idSchema.describe('Id of the project.'),
  projectName: string('Name of the project.'),
  apiKeyId: idSchema.describe('Id of the key.'),
  role: string('What the key may do.'),
  created: bool('Whether this command created the project.'),
  configFile: string('File that holds the key.'),
});

export type InitResult = Omit<Document<typeof init>, 'configFile'>;

const current = stringOrNull('The current profile; null for none.');
const profile = z.object({
  name: string('Name of the profile.'),
  current: bool('Whether it is the current one.'),
  baseUrl: string('Address of the server.'),
  projectId: string('Id of the project.'),
  projectName: string('Name of the project.'),
  keyPrefix: string('First 11 characters of the key.'),
});

export type ListedProfile = Document<typeof profile>;

const delivery = z.object({
  receivedAt: momentSchema.describe('When it arrived.'),
  id: stringOrNull('webhook-id: the same on every attempt of one event.'),
  verified: bool('Whether its signature was checked and is valid.'),
  problem: stringOrNull('Why it was refused or not passed on; null if it was accepted.'),
  payload: z
    .looseObject({ event: z.string(), data: z.unknown(), timestamp: z.string().exactOptional() })
    .nullable()
    .describe('The event; null when it was refused.'),
  forwardedStatus: z
    .number()
    .int()
    .nullable()
    .describe('Status with which the --forward-to address responded.'),
});

export type ReceivedDelivery = Document<typeof delivery>;

const failure = z.object({
  message: string('What happened.'),
  code: string('What is wrong, for programs: a code of the server or of envsnap.'),
  exitCode: z.literal(Object.values(exitCodes)).describe('The exit code.'),
  status: z.number().int().optional().describe('Status of the response, if the service refused.'),
  requestId: z.string().optional().describe('Id of the request in the log of the server.'),
  retryAfterSeconds: z.number().optional().describe('When to try again.'),
  details: z
    .array(z.object({ path: string('The field.'), message: string('What is wrong.') }))
    .optional()
    .describe('Which fields were refused.'),
  hint: z.string().optional().describe('What to do.'),
});

/** By the words of the command. `error` is the document that any command prints if it fails. */
export const settingsDocuments = {
  error: z.object({ error: failure.describe('What went wrong.') }),
  init,
  'profile list': z.object({ profiles: z.array(profile).describe('By name.') }),
  'profile use': z.object({ current: string('The current profile.') }),
  'profile remove': z.object({ removed: string('Name of the removed profile.'), current }),
  'webhook listen': z.object({
    url: string('Where it listened.'),
    deliveries: z.array(delivery).describe('In the order in which they arrived.'),
  }),
  autocomplete: z.object({ shell: string('The shell.'), script: string('Its completion script.') }),
} as const;
