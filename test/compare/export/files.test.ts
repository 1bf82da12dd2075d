import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { PackageURL } from 'packageurl-js';
import { describe, expect, it } from 'vitest';
import { environmentOf } from '../../../packages/compare/src/environment/environment.ts';
import { quoteDocker } from '../../../packages/compare/src/export/container-files.ts';
import { exportFormats } from '../../../packages/compare/src/export/export-formats.ts';
import { exportSnapshot } from '../../../packages/compare/src/export/export-snapshot.ts';
import { packageUrl, recordedDistribution } from '../../../packages/compare/src/export/package-url.ts';
import type { ComparableEnvironment } from '../../../packages/compare/src/model/model.ts';
import { readTestData } from '../../support/test-data.ts';

const { environment, urls } = readTestData<{
  environment: ComparableEnvironment;
  urls: {
    ofPackages: [string, string, string, string | null][];
    ofTheMachine: [string, string, string, string, string, string][];
  };
}>(import.meta);

const withMetadata = (metadata: Record<string, unknown>) => environmentOf({ machineName: 'm', metadata });

const only = (part: Partial<ComparableEnvironment>): ComparableEnvironment => ({ machineName: 'm', ...part });
const render = (format: (typeof exportFormats)[number], from = environment) =>
  exportSnapshot(from, format, { toolVersion: '1.0.0' });

describe('exportSnapshot', () => {
  it.each(exportFormats)('writes the same %s twice, and never a fingerprint as a value', (format) => {
    const once = render(format);
    expect(render(format)).toBe(once);
    if (format !== 'json') expect(once).not.toContain('hmac:');
  });

  it('pins the tools that the project needs for asdf, and names the others', () => {
    expect(render('tool-versions').split('\n').slice(0, 5)).toEqual([
      'golang 1.22.4',
      'nodejs 22.11.0',
      'pnpm 9.1.0',
      'python 3.12.1',
      '# npm 10.9.0: comes with another tool or has no usual plugin',
    ]);
    expect(render('tool-versions')).toContain(
      '# not pinned, because nothing in the project asks for it (--all exports everything): git 2.39.5, perl 5.36.0',
    );
  });

  it('writes .nvmrc, or says that there is no node', () => {
    expect(render('nvmrc')).toBe('22.11.0\n');
    expect(() => render('nvmrc', only({}))).toThrow(/no node/);
  });

  it('writes a Dockerfile that pins every needed runtime on the snapshot’s distribution', () => {
    const file = render('dockerfile');
    expect(file).toContain('ARG NODE_VERSION=22.11.0\nARG GO_VERSION=1.22.4\nARG PYTHON_VERSION=3.12.1\n');
    expect(file).toContain(`FROM node:\${NODE_VERSION}-bookworm AS node`);
    expect(file).toContain(`\nFROM python:\${PYTHON_VERSION}-bookworm\n`);
    expect(file).toContain('COPY --from=go /usr/local/go /usr/local/go');
    expect(file).toContain('npm install --global --force npm@10.9.0 pnpm@9.1.0');
    expect(file).toContain('ENV DOLLAR="a\\$b\\"c\\\\d"');
    expect(file).toContain('# MULTI: its name or value cannot be written in a Dockerfile');
    expect(file).toContain('# DATABASE_URL: a secret');
    expect(file.split('\n').filter((line) => line.startsWith('FROM '))).toHaveLength(3);
  });

  it('installs Bundler with RubyGems', () => {
    const dependencies = { 'Gemfile.lock': { rack: '2.2.1' } };
    const project = only({ runtimeVersions: { ruby: '3.1.2', bundler: '2.3.15' }, dependencies });
    expect(render('dockerfile', project)).toContain('\nRUN gem install bundler:2.3.15\n');
    expect(JSON.parse(render('devcontainer', project)).onCreateCommand).toBe('gem install bundler:2.3.15');
  });

  it('takes the images of Alpine for a snapshot of Alpine', () => {
    const file = render(
      'dockerfile',
      only({ runtimeVersions: { node: '22.11.0' }, metadata: { system: { distribution: 'alpine 3.20.1' } } }),
    );
    expect(file).toContain(`FROM node:\${NODE_VERSION}-alpine3.20\n`);
  });

  it('escapes a Dockerfile value so that nothing in it is replaced', () => {
    expect(quoteDocker('$HOME "x" \\')).toBe('"\\$HOME \\"x\\" \\\\"');
  });

  it('writes a devcontainer of one image, or of the Dockerfile with its arguments', () => {
    const single = render(
      'devcontainer',
      only({ runtimeVersions: { node: '22.11.0' }, envVars: { NODE_ENV: 'test' } }),
    );
    expect(JSON.parse(single)).toEqual({
      name: 'Environment of an envsnap snapshot',
      image: 'node:22.11.0-bookworm',
      containerEnv: { NODE_ENV: 'test' },
    });
    const several = JSON.parse(render('devcontainer')) as {
      build: { args: object };
      containerEnv: object;
    };
    expect(several.build).toEqual({
      dockerfile: 'Dockerfile',
      args: { PYTHON_VERSION: '3.12.1', NODE_VERSION: '22.11.0', GO_VERSION: '1.22.4' },
    });
    expect(several.containerEnv).toEqual({ NODE_ENV: 'test', DOLLAR: 'a$b"c\\d', MULTI: 'a\nb' });
  });

  it('puts nothing of the host into a container except what the project mentions', () => {
    const envVars = {
      NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
      CI: 'true',
      container: 'oci',
      SHOP_DATA: '/srv/shop',
      CONTAINER_NAME: 'rigid-chip',
      CLOUD_SDK_VERSION: '528.0.0',
      PYTHONUNBUFFERED: '1',
      OPENBLAS_CORETYPE: 'Haswell',
    };
    const metadata = { project: { ecosystems: ['npm'], variables: { SHOP_DATA: '.env.example' } } };
    const host = only({
      runtimeVersions: { node: '22.11.0' },
      envVars: { ...envVars, NODE_ENV: 'test' },
      metadata,
    });
    expect(JSON.parse(render('devcontainer', host)).containerEnv).toEqual({
      NODE_ENV: 'test',
      SHOP_DATA: '/srv/shop',
    });
    expect(render('dockerfile', host)).not.toMatch(/ca\.pem|rigid-chip/);
    const container = render('devcontainer', { ...host, machineName: 'anna-mbp' });
    expect(container).not.toMatch(/ca\.pem|anna-mbp|rigid-chip|CONTAINER_NAME/);
  });

  it('writes a devcontainer with properties of the specification alone, each of its type', () => {
    const texts = { type: 'object', additionalProperties: { type: 'string' } };
    const build = { dockerfile: { type: 'string' }, context: { type: 'string' }, args: texts };
    const isAllowed = new Ajv().compile({
      type: 'object',
      required: ['name'],
      oneOf: [{ required: ['image'] }, { required: ['build'] }],
      additionalProperties: false,
      properties: {
        name: { type: 'string' },
        image: { type: 'string' },
        build: { type: 'object', required: ['dockerfile'], additionalProperties: false, properties: build },
        containerEnv: texts,
        onCreateCommand: { type: 'string' },
        customizations: { type: 'object', additionalProperties: { type: 'object' } },
      },
    });
    for (const from of [environment, only({ runtimeVersions: { node: '22.11.0', pnpm: '9.0.0' } })])
      expect(isAllowed(JSON.parse(render('devcontainer', from))), JSON.stringify(isAllowed.errors)).toBe(
        true,
      );
  });

  it('writes a devcontainer that every JSON parser reads, remarks included', () => {
    const left = only({
      runtimeVersions: { node: '22.11.0', perl: '5.36.0' },
      dependencies: { 'package-lock.json': {} },
      envVars: { TOKEN: '[redacted]' },
    });
    const { customizations } = JSON.parse(render('devcontainer', left)) as { customizations: unknown };
    expect(customizations).toEqual({
      envsnap: { notes: [expect.stringContaining('perl 5.36.0'), expect.stringMatching(/^TOKEN: a secret/)] },
    });
  });

  it('writes a CycloneDX 1.6 document that its schema allows', () => {
    const folder = path.join(
      path.dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json')),
      'res/schema',
    );
    const schema = (name: string) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as object;
    const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
    addFormats.default(ajv);
    ajv.addFormat('iri-reference', true).addFormat('idn-email', true);
    for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs']) {
      const file = `${name}.SNAPSHOT.schema.json`;
      ajv.addSchema(schema(file), `http://cyclonedx.org/schema/${file}`);
    }
    const validate = ajv.compile(schema('bom-1.6.SNAPSHOT.schema.json'));
    for (const from of [
      environment,
      only({}),
      only({ dependencies: { 'x.lock': { '': '', 'a b': 'x' } } }),
    ]) {
      validate(JSON.parse(render('cyclonedx', from)));
      expect(validate.errors ?? []).toEqual([]);
    }
    const document = JSON.parse(render('cyclonedx')) as {
      components: { name: string; version: string; purl?: string; evidence?: unknown }[];
    };
    const zod = document.components.filter((component) => component.name === 'zod');
    expect(zod).toMatchObject([
      {
        purl: 'pkg:npm/zod@3.24.1',
        evidence: { occurrences: [{ location: 'package-lock.json' }, { location: 'web/pnpm-lock.yaml' }] },
      },
    ]);
    expect(
      document.components
        .filter((component) => component.name === '@types/node')
        .map((component) => component.version),
    ).toEqual(['22.0.0', '20.1.0']);
    expect(document.components.find((component) => component.name === 'local')?.purl).toBeUndefined();
  });

  it('writes the snapshot itself as JSON', () => {
    expect(JSON.parse(render('json'))).toEqual(environment);
  });
});

describe('packageUrl', () => {
  it.each(urls.ofPackages)('%s %s %s', (file, name, version, expected) => {
    const url = packageUrl(file, name, version);
    expect(url ?? null).toBe(expected);
    if (url) expect(PackageURL.fromString(url).version).toBe(version.replace(/=.*/, ''));
  });

  it.each(urls.ofTheMachine)(
    'of the machine itself: %s %s %s on %s %s',
    (file, name, version, id, release, expected) => {
      const distribution = recordedDistribution(
        withMetadata({ system: { distribution: { id, version: release } } }),
      );
      const url = packageUrl(file, name, version, undefined, distribution);
      expect(decodeURIComponent(url ?? '').replaceAll('%3A', ':')).toBe(expected);
      expect(packageUrl(file, name, version)).toBeUndefined();
    },
  );

  it('follows where the capture says that a package comes from', () => {
    const sources = withMetadata({
      sources: { 'environment.yml': { requests: 'pypi', 'x@1.0+git.abcdef0': 'git+https://host/x#abcdef0' } },
    });
    const url = (file: string, name: string, version: string) =>
      packageUrl(file, name, version, sources.sourceOf(file, name, version));
    expect(url('environment.yml', 'requests', '2.0')).toBe('pkg:pypi/requests@2.0');
    expect(url('environment.yml', 'numpy', '2.0')).toBe('pkg:conda/numpy@2.0');
    expect(url('environment.yml', 'x', '1.0+git.abcdef0')).toBe(
      'pkg:conda/x@1.0?vcs_url=git%2Bhttps%3A%2F%2Fhost%2Fx%40abcdef0',
    );
    expect(packageUrl('Cargo.lock', 'x', '1.0.0', 'path:../x')).toBeUndefined();
    expect(packageUrl('Cargo.toml', 'x', '1.0.0')).toBeUndefined();
    expect(withMetadata({ sources: 'nonsense' }).sourceOf('a', '__proto__', '1')).toBeUndefined();
  });
});
