// One address for one value, however it is spelled.

import { parseAddress, printAddress, sectionNames, toAddress } from '@envsnap/shared/address';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const name = fc.oneof(
  fc.string({ minLength: 1, unit: 'grapheme' }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'a/b.c:d',
    '.',
    ':',
    '/',
    'system.x',
    'facts',
    '\n',
    'git.branch',
  ),
);
const section = fc.constantFrom(
  ...sectionNames,
  'machineName',
  'metadata',
  'git',
  'envVars',
  'deps',
  'nonsense',
);

describe('an address', () => {
  it('is parsed to what was printed, whatever its name holds', () => {
    fc.assert(
      fc.property(section, name, (from, text) => {
        const address = toAddress(from, text);
        if (address) expect(parseAddress(printAddress(address))).toEqual(address);
      }),
    );
  });

  it('is printed to what was parsed, once it has the fixed spelling', () => {
    fc.assert(
      fc.property(section, fc.constantFrom('.', ':'), name, (from, mark, text) => {
        const address = parseAddress(`${from}${mark}${text}`);
        if (!address) return;
        const printed = printAddress(address);
        expect(printAddress(parseAddress(printed) as typeof address)).toBe(printed);
      }),
    );
  });

  it.each([
    ...['os', 'arch', 'machineName', 'runtimes.node', 'env:TZ', 'env:.env:TZ', 'paths:PATH'],
    ...['system.timezone', 'facts.limits.openFiles', 'facts.git.core.autocrlf', 'toolchain.node (.nvmrc)'],
    ...['checkout.changed/src/index.js', 'checkout.branch'],
    ...['dependencies:web/package-lock.json/@types/node', 'installed:package-lock.json'],
    ...['installed:package-lock.json/zod', 'metadata.ci.provider', 'runtimes.__proto__'],
  ])('prints %s as it is', (text) => {
    expect(printAddress(parseAddress(text) as NonNullable<ReturnType<typeof parseAddress>>)).toBe(text);
  });

  it.each([
    ['runtimes:node', 'runtimes.node'],
    ['runtimeVersions.node', 'runtimes.node'],
    ['envVars.TZ', 'env:TZ'],
    ['env.TZ', 'env:TZ'],
    ['variables:TZ', 'env:TZ'],
    ['path:PATH', 'paths:PATH'],
    ['os:os', 'os'],
    ['facts:limits.stack', 'facts.limits.stack'],
    ['metadata.facts.limits.stack', 'facts.limits.stack'],
    ['metadata.timezone', 'system.timezone'],
    ['metadata.locale', 'system.locale'],
    ['metadata.shell.name', 'system.shell.name'],
    ['metadata.system.libc', 'system.libc'],
    ['metadata.toolchain.node', 'toolchain.node'],
    ['metadata.git.commit', 'checkout.commit'],
    ['git.branch', 'checkout.branch'],
    ['git:dirty', 'checkout.dirty'],
    ['git.remote', 'metadata.git.remote'],
    ['dependencies.package-lock.json/zod', 'dependencies:package-lock.json/zod'],
    ['deps:package-lock.json/zod', 'dependencies:package-lock.json/zod'],
  ])('reads the older spelling %s', (older, fixed) => {
    expect(printAddress(parseAddress(older) as NonNullable<ReturnType<typeof parseAddress>>)).toBe(fixed);
  });

  it.each([
    ...['', 'node', 'runtimes', 'runtimes.', 'nonsense.node', 'dependencies:zod', 'os:linux', '.x'],
    ...['env:'],
  ])('is not %j', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});
