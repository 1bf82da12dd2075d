// The snapshot that the service benchmarks write and read: 100 dependencies, 30 variables.

/** About 6 kB of JSON, always the same. */
export function createWorkload(machineName: string) {
  const numbered = (count: number, prefix: string, value: (index: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, value(index)]));
  return {
    machineName,
    os: 'linux',
    arch: 'x64',
    runtimeVersions: { node: '24.21.0', npm: '11.6.2', python: '3.12.1', git: '2.39.5' },
    dependencies: { 'package-lock.json': numbered(100, '@scope/package-', (index) => `${index}.2.3`) },
    envVars: numbered(30, 'VARIABLE_', (index) => `value of variable ${index} with some text behind it`),
    metadata: { git: { branch: 'main', commit: '0123456789abcdef0123456789abcdef01234567', dirty: false } },
  };
}
