// The closed table of error codes: meaning, HTTP status, and whether the same request may succeed later.
// Without zod, so that clients can load it alone.

/** Every code with its HTTP status and its meaning. */
const rows = {
  malformed_json: [400, 'The body is not valid JSON.'],
  malformed_request: [400, 'The request cannot be read as HTTP or multipart.'],
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
    "The project's snapshots and runs would exceed their limit of bytes.",
  ],
  file_quota_exceeded: [403, 'The project has reached its limit of files.'],
  storage_quota_exceeded: [403, "The project's files would exceed their limit of bytes."],
  webhook_quota_exceeded: [403, 'The project has reached its limit of webhooks.'],
  key_quota_exceeded: [403, 'The project has reached its limit of API keys.'],
  cross_site_forbidden: [403, 'Another site sent a form of the console, or led to a link that signs in.'],
  share_quota_exceeded: [403, 'The project has reached its limit of shares.'],
  project_quota_exceeded: [403, 'The server has reached its limit of projects.'],
  project_creation_closed: [403, 'Further projects are not created with a key on this server.'],
  route_not_found: [404, 'No operation has this path.'],
  project_not_found: [404, 'No such project.'],
  api_key_not_found: [404, 'No such key in this project, or no longer.'],
  member_not_found: [404, 'No such member in this project.'],
  snapshot_not_found: [404, 'No such snapshot in this project.'],
  share_not_found: [404, 'This share does not exist, or has ended.'],
  session_not_found: [404, 'No such session, or no longer.'],
  console_link_not_found: [404, 'The link that this request made has expired, or somebody has used it.'],
  webhook_not_found: [404, 'No such webhook in this project.'],
  delivery_not_found: [404, 'No such delivery of this webhook.'],
  fingerprint_key_not_found: [404, 'The fingerprint key that this request made has been replaced.'],
  file_not_found: [404, 'No such file in this project.'],
  method_not_allowed: [405, 'The path exists, but not with this method; see Allow.'],
  request_timeout: [408, 'The request did not arrive in time.', 'retryable'],
  idempotency_key_in_use: [409, 'The first request with this Idempotency-Key is still running.', 'retryable'],
  body_too_large: [413, 'The body is larger than the server accepts.'],
  unsupported_media_type: [415, 'The content type, charset or content encoding is not accepted.'],
  precondition_failed: [412, 'If-Match does not name the current version.'],
  range_not_satisfiable: [416, 'The range lies outside the file; see Content-Range.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used with another body before.'],
  too_much_work: [
    422,
    'The stored data needs more work than one request may cause; the message says what was too much.',
  ],
  rate_limited: [429, 'Too many requests; see Retry-After.', 'retryable'],
  headers_too_large: [431, 'The request has too many or too large headers.'],
  internal_error: [500, 'The server failed; its log has the request id.', 'retryable'],
  database_damaged: [500, "The database's files are damaged; the operator must restore a backup."],
  database_unavailable: [503, 'The database cannot be reached; see Retry-After.', 'retryable'],
  storage_unavailable: [503, 'The file store cannot be reached; see Retry-After.', 'retryable'],
  server_busy: [
    503,
    'The server holds as many large bodies as its memory allows; see Retry-After.',
    'retryable',
  ],
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
