// The error codes of the API.
// Made by scripts/write-sdk-contract.ts from the table of operations; not to be edited.

/** Every `code` that an answer can carry. */
export type ErrorCode =
  /** 400: The body is not valid JSON. */
  | 'malformed_json'
  /** 400: The request cannot be read as HTTP or multipart. */
  | 'malformed_request'
  /** 400: A field is missing, of the wrong type or out of range; see details. */
  | 'validation_failed'
  /** 400: X-API-Key and Authorization hold different keys. */
  | 'conflicting_credentials'
  /** 401: No API key was sent. */
  | 'missing_api_key'
  /** 401: The API key is unknown, malformed or revoked. */
  | 'invalid_api_key'
  /** 401: Bootstrap needs a valid X-Bootstrap-Token. */
  | 'invalid_bootstrap_token'
  /** 403: The key's role does not allow this operation. */
  | 'role_forbidden'
  /** 403: The key belongs to another project. */
  | 'not_a_member'
  /** 403: The owner cannot be changed or removed. */
  | 'owner_protected'
  /** 403: A key cannot revoke or remove itself. */
  | 'own_key_protected'
  /** 403: Bootstrap is switched off on this server. */
  | 'bootstrap_closed'
  /** 403: The project holds as many snapshots as it may. */
  | 'snapshot_quota_exceeded'
  /** 403: The project holds as many files as it may. */
  | 'file_quota_exceeded'
  /** 403: The project's files would take more bytes than they may. */
  | 'storage_quota_exceeded'
  /** 403: The project has as many webhooks as it may. */
  | 'webhook_quota_exceeded'
  /** 403: The project has as many API keys as it may. */
  | 'key_quota_exceeded'
  /** 403: Another site sent a form of the console, or led to a link that signs in. */
  | 'cross_site_forbidden'
  /** 403: The project has as many shares as it may. */
  | 'share_quota_exceeded'
  /** 403: The server holds as many projects as it may. */
  | 'project_quota_exceeded'
  /** 403: Further projects are not created with a key on this server. */
  | 'project_creation_closed'
  /** 404: No operation has this path. */
  | 'route_not_found'
  /** 404: No such project. */
  | 'project_not_found'
  /** 404: No such key in this project, or not any more. */
  | 'api_key_not_found'
  /** 404: No such member in this project. */
  | 'member_not_found'
  /** 404: No such snapshot in this project. */
  | 'snapshot_not_found'
  /** 404: No such share, or not any more. */
  | 'share_not_found'
  /** 404: No such session, or not any more. */
  | 'session_not_found'
  /** 404: The link that this request made has expired, or somebody has used it. */
  | 'console_link_not_found'
  /** 404: No such webhook in this project. */
  | 'webhook_not_found'
  /** 404: No such delivery of this webhook. */
  | 'delivery_not_found'
  /** 404: The fingerprint key that this request made has been replaced. */
  | 'fingerprint_key_not_found'
  /** 404: No such file in this project. */
  | 'file_not_found'
  /** 405: The path exists, but not with this method; see Allow. */
  | 'method_not_allowed'
  /** 408: The request did not arrive in time. */
  | 'request_timeout'
  /** 409: The first request with this Idempotency-Key is still running. */
  | 'idempotency_key_in_use'
  /** 413: The body is larger than the server accepts. */
  | 'body_too_large'
  /** 415: The content type, charset or content encoding is not accepted. */
  | 'unsupported_media_type'
  /** 416: The range lies outside the file; see Content-Range. */
  | 'range_not_satisfiable'
  /** 422: This Idempotency-Key came with another body before. */
  | 'idempotency_key_reused'
  /** 429: Too many requests; see Retry-After. */
  | 'rate_limited'
  /** 431: The request has too many or too large headers. */
  | 'headers_too_large'
  /** 500: The server failed; its log has the request id. */
  | 'internal_error'
  /** 500: The database's files are damaged; whoever runs the server must restore a backup. */
  | 'database_damaged'
  /** 503: The database cannot be reached; see Retry-After. */
  | 'database_unavailable'
  /** 503: The file store cannot be reached; see Retry-After. */
  | 'storage_unavailable'
  /** 503: The server holds as many large bodies as its memory allows; see Retry-After. */
  | 'server_busy'
  /** 503: The server is stopping; see Retry-After. */
  | 'shutting_down';
