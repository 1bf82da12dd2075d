// Which addresses a delivery may connect to: public ones, and those that the operator allows by CIDR. docs/specification.md §5.

import ipaddr from 'ipaddr.js';
import { type Cidr, isInRanges } from '../infra/cidr.ts';

/** Public addresses that are nevertheless a cloud's metadata service (Azure's). */
const metadataAddresses = new Set(['168.63.129.16']);

type Address = ipaddr.IPv4 | ipaddr.IPv6;

interface AddressVerdict {
  readonly allowed: boolean;
  /** The kind of address, in words: `public`, `loopback`, `private`, `link-local` … */
  readonly kind: string;
}

export interface TargetGuard {
  /** Checks an IPv4 or IPv6 address in text form; refuses anything else. */
  judge(address: string): AddressVerdict;
}

/** Creates the guard; `allowed` are networks that are allowed although they are not public. */
export function createTargetGuard(allowed: readonly Cidr[]): TargetGuard {
  return {
    judge: (text) => {
      const address = parseAddress(text);
      if (!address) return { allowed: false, kind: 'invalid' };
      const kind = kindOf(address);
      return { kind, allowed: kind === 'public' || isInRanges(address.toString(), allowed) };
    },
  };
}

function parseAddress(text: string): Address | undefined {
  const hexadecimal = text.replace(/(?<=:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/, toHexadecimalTail);
  // Short and octal IPv4 forms mean different things to different programs: only four decimal parts are an address.
  if (ipaddr.IPv4.isValidFourPartDecimal(hexadecimal)) return ipaddr.IPv4.parse(hexadecimal);
  // `process` turns an IPv4-mapped IPv6 address into the IPv4 address that is really reached.
  return ipaddr.IPv6.isValid(hexadecimal) ? ipaddr.process(hexadecimal) : undefined;
}

/** Writes an IPv6 address's dotted tail as two groups; with the dots ipaddr.js would take ::1.2.3.4 for a mapped one. */
function toHexadecimalTail(tail: string, ...octets: string[]): string {
  const [a = 0, b = 0, c = 0, d = 0] = octets.slice(0, 4).map(Number);
  if ([a, b, c, d].some((octet) => octet > 255)) return tail;
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** Everything but `public` is refused, so an unknown kind counts as not public. */
function kindOf(address: Address): string {
  const range = address.range();
  if (range !== 'unicast') return range.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (address instanceof ipaddr.IPv6) {
    // Only 2000::/3 is in public use; this also excludes ::127.0.0.1 and its like.
    return ((address.parts[0] ?? 0) & 0xe000) === 0x2000 ? 'public' : 'reserved';
  }
  return metadataAddresses.has(address.toString()) ? 'metadata' : 'public';
}
