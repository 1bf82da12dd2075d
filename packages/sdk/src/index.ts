// The public surface of the SDK.

export { ApiPromise, type ApiResponse } from './call/api-promise.ts';
export type { Answer, BodyInput, QueryInput } from './call/call.ts';
export type { RateLimit } from './call/rate-limit.ts';
export type { CalledOperation, TransportEvent } from './call/transport-event.ts';
export { type BootstrapOptions, EnvSnap, type RequestInput } from './client.ts';
export type { ErrorCode } from './contract/error-codes.ts';
export type { OperationName } from './contract/routes.ts';
export type * from './contract/types.ts';
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
export type { DownloadedFile, DownloadOptions } from './files/download.ts';
export type { FileUpload, TransferProgress } from './files/multipart.ts';
export type { ByteStream } from './files/upload-content.ts';
export type { ListPromise } from './lists/list-promise.ts';
export type { ItemSequence, PageOptions } from './lists/pagination.ts';
export type { Fetch, FetchInit, FetchResponse } from './platform-types.ts';
export type {
  CallLimits,
  CallOptions,
  ClientOptions,
  ConnectionOptions,
} from './settings.ts';
export {
  type VerifyWebhookOptions,
  type WebhookBody,
  type WebhookHeaders,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './webhooks/received-webhook.ts';
export type { SignedDelivery, TestDelivery } from './webhooks/test-delivery.ts';
export { signTestDelivery, verifyWebhook } from './webhooks/webhooks.ts';
