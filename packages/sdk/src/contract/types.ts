// The types of the API.
// Made by scripts/write-sdk-contract.ts from the table of operations; not to be edited.

import type { SnapshotMetadata } from '../snapshot-metadata.ts';

export interface ApiKey {
  /** Id of the key. */
  id: string;
  /** What the key is for. At most 100 characters. */
  label: string | null;
  /** What the key may do. */
  role: Role;
  /** First characters of the key, to recognise it by. At most 11 characters. */
  prefix: string;
  /** When the key was made. */
  createdAt: string;
  /** When it was last used, to the minute; null when never. */
  lastUsedAt: string | null;
  /** From when on it is refused; null for a key that stays until it is revoked. */
  expiresAt: string | null;
}

/** What the key may do. */
export type AssignableRole = 'admin' | 'member' | 'viewer';

/** Operating system. */
export interface AttributeDifference {
  /** Value in A; null when absent. */
  a: string | null;
  /** Value in B; null when absent. */
  b: string | null;
  /** Whether both are the same text. */
  match: boolean;
}

/** What was done. Later versions may add actions. */
export type AuditAction = 'project.created' | 'project.updated' | 'project.deleted' | 'key.created' | 'key.revoked' | 'key.owner_reset' | 'member.invited' | 'member.role_changed' | 'member.removed' | 'webhook.created' | 'webhook.updated' | 'webhook.deactivated' | 'webhook.deleted' | 'snapshot.deleted' | 'snapshot.variables_read' | 'diagnosis.made' | 'share.created' | 'session.opened' | 'session.ended' | 'share.revoked' | 'file.deleted' | 'file.downloaded' | 'fingerprint_key.read' | 'fingerprint_key.rotated' | 'quota.changed' | 'sign_in.failed' | 'bootstrap.refused' | 'master_key.rotated' | 'backup.created' | 'backup.incomplete' | 'backup.restored' | 'logs.pruned' | 'database.compacted' | 'database.repaired';

/** Who did it. */
export interface AuditActor {
  /** A key, the operator on the command line, the server by itself, or unknown: somebody without a valid key. */
  type: 'key' | 'operator' | 'server' | 'unknown';
  /** Id of the key; null unless it was one. */
  apiKeyId: string | null;
  /** The key's label at that time, or the system account of the operator; null when there is none. */
  label: string | null;
  /** The key's role at that time; null when there is none. */
  role: Role | null;
  /** Id of the member whose key it was; null when there is none. */
  memberId: string | null;
}

export interface AuditEntry {
  /** Id of the entry. */
  id: string;
  /** What was done. Later versions may add actions. */
  action: AuditAction;
  /** Who did it. */
  actor: AuditActor;
  /** What it was done to. */
  target: AuditTarget;
  /** What else there is to know, such as the role before and after. Never a secret. */
  details: { [name: string]: unknown };
  /** The server's own id of the request that did it; null when it was none. */
  requestId: string | null;
  /** The `X-Request-Id` that the caller sent with it, which anybody may choose; null when there was none. */
  clientRequestId: string | null;
  /** Address that the request came from, behind trusted proxies; null when there was no request. */
  clientAddress: string | null;
  /** When it was done. */
  createdAt: string;
}

/** What it was done to. */
export interface AuditTarget {
  /** What kind of thing it was done to. */
  type: 'project' | 'key' | 'member' | 'webhook' | 'snapshot' | 'share' | 'session' | 'file' | 'fingerprint_key' | 'server';
  /** Id of that thing; null when it has none. */
  id: string | null;
  /** Its name, label or origin at that time, to recognise it when it is gone; null when it has none. */
  name: string | null;
}

/** Create a project with its first key. */
export interface BootstrapAnswer {
  /** Id of the new project. */
  projectId: string;
  /** Id of its first key, the owner. */
  apiKeyId: string;
  /** The key itself. It is shown once, in this answer: store it now. */
  apiKey: string;
  /** A reminder to keep the key. */
  message: string;
}

/** Create a project with its first key. */
export interface BootstrapBody {
  /** Name of the project, 1 to 200 characters after trimming. */
  projectName: string;
  /** What it is for, up to 2,000 characters. */
  description?: string | null | undefined;
}

/** Compare two snapshots. */
export interface CompareSnapshotsAnswer {
  /** Id of side A. */
  snapshotA: string;
  /** Id of side B. */
  snapshotB: string;
  /** Every entry of every section. */
  diff: ComparisonDiff;
  /** How many entries of each section are in which state. */
  summary: ComparisonSummary;
}

/** Compare two snapshots. */
export interface CompareSnapshotsBody {
  /** Id of the snapshot to compare with. */
  snapshotA: string;
  /** Id of the snapshot that is compared. */
  snapshotB: string;
  /** Compare and return the values of variables. */
  includeEnvValues?: boolean | undefined;
  /** Compare the values of variables, but return none. */
  compareEnvValues?: boolean | undefined;
}

/** Every entry of every section. */
export interface ComparisonDiff {
  /** Operating system. */
  os: AttributeDifference;
  /** CPU architecture. */
  arch: AttributeDifference;
  /** Runtimes by name. */
  runtimes: RuntimeDifference[];
  /** Packages by key. */
  dependencies: DependencyDifference[];
  /** Variables by name. */
  envVars: VariableDifference[];
}

/** How many entries of each section are in which state. */
export interface ComparisonSummary {
  /** Operating system: one entry. */
  os: {
    /** The same on both sides. */
    same: number;
    /** Different values. */
    changed: number;
    /** In B only. */
    added: number;
    /** In A only. */
    removed: number;
  };
  /** Architecture: one entry. */
  arch: {
    /** The same on both sides. */
    same: number;
    /** Different values. */
    changed: number;
    /** In B only. */
    added: number;
    /** In A only. */
    removed: number;
  };
  /** Runtimes. */
  runtimes: {
    /** The same on both sides. */
    same: number;
    /** Different values. */
    changed: number;
    /** In B only. */
    added: number;
    /** In A only. */
    removed: number;
  };
  /** Packages of all dependency files. */
  dependencies: {
    /** The same on both sides. */
    same: number;
    /** Different values. */
    changed: number;
    /** In B only. */
    added: number;
    /** In A only. */
    removed: number;
  };
  /** Variables. */
  envVars: {
    /** The same on both sides. */
    same: number;
    /** Different values. */
    changed: number;
    /** In B only. */
    added: number;
    /** In A only. */
    removed: number;
  };
}

/** Make a link that signs in to the console once. */
export interface CreateConsoleLinkAnswer {
  /** The link. It signs in whoever opens it first, with the calling key. */
  url: string;
  /** Until when it can be opened: a minute from now. */
  expiresAt: string;
}

/** Make a link that signs in to the console once. */
export interface CreateConsoleLinkBody {
  /** Page to open, below the console: `runs`, `compare?a=ID&b=ID`. At most 2,000 characters. */
  page?: string | null | undefined;
}

/** Create a key for the current project. */
export interface CreateKeyAnswer {
  /** The key itself. It is shown once, in this answer: store it now. */
  apiKey: string;
  /** What the key is for. */
  label: string | null;
  /** What the key may do. */
  role: Role;
  /** From when on the key is refused; null for a key that stays. */
  expiresAt: string | null;
  /** Id of the new key. */
  apiKeyId: string;
  /** A reminder to keep the key. */
  message: string;
}

/** Create another project with an owner key of its own. */
export interface CreateProjectAnswer {
  /** Id of the new project. */
  projectId: string;
  /** Id of its first key. */
  apiKeyId: string;
  /** The key itself. It is shown once, in this answer: store it now. */
  apiKey: string;
  /** Name of the project, trimmed. */
  name: string;
  /** A reminder to keep the key. */
  message: string;
}

/** Create another project with an owner key of its own. */
export interface CreateProjectBody {
  /** Name of the project, 1 to 200 characters after trimming. */
  name: string;
  /** What it is for, up to 2,000 characters. */
  description?: string | null | undefined;
}

/** Make a page about a snapshot or a comparison that opens without a key. */
export interface CreateShareAnswer {
  /** Id of the share. */
  id: string;
  /** Address of the page. Whoever has it can read the page: it is shown this once. */
  url: string;
  /** From when on the page is gone. */
  expiresAt: string;
}

/** Store a snapshot. */
export interface CreateSnapshotAnswer {
  /** Id of the new snapshot. */
  id: string;
  /** Machine that was captured. */
  machineName: string;
  /** When the snapshot was stored. */
  createdAt: string;
}

/** Subscribe a URL to events. */
export interface CreateWebhookAnswer extends Webhook {
  /** Signing secret. It is shown once, in this answer. */
  secret: string;
}

/** Subscribe a URL to events. */
export interface CreateWebhookBody {
  /** Where deliveries go: http or https, without credentials, up to 2,048 characters. */
  url: string;
  /** Events to subscribe to. At most 100 items. */
  events: readonly WebhookEvent[];
  /** Signing secret, 8 to 256 characters; made by the server when absent. */
  secret?: string | null | undefined;
}

export interface CursorInfo {
  /** How many entries there are in all. */
  total: number;
  /** The limit that was applied. At least 1. At most 100. */
  limit: number;
  /** The offset that was applied. */
  offset: number;
  /** Where the next page begins, for `after`; null on the last page. */
  next: string | null;
}

export interface CursorQuery {
  /** How many entries to return. More than 100 counts as 100. */
  limit?: number | undefined;
  /** How many of the first entries to leave out. */
  offset?: number | undefined;
  /** Begin behind this place: the `next` of the page before, or the id of an entry. Nothing is skipped or repeated then, whatever is added or deleted between two pages. */
  after?: string | undefined;
}

/** Delete a project and everything in it, for good. */
export interface DeleteProjectAnswer {
  /** Always true: a failure is an error answer. */
  success: true;
  /** What was deleted. */
  message: string;
}

export interface DeliveryAttempt {
  /** Id of the attempt. */
  id: string;
  /** Event that was delivered. */
  event: string;
  /** Null when no response came. */
  responseStatus: number | null;
  /** Whether the receiver answered 2xx. */
  success: boolean;
  /** When the attempt began. */
  attemptedAt: string;
  /** 1 for the first attempt of the event. */
  attempt: number;
  /** How long it took, in milliseconds. */
  durationMs: number;
  /** Why the attempt failed, when it did. */
  error: string | null;
}

export interface DependencyDifference {
  /** Dependency file and package, joined with "/". */
  key: string;
  /** Value in A; null when absent. */
  a: string | null;
  /** Value in B; null when absent. */
  b: string | null;
  /** added: in B only; removed: in A only. */
  status: DependencyStatus;
}

/** added: in B only; removed: in A only. */
export type DependencyStatus = 'same' | 'changed' | 'added' | 'removed';

/** Find what separates failing runs from passing ones. */
export interface DiagnoseBody {
  /** Snapshots of runs that passed. By default the stored ones with the outcome "passed". At most 1000 items. */
  passed?: readonly string[] | undefined;
  /** Snapshots of runs that failed. By default the stored ones with the outcome "failed". At most 1000 items. */
  failed?: readonly string[] | undefined;
  /** Of the stored runs only those of this name, as metadata.outcome says. At most 200 characters. */
  outcomeOf?: string | null | undefined;
  /** Only runs in which this test ran, and how it ended there: its name, or class name and name with a dot between. At most 400 characters. */
  test?: string | null | undefined;
  /** Of the stored runs only those of this machine. At most 255 characters. */
  machineName?: string | null | undefined;
  /** Of the stored runs only the newest; at most and by default 1000. */
  last?: number | undefined;
}

export interface DiagnosisAnswer {
  /** How many runs were looked at. */
  runs: {
    /** Runs that passed. */
    passed: number;
    /** Runs that failed. */
    failed: number;
  };
  /** The likeliest first. Those with a qValue above 0.05 are leads: chance may explain them. */
  findings: Finding[];
  /** How many hypotheses were tested. */
  tests: number;
  /** The run to make next. */
  suggestion: string | null;
  /** What limits what the findings say. */
  notes: {
    /** What the note is about, for programs. */
    code: 'too_few_runs' | 'one_outcome_only' | 'not_comparable' | 'runs_left_out' | 'keys_left_out';
    /** The same, for people. */
    message: string;
  }[];
}

export interface EndpointUsage {
  /** The route's template, e.g. /machine/snapshots/:id. */
  path: string;
  /** HTTP status of the answers. */
  statusCode: number;
  /** How many requests. */
  count: number;
  /** Mean time to the end of the answer, in milliseconds. */
  avgResponseMs: number;
}

export interface ErrorDetail {
  /** The field in dots, e.g. envVars.PATH; empty for the whole. */
  path: string;
  /** What is wrong with it. */
  message: string;
}

export interface Finding {
  /** What differs in the very same runs, the likeliest cause first: "runtimes.node", "env:TZ". At most 50. */
  keys: string[];
  /** How many keys differ in the very same runs. */
  keyCount: number;
  /** A sentence: "12 of 12 failing runs have node 24.1.0, 0 of 31 passing ones". */
  what: string;
  /** What changed together with the first key; such a group cannot be told apart by these runs. */
  together: string | null;
  /** Fisher's exact test, two-sided. At most 1. */
  pValue: number;
  /** False-discovery rate over everything tested (Benjamini and Hochberg); a finding has at most 0.05. At most 1. */
  qValue: number;
  /** Failing runs that have it. */
  inFailed: number;
  /** Passing runs that have it. */
  inPassed: number;
  /** Failing runs for which it is known. */
  ofFailed: number;
  /** Passing runs for which it is known. */
  ofPassed: number;
  /** The first run that has it, when no later run lacks it and no earlier one has it. */
  since: string | null;
  /** Place in this list of the finding that explains this one. */
  explainedBy: number | null;
}

export interface FingerprintKey {
  /** Id of the fingerprint key. */
  id: string;
  /** 32 bytes in lower-case hex. */
  key: string;
  /** When the key was made or last replaced. */
  createdAt: string;
}

/** Who am I: the calling key and its project. */
export interface GetCurrentKeyAnswer extends ApiKey {
  /** Id of the project that the key belongs to. */
  projectId: string;
  /** Name of that project. */
  projectName: string;
}

/** Check that the process is alive. */
export interface GetHealthAnswer {
  /** The process is alive. */
  status: 'ok';
  /** Version of the server. */
  version: string;
  /** Commit that the server was built from, where the build knew it. */
  commit?: string | undefined;
}

/** Show when a value changed, on each machine. */
export interface GetHistoryAnswer {
  /** The key that was asked for. */
  key: string;
  /** By machine name. */
  series: ValueSeries[];
  /** How many snapshots were looked at. */
  scanned: number;
  /** How many there are. */
  total: number;
  /** Whether older snapshots were left out because together they hold more than one request may read. */
  limitReached: boolean;
}

/** Show when a value changed, on each machine. */
export interface GetHistoryQuery {
  /** What to follow: os, arch, runtimes.NAME, dependencies:FILE/PACKAGE, env:NAME, system.FACT, facts.FACT or metadata.PATH. At most 8,192 characters. */
  key: string;
  /** Only this machine. At most 255 characters. */
  machineName?: string | undefined;
  /** How many snapshots to look at, the newest ones; at most 1000. */
  snapshots?: number | undefined;
}

/** Show the last 100 requests, the newest first. */
export interface GetLiveRequestsAnswer {
  /** The newest first. At most 100 items. */
  requests: LoggedRequest[];
}

/** Check whether requests can be served: database reachable, not stopping. */
export interface GetReadinessAnswer {
  /** Requests can be served. */
  status: 'ready';
}

/** Count requests by period and endpoint. */
export interface GetUsageHistoryQuery {
  /** Length of a period. Default: "day". */
  period?: UsagePeriod | undefined;
  /** Default: 30 days before "to". */
  from?: string | Date | undefined;
  /** Default: now. */
  to?: string | Date | undefined;
}

/** Invite a member with a fresh key. */
export interface InviteMemberAnswer {
  /** The key itself. It is shown once, in this answer: store it now. */
  apiKey: string;
  /** What the key is for. */
  label: string | null;
  /** What the key may do. */
  role: Role;
  /** From when on the key is refused; null for a key that stays. */
  expiresAt: string | null;
  /** Id of the new member. */
  memberId: string;
  /** Id of the member's key. */
  apiKeyId: string;
  /** A reminder to pass the key on. */
  message: string;
}

/** List what was done in the project and by whom, the newest first. */
export interface ListAuditEntriesAnswer extends CursorInfo {
  /** The page, the newest first. */
  entries: AuditEntry[];
}

/** List what was done in the project and by whom, the newest first. */
export interface ListAuditEntriesQuery extends CursorQuery {
  /** Only entries of this action. */
  action?: AuditAction | undefined;
  /** Only entries of this actor: the id of a key, `operator`, `server` or `unknown`. */
  actor?: string | undefined;
  /** Only entries written at or after this time. */
  from?: string | Date | undefined;
  /** Only entries written at or before this time. */
  to?: string | Date | undefined;
}

/** List files, the newest first. */
export interface ListFilesAnswer extends CursorInfo {
  /** The page, the newest first. */
  files: StoredFile[];
}

/** List the keys of the current project. */
export interface ListKeysAnswer extends PartInfo {
  /** The keys of the project. */
  keys: ApiKey[];
}

/** List machines, each with its newest snapshot. */
export interface ListMachinesAnswer {
  /** How many entries there are in all. */
  total: number;
  /** The limit that was applied. At least 1. At most 100. */
  limit: number;
  /** The offset that was applied. */
  offset: number;
  /** The page, by name; shorter than "limit" where values are long. The next one begins behind its last machine. */
  machines: Machine[];
}

/** List machines, each with its newest snapshot. */
export interface ListMachinesQuery {
  /** How many entries to return. More than 100 counts as 100. */
  limit?: number | undefined;
  /** How many of the first entries to leave out. */
  offset?: number | undefined;
  /** Values to look up in each newest snapshot, joined by commas. At most 163,840 characters. */
  keys?: string | undefined;
}

/** List the members of a project, the oldest first. */
export interface ListMembersAnswer extends PartInfo {
  /** The members, the owner included. */
  members: Member[];
}

/** List the projects that the calling key has access to. */
export interface ListProjectsAnswer {
  /** The projects; today always one, that of the key. */
  projects: Project[];
}

/** List the shares of the current project, the newest first. */
export interface ListSharesAnswer extends PartInfo {
  /** Those that have not expired. */
  shares: Share[];
}

/** List snapshots, the newest first. */
export interface ListSnapshotsAnswer extends CursorInfo {
  /** The page, the newest first. */
  snapshots: SnapshotSummary[];
}

/** List snapshots, the newest first. */
export interface ListSnapshotsQuery extends CursorQuery {
  /** Only snapshots of this machine. At most 255 characters. */
  machineName?: string | undefined;
  /** Only this operating system. */
  os?: string | undefined;
  /** Only this architecture. */
  arch?: string | undefined;
  /** Only snapshots of runs that ended so, as metadata.outcome says. */
  outcome?: 'passed' | 'failed' | undefined;
  /** Only runs of this name, as metadata.outcome says. */
  outcomeOf?: string | undefined;
  /** Only snapshots created at or after this moment. */
  from?: string | Date | undefined;
  /** Only snapshots created at or before this moment. */
  to?: string | Date | undefined;
}

/** List webhooks, the newest first. */
export interface ListWebhooksAnswer extends PartInfo {
  /** The newest first. */
  webhooks: Webhook[];
}

export interface LoggedRequest {
  /** HTTP method. */
  method: string;
  /** Path without its query. */
  path: string;
  /** HTTP status of the answer. */
  statusCode: number;
  /** Time to the end of the answer, in milliseconds. */
  responseTimeMs: number;
  /** When the request came. */
  createdAt: string;
}

export interface Machine {
  /** Name of the machine. */
  machineName: string;
  /** How many of its snapshots are stored. At least 1. */
  snapshots: number;
  /** Its newest snapshot. */
  latest: SnapshotSummary;
  /** The values of the keys that were asked for, in their order. */
  values: {
    /** The key that was asked for. */
    key: string;
    /** Null when the snapshot has none. Of a variable a number for each different value in this answer, or "set" where its value cannot be compared: values are not shown. */
    value: string | null;
  }[];
}

export interface Member {
  /** Id of the member, the memberId of paths. */
  id: string;
  /** Id of the member's key. */
  apiKeyId: string;
  /** What that key is for. */
  keyLabel: string | null;
  /** What the member may do. */
  role: Role;
  /** apiKeyId of the inviter; null for the first owner. */
  invitedBy: string | null;
  /** When the member joined. */
  joinedAt: string;
}

export interface NewKeyBody {
  /** What the key is for, up to 100 characters. Default: null. */
  label?: string | null | undefined;
  /** What the key may do. Default: "member". */
  role?: AssignableRole | undefined;
  /** From when on the key is refused, in the future; by default it stays until it is revoked. */
  expiresAt?: string | null | undefined;
}

export type Outcome = 'passed' | 'failed';

export interface PartInfo {
  /** How many entries there are in all. */
  total: number;
  /** The limit that was applied; null for none. At least 1. */
  limit: number | null;
  /** The offset that was applied. */
  offset: number;
}

export interface PartQuery {
  /** How many entries to return; all when absent. More than 100 counts as 100. */
  limit?: number | undefined;
  /** How many of the first entries to leave out. */
  offset?: number | undefined;
}

export interface Project {
  /** Id of the project. */
  id: string;
  /** Name of the project. */
  name: string;
  /** What the project is for; null when nothing was said. */
  description: string | null;
  /** The calling key's role in the project. */
  role: Role;
  /** When the project was made. */
  createdAt: string;
  /** When its name or description last changed. */
  updatedAt: string;
}

export interface ProjectWithCounts extends Project {
  /** What the project holds. */
  counts: {
    /** Snapshots stored. */
    snapshots: number;
    /** Files stored. */
    files: number;
    /** Members, the owner included. */
    members: number;
  };
}

/** Send the event of an earlier delivery attempt again, with the same webhook-id. */
export interface RedeliverWebhookAnswer {
  /** How the attempt went. */
  delivery: DeliveryAttempt;
}

/** What the key may do. */
export type Role = 'owner' | 'admin' | 'member' | 'viewer';

export interface RuntimeDifference extends AttributeDifference {
  /** Name of the runtime. */
  key: string;
}

export interface Share {
  /** Id of the share. */
  id: string;
  /** What the page shows. */
  kind: 'snapshot' | 'comparison';
  /** The snapshots that it was made from: one, or A and B. They may have been deleted since. */
  snapshots: string[];
  /** Id of the key that made it; null once that key is revoked. */
  createdBy: string | null;
  /** When it was made. */
  createdAt: string;
  /** From when on its page is gone. */
  expiresAt: string;
}

export interface ShareBody {
  /** Show one snapshot (`snapshotId`), or what differs between two (`a`, `b`). */
  kind: 'snapshot' | 'comparison';
  /** Id of the snapshot that is shown. */
  snapshotId?: string | null | undefined;
  /** Id of the snapshot to compare with. */
  a?: string | null | undefined;
  /** Id of the snapshot that is judged. Its policy holds, where its capture carries one. */
  b?: string | null | undefined;
  /** How long the page stays, in seconds: 5 minutes to 30 days. By default a week. At least 300. At most 2,592,000. */
  expiresIn?: number | undefined;
}

export interface Snapshot extends SnapshotSummary {
  /** Dependency file to package to version. */
  dependencies: { [name: string]: { [name: string]: string } };
  /** Variable name to value, decrypted for this answer. */
  envVars: { [name: string]: string };
}

export interface SnapshotContent {
  /** Identifier of the machine, 1 to 255 characters that are not all blanks. */
  machineName: string;
  /** Operating system: darwin, linux, win32 or any other text. At most 64 characters. */
  os?: string | null | undefined;
  /** CPU architecture: arm64, x64 or any other text. */
  arch?: string | null | undefined;
  /** Runtime name to version, at most 10,000 of them and 256 KiB as JSON. */
  runtimeVersions?: { [name: string]: string } | null | undefined;
  /** Dependency file to package to version: at most 1,000 files with 100,000 packages together. */
  dependencies?: { [name: string]: { [name: string]: string } } | null | undefined;
  /** Variable name to value, at most 10,000 of them and 128 KiB a value in UTF-8; encrypted before storage. */
  envVars?: { [name: string]: string } | null | undefined;
  /** Any object of at most 256 KiB as JSON and 64 levels. */
  metadata?: SnapshotMetadata | null | undefined;
}

export interface SnapshotSummary {
  /** Id of the snapshot. */
  id: string;
  /** Machine that was captured. */
  machineName: string;
  /** Operating system: darwin, linux, win32 or any other text. */
  os: string | null;
  /** CPU architecture: arm64, x64 or any other text. */
  arch: string | null;
  /** Runtime name to version. */
  runtimeVersions: { [name: string]: string };
  /** What else the capture recorded: tools, system, facts, git, CI. */
  metadata: SnapshotMetadata;
  /** When the snapshot was stored. */
  createdAt: string;
}

export interface StoredFile {
  /** Id of the file. */
  id: string;
  /** Name without a path. */
  filename: string;
  /** Media type that was given with the upload. */
  contentType: string;
  /** Size in bytes. */
  sizeBytes: number;
  /** SHA-256 of the bytes, hex. */
  checksum: string;
  /** When the file was stored. */
  createdAt: string;
}

export interface Success {
  /** Always true: a failure is an error answer. */
  success: true;
}

/** Send a webhook.test event now and say how it went. */
export interface TestWebhookAnswer {
  /** How the attempt went. */
  delivery: DeliveryAttempt;
}

/** Change a member's role. */
export interface UpdateMemberAnswer {
  /** Always true: a failure is an error answer. */
  success: true;
  /** Id of the member. */
  memberId: string;
  /** The role from now on. */
  newRole: AssignableRole;
}

/** Change a member's role. */
export interface UpdateMemberBody {
  /** The new role. */
  role: AssignableRole;
}

/** Change the name or description of a project. */
export interface UpdateProjectBody {
  /** New name, 1 to 200 characters after trimming. */
  name?: string | null | undefined;
  /** New description; null removes it. At most 2,000 characters. */
  description?: string | null | undefined;
}

/** Change a webhook's URL, events or active flag. */
export interface UpdateWebhookAnswer extends Webhook {
  /** Always true: a failure is an error answer. */
  success: true;
}

/** Change a webhook's URL, events or active flag. */
export interface UpdateWebhookBody {
  /** New URL. At most 2,048 characters. */
  url?: string | null | undefined;
  /** New events; they replace the old ones. At most 100 items. */
  events?: readonly WebhookEvent[] | undefined;
  /** False to pause it. */
  active?: boolean | undefined;
}

/** Upload a file as multipart/form-data, field "file". */
export interface UploadFileAnswer {
  /** Id of the new file. */
  id: string;
  /** Name without a path. */
  filename: string;
  /** Size in bytes. */
  size: number;
  /** SHA-256 of the bytes, hex. */
  checksum: string;
  /** When the file was stored. */
  createdAt: string;
}

export interface Usage {
  /** How many of each the project holds. */
  resources: {
    /** Snapshots stored, without those of runs. */
    snapshots: number;
    /** Snapshots of runs: those with an outcome. */
    runs: number;
    /** Files stored. */
    files: number;
    /** Keys that are not revoked. */
    apiKeys: number;
  };
  /** Storage taken by files. */
  storage: {
    /** Bytes of all files. */
    usedBytes: number;
    /** The same in units of 1,048,576 bytes, to two decimals. */
    usedMB: number;
  };
  /** What the project may hold, and how often it may ask. */
  quotas: {
    /** Most snapshots, without those of runs. */
    maxSnapshots: number;
    /** Most snapshots of runs; when one is added, the oldest leaves. */
    maxRuns: number;
    /** Most files. */
    maxFiles: number;
    /** Most bytes of all files. */
    maxStorageBytes: number;
    /** The same in units of 1,048,576 bytes, to two decimals. */
    maxStorageMB: number;
    /** Most requests of one key in any 60 seconds. */
    maxRequestsPerMinute: number;
    /** Most requests of one key in any 24 hours. */
    maxRequestsPerDay: number;
  };
}

export interface UsageHistory {
  /** Length of a period. */
  period: UsagePeriod;
  /** Start of the counted period. */
  from: string;
  /** End of the counted period. */
  to: string;
  /** Period key in UTC to its counts: 2026-02-07T13:00:00Z, 2026-02-07, 2026-W06 or 2026-02. */
  data: { [name: string]: {
    /** Requests in the period. */
    total: number;
    /** The same by endpoint and status. */
    endpoints: EndpointUsage[];
  } };
}

/** Length of a period. */
export type UsagePeriod = 'hour' | 'day' | 'week' | 'month';

export interface ValueChange {
  /** Snapshot in which the value was first seen. */
  snapshotId: string;
  /** When that snapshot was stored. */
  createdAt: string;
  /** Null when there is none. Of a variable a number for each different value: values are not shown. */
  value: string | null;
  /** How the run of that snapshot ended, as metadata.outcome says; null where it says nothing. */
  outcome: Outcome | null;
}

export interface ValueSeries {
  /** Name of the machine. */
  machineName: string;
  /** How many of its snapshots were looked at. */
  snapshots: number;
  /** Oldest first; the first is the value of the oldest snapshot looked at. */
  changes: ValueChange[];
}

export interface VariableDifference {
  /** Name of the variable. */
  key: string;
  /** Without values, "same" means that the name is on both sides. */
  status: 'same' | 'changed' | 'added' | 'removed';
  /** Only with includeEnvValues. */
  a?: string | null | undefined;
  /** Only with includeEnvValues. */
  b?: string | null | undefined;
  /** Only with values, and only when they cannot be compared: secrets that were left out, or fingerprints that different keys made. The status is "same" then, since the name is on both sides. */
  comparable?: false | undefined;
}

export interface Webhook {
  /** Id of the webhook. */
  id: string;
  /** Where deliveries go. */
  url: string;
  /** Events that it gets. */
  events: WebhookEvent[];
  /** Whether it gets any. */
  active: boolean;
  /** When the webhook was made. */
  createdAt: string;
}

export type WebhookEvent = 'snapshot.created' | 'snapshot.deleted' | 'file.uploaded' | 'file.deleted' | 'member.invited' | 'member.removed' | 'key.expiring';

export interface WebhookWithDeliveries extends Webhook {
  /** The last 20 attempts, the newest first. */
  recentDeliveries: DeliveryAttempt[];
}

/** `data` of a delivery by its event; `webhook.test` is sent on request only. */
export interface WebhookEventData {
  'snapshot.created': {
    /** Id of the new snapshot. */
    snapshotId: string;
    /** Machine that was captured. */
    machineName: string;
  };
  'snapshot.deleted': {
    /** Id that the snapshot had. */
    snapshotId: string;
  };
  'file.uploaded': {
    /** Id of the new file. */
    fileId: string;
    /** Name without a path. */
    filename: string;
  };
  'file.deleted': {
    /** Id that the file had. */
    fileId: string;
    /** Name without a path. */
    filename: string;
  };
  'member.invited': {
    /** Id of the new member. */
    memberId: string;
    /** What the member may do. */
    role: string;
    /** Id of the key that invited. */
    invitedBy: string;
  };
  'member.removed': {
    /** Id that the member had. */
    memberId: string;
    /** Id of the key that was revoked. */
    apiKeyId: string;
  };
  'key.expiring': {
    /** Id of the key. */
    apiKeyId: string;
    /** What the key is for. */
    label: string | null;
    /** What the key may do. */
    role: string;
    /** From when on it is refused. */
    expiresAt: string;
  };
  'webhook.test': {
    /** Id of the webhook. */
    webhookId: string;
  };
}

/** The body of a delivery. `id` equals the header `webhook-id` and is the same on every attempt of one event. */
export type WebhookPayload = {
  [E in keyof WebhookEventData]: { id: string; event: E; data: WebhookEventData[E]; timestamp: string };
}[keyof WebhookEventData];

/** The JSON answer of each operation. */
export interface Answers {
  /** Create a project with its first key. `POST /machine/keys/bootstrap` */
  bootstrap: BootstrapAnswer;
  /** Create a key for the current project. `POST /machine/keys` */
  createKey: CreateKeyAnswer;
  /** List the keys of the current project. `GET /machine/keys` */
  listKeys: ListKeysAnswer;
  /** Who am I: the calling key and its project. `GET /machine/keys/current` */
  getCurrentKey: GetCurrentKeyAnswer;
  /** Revoke a key and remove its membership. `DELETE /machine/keys/:id` */
  revokeKey: Success;
  /** Show the project's fingerprint key, for whoever may store snapshots. `GET /machine/fingerprint-key` */
  getFingerprintKey: FingerprintKey;
  /** Replace the fingerprint key, and fingerprint what is stored anew. `POST /machine/fingerprint-key/rotate` */
  rotateFingerprintKey: FingerprintKey;
  /** Create another project with an owner key of its own. `POST /machine/projects` */
  createProject: CreateProjectAnswer;
  /** List the projects that the calling key has access to. `GET /machine/projects` */
  listProjects: ListProjectsAnswer;
  /** Show a project with its counts. `GET /machine/projects/:id` */
  getProject: ProjectWithCounts;
  /** Change the name or description of a project. `PATCH /machine/projects/:id` */
  updateProject: Success;
  /** Delete a project and everything in it, for good. `DELETE /machine/projects/:id` */
  deleteProject: DeleteProjectAnswer;
  /** List what was done in the project and by whom, the newest first. `GET /machine/audit` */
  listAuditEntries: ListAuditEntriesAnswer;
  /** List the members of a project, the oldest first. `GET /machine/team/:projectId/members` */
  listMembers: ListMembersAnswer;
  /** Invite a member with a fresh key. `POST /machine/team/:projectId/members` */
  inviteMember: InviteMemberAnswer;
  /** Change a member's role. `PATCH /machine/team/:projectId/members/:memberId` */
  updateMember: UpdateMemberAnswer;
  /** Remove a member and revoke their key. `DELETE /machine/team/:projectId/members/:memberId` */
  removeMember: Success;
  /** Store a snapshot. `POST /machine/snapshots` */
  createSnapshot: CreateSnapshotAnswer;
  /** List snapshots, the newest first. `GET /machine/snapshots` */
  listSnapshots: ListSnapshotsAnswer;
  /** Show a snapshot with its variables. `GET /machine/snapshots/:id` */
  getSnapshot: Snapshot;
  /** Delete a snapshot. `DELETE /machine/snapshots/:id` */
  deleteSnapshot: Success;
  /** Compare two snapshots. `POST /machine/snapshots/compare` */
  compareSnapshots: CompareSnapshotsAnswer;
  /** Find what separates failing runs from passing ones. `POST /machine/diagnosis` */
  diagnose: DiagnosisAnswer;
  /** List machines, each with its newest snapshot. `GET /machine/machines` */
  listMachines: ListMachinesAnswer;
  /** Show when a value changed, on each machine. `GET /machine/history` */
  getHistory: GetHistoryAnswer;
  /** Make a page about a snapshot or a comparison that opens without a key. `POST /machine/shares` */
  createShare: CreateShareAnswer;
  /** List the shares of the current project, the newest first. `GET /machine/shares` */
  listShares: ListSharesAnswer;
  /** Revoke a share. `DELETE /machine/shares/:id` */
  deleteShare: Success;
  /** Make a link that signs in to the console once. `POST /machine/console-links` */
  createConsoleLink: CreateConsoleLinkAnswer;
  /** Subscribe a URL to events. `POST /machine/webhooks` */
  createWebhook: CreateWebhookAnswer;
  /** List webhooks, the newest first. `GET /machine/webhooks` */
  listWebhooks: ListWebhooksAnswer;
  /** Show a webhook with its last 20 delivery attempts. `GET /machine/webhooks/:id` */
  getWebhook: WebhookWithDeliveries;
  /** Change a webhook's URL, events or active flag. `PATCH /machine/webhooks/:id` */
  updateWebhook: UpdateWebhookAnswer;
  /** Delete a webhook and its delivery log. `DELETE /machine/webhooks/:id` */
  deleteWebhook: Success;
  /** Send a webhook.test event now and say how it went. `POST /machine/webhooks/:id/test` */
  testWebhook: TestWebhookAnswer;
  /** Send the event of an earlier delivery attempt again, with the same webhook-id. `POST /machine/webhooks/:id/deliveries/:deliveryId/redeliver` */
  redeliverWebhook: RedeliverWebhookAnswer;
  /** Upload a file as multipart/form-data, field "file". `POST /machine/files` */
  uploadFile: UploadFileAnswer;
  /** List files, the newest first. `GET /machine/files` */
  listFiles: ListFilesAnswer;
  /** Delete a file. `DELETE /machine/files/:id` */
  deleteFile: Success;
  /** Show what the project holds and what it may hold. `GET /machine/usage` */
  getUsage: Usage;
  /** Count requests by period and endpoint. `GET /machine/usage/requests` */
  getUsageHistory: UsageHistory;
  /** Show the last 100 requests, the newest first. `GET /machine/usage/requests/live` */
  getLiveRequests: GetLiveRequestsAnswer;
  /** Check that the process is alive. `GET /health` */
  getHealth: GetHealthAnswer;
  /** Check whether requests can be served: database reachable, not stopping. `GET /ready` */
  getReadiness: GetReadinessAnswer;
}

/** The JSON body of each operation that takes one. */
export interface Bodies {
  /** Create a project with its first key. `POST /machine/keys/bootstrap` */
  bootstrap: BootstrapBody;
  /** Create a key for the current project. `POST /machine/keys` */
  createKey: NewKeyBody;
  /** Create another project with an owner key of its own. `POST /machine/projects` */
  createProject: CreateProjectBody;
  /** Change the name or description of a project. `PATCH /machine/projects/:id` */
  updateProject: UpdateProjectBody;
  /** Invite a member with a fresh key. `POST /machine/team/:projectId/members` */
  inviteMember: NewKeyBody;
  /** Change a member's role. `PATCH /machine/team/:projectId/members/:memberId` */
  updateMember: UpdateMemberBody;
  /** Store a snapshot. `POST /machine/snapshots` */
  createSnapshot: SnapshotContent;
  /** Compare two snapshots. `POST /machine/snapshots/compare` */
  compareSnapshots: CompareSnapshotsBody;
  /** Find what separates failing runs from passing ones. `POST /machine/diagnosis` */
  diagnose: DiagnoseBody;
  /** Make a page about a snapshot or a comparison that opens without a key. `POST /machine/shares` */
  createShare: ShareBody;
  /** Make a link that signs in to the console once. `POST /machine/console-links` */
  createConsoleLink: CreateConsoleLinkBody;
  /** Subscribe a URL to events. `POST /machine/webhooks` */
  createWebhook: CreateWebhookBody;
  /** Change a webhook's URL, events or active flag. `PATCH /machine/webhooks/:id` */
  updateWebhook: UpdateWebhookBody;
}

/** The query of each operation that takes one. Moments may be given as a `Date`. */
export interface Queries {
  /** List the keys of the current project. `GET /machine/keys` */
  listKeys: PartQuery;
  /** List what was done in the project and by whom, the newest first. `GET /machine/audit` */
  listAuditEntries: ListAuditEntriesQuery;
  /** List the members of a project, the oldest first. `GET /machine/team/:projectId/members` */
  listMembers: PartQuery;
  /** List snapshots, the newest first. `GET /machine/snapshots` */
  listSnapshots: ListSnapshotsQuery;
  /** List machines, each with its newest snapshot. `GET /machine/machines` */
  listMachines: ListMachinesQuery;
  /** Show when a value changed, on each machine. `GET /machine/history` */
  getHistory: GetHistoryQuery;
  /** List the shares of the current project, the newest first. `GET /machine/shares` */
  listShares: PartQuery;
  /** List webhooks, the newest first. `GET /machine/webhooks` */
  listWebhooks: PartQuery;
  /** List files, the newest first. `GET /machine/files` */
  listFiles: CursorQuery;
  /** Count requests by period and endpoint. `GET /machine/usage/requests` */
  getUsageHistory: GetUsageHistoryQuery;
}

/** The names of the parameters in the path of each operation that has some. */
export interface PathParams {
  /** Revoke a key and remove its membership. `DELETE /machine/keys/:id` */
  revokeKey: 'id';
  /** Show a project with its counts. `GET /machine/projects/:id` */
  getProject: 'id';
  /** Change the name or description of a project. `PATCH /machine/projects/:id` */
  updateProject: 'id';
  /** Delete a project and everything in it, for good. `DELETE /machine/projects/:id` */
  deleteProject: 'id';
  /** List the members of a project, the oldest first. `GET /machine/team/:projectId/members` */
  listMembers: 'projectId';
  /** Invite a member with a fresh key. `POST /machine/team/:projectId/members` */
  inviteMember: 'projectId';
  /** Change a member's role. `PATCH /machine/team/:projectId/members/:memberId` */
  updateMember: 'projectId' | 'memberId';
  /** Remove a member and revoke their key. `DELETE /machine/team/:projectId/members/:memberId` */
  removeMember: 'projectId' | 'memberId';
  /** Show a snapshot with its variables. `GET /machine/snapshots/:id` */
  getSnapshot: 'id';
  /** Delete a snapshot. `DELETE /machine/snapshots/:id` */
  deleteSnapshot: 'id';
  /** Revoke a share. `DELETE /machine/shares/:id` */
  deleteShare: 'id';
  /** Show a webhook with its last 20 delivery attempts. `GET /machine/webhooks/:id` */
  getWebhook: 'id';
  /** Change a webhook's URL, events or active flag. `PATCH /machine/webhooks/:id` */
  updateWebhook: 'id';
  /** Delete a webhook and its delivery log. `DELETE /machine/webhooks/:id` */
  deleteWebhook: 'id';
  /** Send a webhook.test event now and say how it went. `POST /machine/webhooks/:id/test` */
  testWebhook: 'id';
  /** Send the event of an earlier delivery attempt again, with the same webhook-id. `POST /machine/webhooks/:id/deliveries/:deliveryId/redeliver` */
  redeliverWebhook: 'id' | 'deliveryId';
  /** Download the bytes of a file. `GET /machine/files/:id` */
  downloadFile: 'id';
  /** Delete a file. `DELETE /machine/files/:id` */
  deleteFile: 'id';
}
