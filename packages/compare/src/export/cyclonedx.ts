// A snapshot as a CycloneDX 1.6 bill of materials: its runtimes and packages, without variables.
// https://cyclonedx.org/docs/1.6/json/

import { createHash } from 'node:crypto';
import { jsonText } from '@envsnap/shared/text/visible';
import { splitVersions } from '@envsnap/versions';
import { environmentOf } from '../environment/environment.ts';
import type { ComparableEnvironment } from '../model/model.ts';
import { packageUrl, recordedDistribution } from './package-url.ts';

interface Component {
  readonly type: 'library' | 'application';
  readonly 'bom-ref': string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl?: string;
  readonly evidence?: { readonly occurrences: { readonly location: string }[] };
}

export function exportCycloneDx(environment: ComparableEnvironment, toolVersion: string): string {
  const components = [...runtimeComponents(environment), ...packageComponents(environment)];
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(environment, components)}`,
    version: 1,
    metadata: {
      ...(environment.createdAt ? { timestamp: environment.createdAt } : {}),
      tools: { components: [{ type: 'application', name: 'envsnap', version: toolVersion }] },
      component: {
        type: 'device',
        'bom-ref': 'machine',
        name: environment.machineName,
        ...propertiesOf(environment),
      },
    },
    components,
  };
  return `${jsonText(document)}\n`;
}

function propertiesOf(environment: ComparableEnvironment): {
  properties?: { name: string; value: string }[];
} {
  const properties = [
    { name: 'envsnap:os', value: environment.os },
    { name: 'envsnap:arch', value: environment.arch },
    { name: 'envsnap:snapshot', value: environment.id },
  ].flatMap(({ name, value }) => (value ? [{ name, value }] : []));
  return properties.length > 0 ? { properties } : {};
}

function runtimeComponents(environment: ComparableEnvironment): Component[] {
  const runtimes = environment.runtimeVersions ?? {};
  return Object.keys(runtimes)
    .sort()
    .map((name) => ({
      type: 'application',
      'bom-ref': `runtime/${name}`,
      name,
      version: runtimes[name] as string,
    }));
}

function packageComponents(snapshot: ComparableEnvironment): Component[] {
  const environment = environmentOf(snapshot);
  const byReference = new Map<string, { component: Component; locations: Set<string> }>();
  const files = environment.dependencies;
  const distribution = recordedDistribution(environment);
  for (const file of Object.keys(files).sort()) {
    const packages = files[file] as Record<string, string>;
    for (const name of Object.keys(packages).sort()) {
      for (const version of splitVersions(packages[name] as string)) {
        const source = environment.sourceOf(file, name, version);
        const purl = packageUrl(file, name, version, source, distribution);
        const reference = purl ?? `${file}/${name}@${version}`;
        const known = byReference.get(reference);
        if (known) known.locations.add(file);
        else {
          const component: Component = {
            type: 'library',
            'bom-ref': reference,
            name,
            version,
            ...(purl ? { purl } : {}),
          };
          byReference.set(reference, { component, locations: new Set([file]) });
        }
      }
    }
  }
  return [...byReference.values()].map(({ component, locations }) => ({
    ...component,
    evidence: { occurrences: [...locations].map((location) => ({ location })) },
  }));
}

function uuidOf(environment: ComparableEnvironment, components: readonly Component[]): string {
  const { id } = environment;
  if (id && /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(id)) return id;
  const digest = createHash('sha256')
    .update(JSON.stringify([environment.machineName, components]))
    .digest('hex');
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
