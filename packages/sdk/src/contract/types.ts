// The types of the API.
// Made by scripts/write-sdk-contract.ts from the table of operations; not to be edited.

/** ApiKey of the API. */
export interface ApiKey {
  /** A UUID. */
  id: string;
  /** At most 100 characters. */
  label: string | null;
  role: Role;
  /** At most 11 characters. */
  prefix: string;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  createdAt: string;
  lastUsedAt: string | null;
}

/** AssignableRole of the API. */
export type AssignableRole = 'admin' | 'member' | 'viewer';

/** AttributeDifference of the API. */
export interface AttributeDifference {
  a: string | null;
  b: string | null;
  match: boolean;
}

/** Create a project with its first key. */
export interface BootstrapAnswer {
  /** A UUID. */
  projectId: string;
  /** A UUID. */
  apiKeyId: string;
  apiKey: string;
  message: string;
}

/** Create a project with its first key. */
export interface BootstrapBody {
  /** At most 200 characters. */
  projectName: string;
  /** At most 2,000 characters. */
  description?: string | null | undefined;
}

/** Compare two snapshots. */
export interface CompareSnapshotsAnswer {
  /** A UUID. */
  snapshotA: string;
  /** A UUID. */
  snapshotB: string;
  diff: ComparisonDiff;
  summary: ComparisonSummary;
}

/** Compare two snapshots. */
export interface CompareSnapshotsBody {
  /** A UUID. */
  snapshotA: string;
  /** A UUID. */
  snapshotB: string;
  /** Compare and return the values of variables. */
  includeEnvValues?: boolean | undefined;
  /** Compare the values of variables, but return none. */
  compareEnvValues?: boolean | undefined;
}

/** ComparisonDiff of the API. */
export interface ComparisonDiff {
  os: AttributeDifference;
  arch: AttributeDifference;
  runtimes: RuntimeDifference[];
  dependencies: DependencyDifference[];
  envVars: VariableDifference[];
}

/** ComparisonSummary of the API. */
export interface ComparisonSummary {
  os: {
    same: number;
    changed: number;
    added: number;
    removed: number;
  };
  arch: {
    same: number;
    changed: number;
    added: number;
    removed: number;
  };
  runtimes: {
    same: number;
    changed: number;
    added: number;
    removed: number;
  };
  dependencies: {
    same: number;
    changed: number;
    added: number;
    removed: number;
  };
  envVars: {
    same: number;
    changed: number;
    added: number;
    removed: number;
  };
}

/** Create a key for the current project. */
export interface CreateKeyAnswer {
  /** A UUID. */
  apiKeyId: string;
  apiKey: string;
  label: string | null;
  role: Role;
  message: string;
}

/** Create another project with an owner key of its own. */
export interface CreateProjectAnswer {
  /** A UUID. */
  projectId: string;
  /** A UUID. */
  apiKeyId: string;
  apiKey: string;
  name: string;
  message: string;
}

/** Create another project with an owner key of its own. */
export interface CreateProjectBody {
  /** At most 200 characters. */
  name: string;
  /** At most 2,000 characters. */
  description?: string | null | undefined;
}

/** Store a snapshot. */
export interface CreateSnapshotAnswer {
  /** A UUID. */
  id: string;
  machineName: string;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  createdAt: string;
}

/** Subscribe a URL to events. */
export interface CreateWebhookAnswer {
  /** A UUID. */
  id: string;
  url: string;
  events: WebhookEvent[];
  active: boolean;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  createdAt: string;
  secret: string;
}

/** Subscribe a URL to events. */
export interface CreateWebhookBody {
  /** At most 2,048 characters. */
  url: string;
  /** At most 100 items. */
  events: WebhookEvent[];
  /** At most 256 characters. */
  secret?: string | undefined;
}

/** Delete a project and everything in it, for good. */
export interface DeleteProjectAnswer {
  success: true;
  message: string;
}

/** DeliveryAttempt of the API. */
export interface DeliveryAttempt {
  /** A UUID. */
  id: string;
  event: string;
  /** Null when no response came. */
  responseStatus: number | null;
  success: boolean;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  attemptedAt: string;
  /** 1 for the first attempt of the event. */
  attempt: number;
  durationMs: number;
  /** Why the attempt failed, when it did. */
  error: string | null;
}

/** DependencyDifference of the API. */
export interface DependencyDifference {
  /** Dependency file and package, joined with "/". */
  key: string;
  a: string | null;
  b: string | null;
  status: DependencyStatus;
}

/** DependencyStatus of the API. */
export type DependencyStatus = 'same' | 'changed' | 'added' | 'removed';

/** Find what separates failing runs from passing ones. */
export interface DiagnoseBody {
  /** Snapshots of runs that passed. By default the stored ones with the outcome "passed". At most 1000 items. */
  passed?: string[] | undefined;
  /** Snapshots of runs that failed. By default the stored ones with the outcome "failed". At most 1000 items. */
  failed?: string[] | undefined;
  /** Of the stored runs only those of this name, as metadata.outcomeOf says. At most 200 characters. */
  outcomeOf?: string | undefined;
  /** Of the stored runs only those of this machine. At most 255 characters. */
  machineName?: string | undefined;
  /** Of the stored runs only the newest; at most and by default 1000. */
  last?: number | undefined;
}

/** DiagnosisAnswer of the API. */
export interface DiagnosisAnswer {
  runs: {
    passed: number;
    failed: number;
  };
  /** The likeliest first. Those with a qValue above 0.05 are leads: chance may explain them. */
  findings: Finding[];
  /** How many hypotheses were tested. */
  tests: number;
  /** The run to make next. */
  suggestion: string | null;
  notes: {
    code: 'too_few_runs' | 'one_outcome_only' | 'not_comparable' | 'runs_left_out';
    message: string;
  }[];
}

/** EndpointUsage of the API. */
export interface EndpointUsage {
  /** The route's template, e.g. /machine/snapshots/:id. */
  path: string;
  statusCode: number;
  count: number;
  avgResponseMs: number;
}

/** ErrorDetail of the API. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** Finding of the API. */
export interface Finding {
  /** What differs in the very same runs, the likeliest cause first: "runtimes.node", "env:TZ". */
  keys: string[];
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

/** FingerprintKey of the API. */
export interface FingerprintKey {
  /** A UUID. */
  id: string;
  /** 32 bytes in lower-case hex. */
  key: string;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  createdAt: string;
}

/** Who am I: the calling key and its project. */
export interface GetCurrentKeyAnswer {
  /** A UUID. */
  id: string;
  /** At most 100 characters. */
  label: string | null;
  role: Role;
  /** At most 11 characters. */
  prefix: string;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  createdAt: string;
  lastUsedAt: string | null;
  /** A UUID. */
  projectId: string;
  projectName: string;
}

/** Tell that the process is alive. */
export interface GetHealthAnswer {
  status: 'ok';
  version: string;
}

/** Show when a value changed, on each machine. */
export interface GetHistoryAnswer {
  key: string;
  /** By machine name. */
  series: ValueSeries[];
  /** How many snapshots were looked at. */
  scanned: number;
  /** How many there are. */
  total: number;
}

/** Show when a value changed, on each machine. */
export interface GetHistoryQuery {
  /** What to follow: os, arch, runtimes.NAME, dependencies:FILE/PACKAGE, env:NAME, system.FACT, facts.FACT or metadata.PATH. At most 8,192 characters. */
  key: string;
  machineName?: string | undefined;
  /** How many snapshots to look at, the newest ones; at most 1000. */
  snapshots?: number | undefined;
}

/** Show the last 100 requests, the newest first. */
export interface GetLiveRequestsAnswer {
  /** At most 100 items. */
  requests: LoggedRequest[];
}

/** Tell whether requests can be served: database reachable, not stopping. */
export interface GetReadinessAnswer {
  status: 'ready';
}

/** Count requests by period and endpoint. */
export interface GetUsageHistoryQuery {
  /** Default: "day". */
  period?: UsagePeriod | undefined;
  /** Default: 30 days before "to". */
  from?: string | Date | undefined;
  /** Default: now. */
  to?: string | Date | undefined;
}

/** Invite a member with a fresh key. */
export interface InviteMemberAnswer {
  /** A UUID. */
  memberId: string;
  /** A UUID. */
  apiKeyId: string;
  apiKey: string;
  label: string | null;
  role: Role;
  message: string;
}

/** List files, the newest first. */
export interface ListFilesAnswer {
  total: number;
  /** At least 1. At most 100. */
  limit: number;
  offset: number;
  files: StoredFile[];
}

/** List the keys of the current project. */
export interface ListKeysAnswer {
  keys: ApiKey[];
}

/** List machines, each with its newest snapshot. */
export interface ListMachinesAnswer {
  total: number;
  /** At least 1. At most 100. */
  limit: number;
  offset: number;
  machines: Machine[];
}

/** List machines, each with its newest snapshot. */
export interface ListMachinesQuery {
  /** At least 1. */
  limit?: number | undefined;
  offset?: number | undefined;
  /** Values to look up in each newest snapshot, joined by commas. At most 163,840 characters. */
  keys?: string | undefined;
}

/** List the members of a project, the oldest first. */
export interface ListMembersAnswer {
  members: Member[];
}

/** List the projects that the calling key has access to. */
export interface ListProjectsAnswer {
  projects: Project[];
}

/** List snapshots, the newest first. */
export interface ListSnapshotsAnswer {
  total: number;
  /** At least 1. At most 100. */
  limit: number;
  offset: number;
  snapshots: SnapshotSummary[];
}

/** List snapshots, the newest first. */
export interface ListSnapshotsQuery {
  /** At least 1. */
  limit?: number | undefined;
  offset?: number | undefined;
  machineName?: string | undefined;
  os?: string | undefined;
  arch?: string | undefined;
  /** Only snapshots of runs that ended so, as metadata.outcome says. */
  outcome?: 'passed' | 'failed' | undefined;
  /** Only runs of this name, as metadata.outcomeOf says. */
  outcomeOf?: string | undefined;
  /** Only snapshots created at or after this moment. */
  from?: string | Date | undefined;
  /** Only snapshots created at or before this moment. */
  to?: string | Date | undefined;
}

/** List webhooks, the newest first. */
export interface ListWebhooksAnswer {
  webhooks: Webhook[];
}

/** LoggedRequest of the API. */
export interface LoggedRequest {
  method: string;
  path: string;
  statusCode: number;
  responseTimeMs: number;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  createdAt: string;
}

/** Machine of the API. */
export interface Machine {
  machineName: string;
  /** How many of its snapshots are stored. At least 1. */
  snapshots: number;
  latest: SnapshotSummary;
  /** The values of the keys that were asked for, in their order. */
  values: {
    key: string;
    /** Null when the snapshot has none. Of a variable only "set": values are not shown. */
    value: string | null;
  }[];
}

/** Member of the API. */
export interface Member {
  /** A UUID. */
  id: string;
  /** A UUID. */
  apiKeyId: string;
  keyLabel: string | null;
  role: Role;
  /** apiKeyId of the inviter; null for the first owner. */
  invitedBy: string | null;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  joinedAt: string;
}

/** NewKeyBody of the API. */
export interface NewKeyBody {
  /** At most 100 characters. Default: null. */
  label?: string | null | undefined;
  /** Default: "member". */
  role?: AssignableRole | undefined;
}

/** PageQuery of the API. */
export interface PageQuery {
  /** At least 1. */
  limit?: number | undefined;
  offset?: number | undefined;
}

/** Project of the API. */
export interface Project {
  /** A UUID. */
  id: string;
  name: string;
  description: string | null;
  /** The calling key's role in the project. */
  role: 'owner' | 'admin' | 'member' | 'viewer';
  /** A moment in UTC, ISO 8601 with milliseconds. */
  createdAt: string;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  updatedAt: string;
}

/** ProjectWithCounts of the API. */
export interface ProjectWithCounts {
  /** A UUID. */
  id: string;
  name: string;
  description: string | null;
  /** The calling key's role in the project. */
  role: 'owner' | 'admin' | 'member' | 'viewer';
  /** A moment in UTC, ISO 8601 with milliseconds. */
  createdAt: string;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  updatedAt: string;
  counts: {
    snapshots: number;
    files: number;
    members: number;
  };
}

/** Send the event of an earlier delivery attempt again, with the same webhook-id. */
export interface RedeliverWebhookAnswer {
  delivery: DeliveryAttempt;
}

/** Role of the API. */
export type Role = 'owner' | 'admin' | 'member' | 'viewer';

/** RuntimeDifference of the API. */
export interface RuntimeDifference {
  a: string | null;
  b: string | null;
  match: boolean;
  key: string;
}

/** Snapshot of the API. */
export interface Snapshot {
  /** A UUID. */
  id: string;
  machineName: string;
  os: string | null;
  arch: string | null;
  runtimeVersions: { [name: string]: string };
  dependencies: { [name: string]: { [name: string]: string } };
  envVars: { [name: string]: string };
  metadata: { [name: string]: unknown };
  /** A moment in UTC, ISO 8601 with milliseconds. */
  createdAt: string;
}

/** SnapshotContent of the API. */
export interface SnapshotContent {
  /** Identifier of the machine, 1 to 255 characters. */
  machineName: string;
  /** Operating system: darwin, linux, win32 or any other text. At most 64 characters. */
  os?: string | null | undefined;
  /** CPU architecture: arm64, x64 or any other text. */
  arch?: string | null | undefined;
  /** Runtime name to version. */
  runtimeVersions?: { [name: string]: string } | null | undefined;
  /** Dependency file to package to version. */
  dependencies?: { [name: string]: { [name: string]: string } } | null | undefined;
  /** Variable name to value; encrypted before storage. */
  envVars?: { [name: string]: string } | null | undefined;
  /** Any object of at most 256 KiB as JSON. */
  metadata?: { [name: string]: unknown } | null | undefined;
}

/** SnapshotSummary of the API. */
export interface SnapshotSummary {
  /** A UUID. */
  id: string;
  machineName: string;
  os: string | null;
  arch: string | null;
  runtimeVersions: { [name: string]: string };
  metadata: { [name: string]: unknown };
  /** A moment in UTC, ISO 8601 with milliseconds. */
  createdAt: string;
}

/** StoredFile of the API. */
export interface StoredFile {
  /** A UUID. */
  id: string;
  filename: string;
  contentType: string;
  sizeBytes: number;
  /** SHA-256 of the bytes, hex. */
  checksum: string;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  createdAt: string;
}

/** Success of the API. */
export interface Success {
  success: true;
}

/** Send a webhook.test event now and tell how it went. */
export interface TestWebhookAnswer {
  delivery: DeliveryAttempt;
}

/** Change a member's role. */
export interface UpdateMemberAnswer {
  success: true;
  /** A UUID. */
  memberId: string;
  newRole: AssignableRole;
}

/** Change a member's role. */
export interface UpdateMemberBody {
  role: AssignableRole;
}

/** Change the name or description of a project. */
export interface UpdateProjectBody {
  /** At most 200 characters. */
  name?: string | undefined;
  /** At most 2,000 characters. */
  description?: string | null | undefined;
}

/** Change a webhook's URL, events or active flag. */
export interface UpdateWebhookAnswer {
  success: true;
  /** A UUID. */
  id: string;
  url: string;
  events: WebhookEvent[];
  active: boolean;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  createdAt: string;
}

/** Change a webhook's URL, events or active flag. */
export interface UpdateWebhookBody {
  /** At most 2,048 characters. */
  url?: string | undefined;
  /** At most 100 items. */
  events?: WebhookEvent[] | undefined;
  active?: boolean | undefined;
}

/** Upload a file as multipart/form-data, field "file". */
export interface UploadFileAnswer {
  /** A UUID. */
  id: string;
  filename: string;
  size: number;
  /** SHA-256 of the bytes, hex. */
  checksum: string;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  createdAt: string;
}

/** Usage of the API. */
export interface Usage {
  resources: {
    snapshots: number;
    files: number;
    apiKeys: number;
  };
  storage: {
    usedBytes: number;
    usedMB: number;
  };
  quotas: {
    maxSnapshots: number;
    maxFiles: number;
    maxStorageBytes: number;
    maxStorageMB: number;
    maxRequestsPerMinute: number;
    maxRequestsPerDay: number;
  };
}

/** UsageHistory of the API. */
export interface UsageHistory {
  period: UsagePeriod;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  from: string;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  to: string;
  data: { [name: string]: {
    total: number;
    endpoints: EndpointUsage[];
  } };
}

/** UsagePeriod of the API. */
export type UsagePeriod = 'hour' | 'day' | 'week' | 'month';

/** ValueChange of the API. */
export interface ValueChange {
  /** A UUID. */
  snapshotId: string;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  createdAt: string;
  /** Null when there is none. Of a variable a number for each different value: values are not shown. */
  value: string | null;
}

/** ValueSeries of the API. */
export interface ValueSeries {
  machineName: string;
  /** How many of its snapshots were looked at. */
  snapshots: number;
  /** Oldest first; the first is the value of the oldest snapshot looked at. */
  changes: ValueChange[];
}

/** VariableDifference of the API. */
export interface VariableDifference {
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

/** Webhook of the API. */
export interface Webhook {
  /** A UUID. */
  id: string;
  url: string;
  events: WebhookEvent[];
  active: boolean;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  createdAt: string;
}

/** WebhookEvent of the API. */
export type WebhookEvent = 'snapshot.created' | 'snapshot.deleted' | 'file.uploaded' | 'file.deleted' | 'member.invited' | 'member.removed';

/** WebhookWithDeliveries of the API. */
export interface WebhookWithDeliveries {
  /** A UUID. */
  id: string;
  url: string;
  events: WebhookEvent[];
  active: boolean;
  /** A moment in UTC, ISO 8601 with milliseconds. */
  createdAt: string;
  /** At most 20 items. */
  recentDeliveries: DeliveryAttempt[];
}

/** `data` of a delivery by its event; `webhook.test` is sent on request only. */
export interface WebhookEventData {
  'snapshot.created': {
    /** A UUID. */
    snapshotId: string;
    machineName: string;
  };
  'snapshot.deleted': {
    /** A UUID. */
    snapshotId: string;
  };
  'file.uploaded': {
    /** A UUID. */
    fileId: string;
    filename: string;
  };
  'file.deleted': {
    /** A UUID. */
    fileId: string;
    filename: string;
  };
  'member.invited': {
    /** A UUID. */
    memberId: string;
    role: string;
    /** A UUID. */
    invitedBy: string;
  };
  'member.removed': {
    /** A UUID. */
    memberId: string;
    /** A UUID. */
    apiKeyId: string;
  };
  'webhook.test': {
    /** A UUID. */
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
  /** Send a webhook.test event now and tell how it went. `POST /machine/webhooks/:id/test` */
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
  /** Tell that the process is alive. `GET /health` */
  getHealth: GetHealthAnswer;
  /** Tell whether requests can be served: database reachable, not stopping. `GET /ready` */
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
  /** Subscribe a URL to events. `POST /machine/webhooks` */
  createWebhook: CreateWebhookBody;
  /** Change a webhook's URL, events or active flag. `PATCH /machine/webhooks/:id` */
  updateWebhook: UpdateWebhookBody;
}

/** The query of each operation that takes one. Moments may be given as a `Date`. */
export interface Queries {
  /** List snapshots, the newest first. `GET /machine/snapshots` */
  listSnapshots: ListSnapshotsQuery;
  /** List machines, each with its newest snapshot. `GET /machine/machines` */
  listMachines: ListMachinesQuery;
  /** Show when a value changed, on each machine. `GET /machine/history` */
  getHistory: GetHistoryQuery;
  /** List files, the newest first. `GET /machine/files` */
  listFiles: PageQuery;
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
  /** Show a webhook with its last 20 delivery attempts. `GET /machine/webhooks/:id` */
  getWebhook: 'id';
  /** Change a webhook's URL, events or active flag. `PATCH /machine/webhooks/:id` */
  updateWebhook: 'id';
  /** Delete a webhook and its delivery log. `DELETE /machine/webhooks/:id` */
  deleteWebhook: 'id';
  /** Send a webhook.test event now and tell how it went. `POST /machine/webhooks/:id/test` */
  testWebhook: 'id';
  /** Send the event of an earlier delivery attempt again, with the same webhook-id. `POST /machine/webhooks/:id/deliveries/:deliveryId/redeliver` */
  redeliverWebhook: 'id' | 'deliveryId';
  /** Download the bytes of a file. `GET /machine/files/:id` */
  downloadFile: 'id';
  /** Delete a file. `DELETE /machine/files/:id` */
  deleteFile: 'id';
}
