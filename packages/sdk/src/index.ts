// The public surface of the SDK.

export type { ErrorCode } from '@envsnap/shared/error-codes';
export { ApiPromise, type ApiResponse } from './api-promise.ts';
export type { Answer, BodyInput, QueryInput } from './call.ts';
export { type BootstrapOptions, EnvSnap, type RequestInput } from './client.ts';
export type { OperationName } from './contract/routes.ts';
export type * from './contract/types.ts';
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
export type { Fetch, FetchInit, FetchResponse } from './platform-types.ts';
export type { RateLimit } from './rate-limit.ts';
export type {
  CalledOperation,
  CallLimits,
  CallOptions,
  ClientOptions,
  ConnectionOptions,
  TransportEvent,
} from './settings.ts';
export {
  type SignedDelivery,
  signTestDelivery,
  type TestDelivery,
} from './test-delivery.ts';
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookBody,
  type WebhookHeaders,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './webhook-verification.ts';
