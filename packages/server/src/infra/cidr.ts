// Owns lists of network ranges (CIDR) from settings, and whether an address is in one.

import ipaddr from 'ipaddr.js';

/** A range: an address and the number of leading bits that count. */
export type Cidr = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** Reads `10.0.0.0/8` or a single address; undefined if it is neither. IPv4-mapped IPv6 is read as IPv4. */
export function parseCidr(text: string): Cidr | undefined {
  const [addressText = '', bitsText, ...more] = text.trim().split('/');
  const address = parseAddress(addressText);
  if (!address || more.length > 0) return undefined;
  const allBits = address.kind() === 'ipv4' ? 32 : 128;
  if (bitsText === undefined) return [address, allBits];
  const mapped = addressText.includes(':') && address.kind() === 'ipv4' ? 96 : 0;
  const bits = /^\d{1,3}$/.test(bitsText) ? Number(bitsText) - mapped : -1;
  return bits >= 0 && bits <= allBits ? [address, bits] : undefined;
}

/** Whether the address, in any spelling that `ipaddr.js` calls valid, is in one of the ranges. */
export function isInRanges(addressText: string, ranges: readonly Cidr[]): boolean {
  const address = parseAddress(addressText);
  return (
    address !== undefined &&
    ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits))
  );
}

/** An address in its plain form: four decimal parts for IPv4; IPv4-mapped IPv6 becomes IPv4, a zone is dropped. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  const [plain = ''] = text.split('%');
  return ipaddr.IPv6.isValid(plain) ? ipaddr.process(plain) : undefined;
}
