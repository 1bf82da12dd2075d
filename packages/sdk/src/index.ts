// The public surface of the SDK.

export type {
  ApiKey,
  AssignableRole,
  ComparisonDiff,
  DeliveryAttempt,
  ErrorDetail,
  FingerprintKey,
  LoggedRequest,
  Member,
  OperationName,
  Project,
  ProjectWithCounts,
  Role,
  Snapshot,
  SnapshotContent,
  SnapshotSummary,
  StoredFile,
  Usage,
  UsageHistory,
  Webhook,
  WebhookEvent,
  WebhookPayload,
  WebhookWithDeliveries,
} from '@envsnap/shared';
export type { ErrorCode } from '@envsnap/shared/error-codes';
export { ApiPromise, type ApiResponse } from './api-promise.ts';
export type { Answer, BodyInput, QueryInput } from './call.ts';
export { type BootstrapOptions, EnvSnap } from './client.ts';
export type { DownloadedFile, DownloadOptions } from './download.ts';
export {
  AbortError,
  ApiError,
  AuthenticationError,
  ChecksumError,
  ConflictError,
  ConnectionError,
  EnvsnapError,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
  UsageError,
  ValidationError,
} from './errors.ts';
export type { ByteStream, FileUpload, TransferProgress } from './multipart.ts';
export type { ItemSequence, PageOptions } from './pagination.ts';
export type { RateLimit } from './rate-limit.ts';
export type {
  CallLimits,
  CallOptions,
  ClientOptions,
  ConnectionOptions,
  TransportEvent,
} from './settings.ts';
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookBody,
  type WebhookHeaders,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './webhook-verification.ts';
