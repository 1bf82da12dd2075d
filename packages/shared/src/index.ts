// The public surface of the contracts.

export * from './api-key.ts';
export * from './api-key-format.ts';
export * from './audit.ts';
export * from './code-points.ts';
export * from './compare.ts';
export * from './comparison.ts';
export * from './diagnosis.ts';
export * from './error-body.ts';
export * from './error-codes.ts';
export * from './file.ts';
export * from './fingerprint-key.ts';
export * from './opaque-value.ts';
export * from './operation.ts';
export * from './operations.ts';
export * from './plain-object.ts';
export * from './primitives.ts';
export * from './project.ts';
export * from './service.ts';
export * from './snapshot.ts';
export * from './snapshot-history.ts';
export * from './snapshot-key.ts';
export * from './string-map.ts';
export * from './team.ts';
export * from './usage.ts';
export * from './webhook.ts';
export * from './webhook-signature.ts';
