// The public surface: versions taken apart, ordered, measured and checked against requirements.

export * from './declaration.ts';
export * from './requirement.ts';
export * from './version-distance.ts';
export * from './version-order.ts';
export * from './version-parts.ts';
