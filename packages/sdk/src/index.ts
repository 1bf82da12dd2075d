// The public surface of the SDK.

export { ApiPromise, type ApiResponse } from './api-promise.ts';
export type { Answer, BodyInput, QueryInput } from './call.ts';
export { type BootstrapOptions, EnvSnap, type RequestInput } from './client.ts';
export type { ErrorCode } from './contract/error-codes.ts';
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
export type { FileUpload, TransferProgress } from './multipart.ts';
export type { ItemSequence, PageOptions } from './pagination.ts';
export type { Fetch, FetchInit, FetchResponse } from './platform-types.ts';
export type { RateLimit } from './rate-limit.ts';
export {
  type VerifyWebhookOptions,
  type WebhookBody,
  type WebhookHeaders,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './received-webhook.ts';
export type {
  CalledOperation,
  CallLimits,
  CallOptions,
  ClientOptions,
  ConnectionOptions,
  TransportEvent,
} from './settings.ts';
export type { SignedDelivery, TestDelivery } from './test-delivery.ts';
export type { ByteStream } from './upload-content.ts';
export { signTestDelivery, verifyWebhook } from './webhooks.ts';
