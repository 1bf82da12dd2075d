// Which certificates programs trust, and how OpenSSL is configured.

import { contentLines, type FactReading, type FactSources, shortDigest } from './fact-reader.ts';

/** Certificate bundles of Debian and Alpine, Red Hat, SUSE, and macOS; the first that exists is used. */
export const systemBundles: readonly string[] = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** `142 sha256:…`: the number of certificates and a digest that does not depend on their order. */
export async function readCertificates({ machine }: FactSources): Promise<FactReading> {
  for (const path of systemBundles) {
    const found = await machine.fileCache.of('certificates', path, async () => {
      const text = await machine.files.text(path);
      return text === undefined ? undefined : countAndDigest(text);
    });
    if (found !== undefined) return found;
  }
  return machine.platform === 'linux' ? 'none' : undefined;
}

function countAndDigest(text: string): string {
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const bodies = certificates.map((certificate) => certificate.replace(/\s+/g, '')).sort();
  // A bundle that is truncated or overwritten.
  const begun = text.split('-----BEGIN CERTIFICATE-----').length - 1;
  if (begun > bodies.length || (bodies.length === 0 && text.trim() !== '')) return 'damaged';
  return `${bodies.length} ${shortDigest(bodies.join('\n'))}`;
}

interface OpensslConfig {
  readonly digest?: string;
  readonly securityLevel?: number;
}

const configFiles = [
  '/etc/ssl/openssl.cnf',
  '/etc/pki/tls/openssl.cnf',
  '/usr/lib/ssl/openssl.cnf',
  '/opt/homebrew/etc/openssl@3/openssl.cnf',
  '/usr/local/etc/openssl@3/openssl.cnf',
];
const policyFile = '/etc/crypto-policies/back-ends/opensslcnf.config';

/** The security level is a separate fact, so that a change of only this is one difference. */
export async function readOpensslConfig({ machine }: FactSources): Promise<OpensslConfig> {
  for (const path of configFiles) {
    const text = await machine.files.text(path);
    if (text === undefined) continue;
    const lines = contentLines(text).map((line) =>
      line.replace(/(?<!\s)\s+#.*$/s, '').replace(/(?<!\s)\s*=\s*/, ' = '),
    );
    const policy = text.includes('crypto-policies') ? ((await machine.files.text(policyFile)) ?? '') : '';
    const levels = [...`${lines.join('\n')}\n${policy}`.matchAll(/@SECLEVEL=(\d)/gi)].map(([, level]) =>
      Number(level),
    );
    const securityLevel = levels.at(-1);
    const rest = lines
      .map((line) => line.replace(/@SECLEVEL=\d/gi, ''))
      .filter((line) => !/^CipherString = (?:DEFAULT)?$/i.test(line));
    return { digest: shortDigest(rest.join('\n')), ...(securityLevel !== undefined && { securityLevel }) };
  }
  return {};
}
