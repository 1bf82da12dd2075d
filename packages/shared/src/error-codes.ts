// The closed table of error codes: meaning, HTTP status, and whether the same request may succeed later.
// Without zod, so that clients can load it alone.

/** Every code with its HTTP status and its meaning. */
const rows = {
  malformed_json: [400, 'The body is not valid JSON.'],
  malformed_request: [400, 'The request is not valid HTTP or multipart.'],
  validation_failed: [400, 'A field is missing, of the wrong type or out of range; see details.'],
  conflicting_credentials: [400, 'X-API-Key and Authorization hold different keys.'],
  missing_api_key: [401, 'No API key was sent.'],
  invalid_api_key: [401, 'The API key is unknown, malformed or revoked.'],
  invalid_bootstrap_token: [401, 'Bootstrap needs a valid X-Bootstrap-Token.'],
  role_forbidden: [403, "The key's role does not allow this operation."],
  not_a_member: [403, 'The key belongs to another project.'],
  owner_protected: [403, 'The owner cannot be changed or removed.'],
  own_key_protected: [403, 'A key cannot revoke or remove itself.'],
  bootstrap_closed: [403, 'Bootstrap is switched off on this server.'],
  snapshot_quota_exceeded: [403, 'The project has reached its limit of snapshots.'],
  snapshot_storage_quota_exceeded: [
    403,
    "The project's snapshots and runs would exceed their storage limit.",
  ],
  file_quota_exceeded: [403, 'The project has reached its limit of files.'],
  storage_quota_exceeded: [403, "The project's files would exceed their storage limit."],
  webhook_quota_exceeded: [403, 'The project has reached its limit of webhooks.'],
  key_quota_exceeded: [403, 'The project has reached its limit of API keys.'],
  cross_site_forbidden: [403, 'A form or sign-in link of the console was opened from another site.'],
  share_quota_exceeded: [403, 'The project has reached its limit of shares.'],
  project_quota_exceeded: [403, 'The server has reached its limit of projects.'],
  project_creation_closed: [403, 'This server does not let keys create further projects.'],
  route_not_found: [404, 'No operation has this path.'],
  project_not_found: [404, 'The project does not exist.'],
  api_key_not_found: [404, 'The project has no such key, or the key was revoked.'],
  member_not_found: [404, 'The project has no such member.'],
  snapshot_not_found: [404, 'The project has no such snapshot.'],
  share_not_found: [404, 'The share does not exist, has expired or was revoked.'],
  session_not_found: [404, 'The session does not exist, or has ended.'],
  console_link_not_found: [404, 'The link that this request created has expired, or was used.'],
  webhook_not_found: [404, 'The project has no such webhook.'],
  delivery_not_found: [404, 'The webhook has no such delivery.'],
  fingerprint_key_not_found: [404, 'The fingerprint key that this request created has been replaced.'],
  file_not_found: [404, 'The project has no such file.'],
  method_not_allowed: [405, 'The path exists, but not with this method; see Allow.'],
  request_timeout: [408, 'The request did not arrive in time.', 'retryable'],
  idempotency_key_in_use: [409, 'The first request with this Idempotency-Key is still running.', 'retryable'],
  body_too_large: [413, 'The body is larger than the server accepts.'],
  unsupported_media_type: [415, 'The content type, charset or content encoding is not accepted.'],
  precondition_failed: [412, 'If-Match does not name the current version.'],
  range_not_satisfiable: [416, 'The range lies outside the file; see Content-Range.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was already used with another body.'],
  too_much_work: [
    422,
    'The request would take more work than the server allows; the message says what was too much.',
  ],
  rate_limited: [429, 'Too many requests; see Retry-After.', 'retryable'],
  headers_too_large: [431, 'The headers of the request are too many or too large.'],
  internal_error: [500, 'An error in the server; its log has the request id.', 'retryable'],
  database_damaged: [500, "The database's files are damaged; the operator must restore a backup."],
  database_unavailable: [503, 'The database cannot be reached; see Retry-After.', 'retryable'],
  storage_unavailable: [503, 'The file store cannot be reached; see Retry-After.', 'retryable'],
  server_busy: [503, 'The server has too many large requests at the moment; see Retry-After.', 'retryable'],
  shutting_down: [503, 'The server is stopping; see Retry-After.', 'retryable'],
} as const satisfies Record<string, readonly [status: number, meaning: string, retryable?: 'retryable']>;

export type ErrorCode = keyof typeof rows;

interface ErrorCodeEntry {
  /** HTTP status of a response with this code. */
  readonly status: number;
  /** True if the same request may succeed later. */
  readonly retryable: boolean;
  readonly meaning: string;
}

/** Every `code` that a response can carry. Codes are stable; texts may change. docs/specification.md §2. */
export const errorCodes = Object.fromEntries(
  Object.entries(rows).map(([code, [status, meaning, retryable]]) => [
    code,
    { status, retryable: retryable !== undefined, meaning },
  ]),
) as Readonly<Record<ErrorCode, ErrorCodeEntry>>;
