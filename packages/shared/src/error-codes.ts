// The closed table of error codes: what each means, its HTTP status, and whether the same request may succeed later.
// Without zod, so that clients can load it alone.

interface ErrorCodeEntry {
  /** HTTP status of an answer with this code. */
  readonly status: number;
  /** True when the same request may succeed if it is sent again later. */
  readonly retryable: boolean;
  readonly meaning: string;
}

/** Every `code` that an answer can carry. Codes are stable; texts may change. docs/specification.md §2. */
export const errorCodes = {
  malformed_json: { status: 400, retryable: false, meaning: 'The body is not valid JSON.' },
  malformed_request: {
    status: 400,
    retryable: false,
    meaning: 'The request cannot be read as HTTP or multipart.',
  },
  validation_failed: {
    status: 400,
    retryable: false,
    meaning: 'A field is missing, of the wrong type or out of range; see details.',
  },
  conflicting_credentials: {
    status: 400,
    retryable: false,
    meaning: 'X-API-Key and Authorization hold different keys.',
  },
  missing_api_key: { status: 401, retryable: false, meaning: 'No API key was sent.' },
  invalid_api_key: {
    status: 401,
    retryable: false,
    meaning: 'The API key is unknown, malformed or revoked.',
  },
  invalid_bootstrap_token: {
    status: 401,
    retryable: false,
    meaning: 'Bootstrap needs a valid X-Bootstrap-Token.',
  },
  role_forbidden: { status: 403, retryable: false, meaning: "The key's role does not allow this operation." },
  not_a_member: { status: 403, retryable: false, meaning: 'The key belongs to another project.' },
  owner_protected: { status: 403, retryable: false, meaning: 'The owner cannot be changed or removed.' },
  own_key_protected: { status: 403, retryable: false, meaning: 'A key cannot revoke or remove itself.' },
  bootstrap_closed: { status: 403, retryable: false, meaning: 'Bootstrap is switched off on this server.' },
  snapshot_quota_exceeded: {
    status: 403,
    retryable: false,
    meaning: 'The project holds as many snapshots as it may.',
  },
  snapshot_storage_quota_exceeded: {
    status: 403,
    retryable: false,
    meaning: "The project's snapshots and runs would take more bytes than they may.",
  },
  file_quota_exceeded: {
    status: 403,
    retryable: false,
    meaning: 'The project holds as many files as it may.',
  },
  storage_quota_exceeded: {
    status: 403,
    retryable: false,
    meaning: "The project's files would take more bytes than they may.",
  },
  webhook_quota_exceeded: {
    status: 403,
    retryable: false,
    meaning: 'The project has as many webhooks as it may.',
  },
  key_quota_exceeded: {
    status: 403,
    retryable: false,
    meaning: 'The project has as many API keys as it may.',
  },
  cross_site_forbidden: {
    status: 403,
    retryable: false,
    meaning: 'Another site sent a form of the console, or led to a link that signs in.',
  },
  share_quota_exceeded: {
    status: 403,
    retryable: false,
    meaning: 'The project has as many shares as it may.',
  },
  project_quota_exceeded: {
    status: 403,
    retryable: false,
    meaning: 'The server holds as many projects as it may.',
  },
  project_creation_closed: {
    status: 403,
    retryable: false,
    meaning: 'Further projects are not created with a key on this server.',
  },
  route_not_found: { status: 404, retryable: false, meaning: 'No operation has this path.' },
  project_not_found: { status: 404, retryable: false, meaning: 'No such project.' },
  api_key_not_found: {
    status: 404,
    retryable: false,
    meaning: 'No such key in this project, or not any more.',
  },
  member_not_found: { status: 404, retryable: false, meaning: 'No such member in this project.' },
  snapshot_not_found: { status: 404, retryable: false, meaning: 'No such snapshot in this project.' },
  share_not_found: { status: 404, retryable: false, meaning: 'No such share, or not any more.' },
  session_not_found: { status: 404, retryable: false, meaning: 'No such session, or not any more.' },
  console_link_not_found: {
    status: 404,
    retryable: false,
    meaning: 'The link that this request made has expired, or somebody has used it.',
  },
  webhook_not_found: { status: 404, retryable: false, meaning: 'No such webhook in this project.' },
  delivery_not_found: { status: 404, retryable: false, meaning: 'No such delivery of this webhook.' },
  fingerprint_key_not_found: {
    status: 404,
    retryable: false,
    meaning: 'The fingerprint key that this request made has been replaced.',
  },
  file_not_found: { status: 404, retryable: false, meaning: 'No such file in this project.' },
  method_not_allowed: {
    status: 405,
    retryable: false,
    meaning: 'The path exists, but not with this method; see Allow.',
  },
  request_timeout: { status: 408, retryable: true, meaning: 'The request did not arrive in time.' },
  idempotency_key_in_use: {
    status: 409,
    retryable: true,
    meaning: 'The first request with this Idempotency-Key is still running.',
  },
  body_too_large: { status: 413, retryable: false, meaning: 'The body is larger than the server accepts.' },
  unsupported_media_type: {
    status: 415,
    retryable: false,
    meaning: 'The content type, charset or content encoding is not accepted.',
  },
  precondition_failed: {
    status: 412,
    retryable: false,
    meaning: 'If-Match names another version than the one that is there.',
  },
  range_not_satisfiable: {
    status: 416,
    retryable: false,
    meaning: 'The range lies outside the file; see Content-Range.',
  },
  idempotency_key_reused: {
    status: 422,
    retryable: false,
    meaning: 'This Idempotency-Key came with another body before.',
  },
  too_much_work: {
    status: 422,
    retryable: false,
    meaning:
      'The stored data asks for more work than one request may take; the message says what was too much.',
  },
  rate_limited: { status: 429, retryable: true, meaning: 'Too many requests; see Retry-After.' },
  headers_too_large: {
    status: 431,
    retryable: false,
    meaning: 'The request has too many or too large headers.',
  },
  internal_error: { status: 500, retryable: true, meaning: 'The server failed; its log has the request id.' },
  database_damaged: {
    status: 500,
    retryable: false,
    meaning: "The database's files are damaged; whoever runs the server must restore a backup.",
  },
  database_unavailable: {
    status: 503,
    retryable: true,
    meaning: 'The database cannot be reached; see Retry-After.',
  },
  storage_unavailable: {
    status: 503,
    retryable: true,
    meaning: 'The file store cannot be reached; see Retry-After.',
  },
  server_busy: {
    status: 503,
    retryable: true,
    meaning: 'The server holds as many large bodies as its memory allows; see Retry-After.',
  },
  shutting_down: { status: 503, retryable: true, meaning: 'The server is stopping; see Retry-After.' },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof errorCodes;
