// The manifests in deploy/kubernetes: references, settings that the server knows, probes, rights, connections.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { load, loadAll } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { listUnknownSettings, loadConfig } from '../../../packages/server/src/config.ts';

const folder = path.resolve(import.meta.dirname, '../../../deploy/kubernetes');
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

interface Container {
  image: string;
  args: string[];
  env: { name: string; value: string }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  securityContext: object;
  resources: { limits: { memory: string } };
  ports?: { name: string; containerPort: number }[];
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } };
  volumeMounts: { name: string; mountPath: string }[];
}

interface PodSpec {
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
  restartPolicy?: string;
  terminationGracePeriodSeconds?: number;
  securityContext: object;
  containers: Container[];
  volumes: { name: string; secret?: { secretName: string }; persistentVolumeClaim?: { claimName: string } }[];
}

// biome-ignore lint/suspicious/noExplicitAny: manifests of several kinds
type Manifest = any;

const kustomization = load(read('kustomization.yaml')) as Manifest;
const manifests: Manifest[] = (kustomization.resources as string[]).flatMap((name) => loadAll(read(name)));
const find = (kind: string) => manifests.find((manifest) => manifest.kind === kind);
const pods: Record<string, PodSpec> = {
  server: find('Deployment').spec.template.spec,
  migrate: find('Job').spec.template.spec,
  backup: find('CronJob').spec.jobTemplate.spec.template.spec,
};
const settings = Object.fromEntries(
  (kustomization.configMapGenerator[0].literals as string[]).map((line) => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)];
  }),
);
const containerOf = (name: string) => pods[name]?.containers[0] as Container;

describe('deploy/kubernetes', () => {
  it('has each resource once, with an API version and a name', () => {
    expect(manifests.map(({ kind }) => kind).sort()).toEqual(
      ['CronJob', 'Deployment', 'Job', 'PersistentVolumeClaim', 'PodDisruptionBudget', 'Service'].sort(),
    );
    for (const { apiVersion, metadata } of manifests) {
      expect(apiVersion).toMatch(/^(?:[a-z]+\/)?v1$/);
      expect(metadata.name).toMatch(/^envsnap/);
    }
  });

  it('gives settings that the server knows and takes, with a token for bootstrap', () => {
    const env = Object.fromEntries(containerOf('server').env.map(({ name, value }) => [name, value]));
    expect(listUnknownSettings({ ...settings, ...env })).toEqual([]);
    const config = loadConfig({
      ...settings,
      DATABASE_URL: 'postgres://u@h/d',
      ENVSNAP_BOOTSTRAP_TOKEN: 'x'.repeat(32),
    });
    expect(config).toMatchObject({ bootstrap: { mode: 'token' }, fileStore: { kind: 's3' }, metrics: 9464 });
  });

  it('refers to what there is', () => {
    const secrets = (kustomization.secretGenerator as { name: string; files?: string[] }[]).map(
      ({ name }) => name,
    );
    const files = (kustomization.secretGenerator[0].files as string[]).map((file) =>
      path.posix.basename(file),
    );
    for (const { containers, volumes } of Object.values(pods)) {
      for (const { secret, persistentVolumeClaim: claim } of volumes) {
        if (secret) expect(secrets).toContain(secret.secretName);
        if (claim) expect(claim.claimName).toBe(find('PersistentVolumeClaim').metadata.name);
      }
      const [{ env, envFrom, volumeMounts, image } = containerOf('server')] = containers;
      for (const { name, value } of env) {
        expect(name).toMatch(/_FILE$/);
        expect(files).toContain(path.posix.basename(value));
      }
      expect(envFrom).toEqual([
        { configMapRef: { name: kustomization.configMapGenerator[0].name } },
        { secretRef: { name: secrets[1] } },
      ]);
      expect(volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.map(({ name }) => name).sort());
      expect(kustomization.images[0].name).toBe(image);
    }
    const { selector, ports } = find('Service').spec;
    expect(find('Deployment').spec.template.metadata.labels).toMatchObject(selector);
    expect(containerOf('server').ports?.map(({ name }) => name)).toContain(ports[0].targetPort);
    expect(find('PodDisruptionBudget').spec.selector).toEqual(find('Deployment').spec.selector);
  });

  it('asks the right address whether a server lives, and whether it can serve', () => {
    const { livenessProbe, startupProbe, readinessProbe, ports } = containerOf('server');
    expect([startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet)).toEqual([
      { path: '/health', port: 'http' },
      { path: '/health', port: 'http' },
      { path: '/ready', port: 'http' },
    ]);
    expect(ports).toContainEqual({ name: 'http', containerPort: loadConfig({}).port });
    expect(pods.server?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(20);
  });

  it('gives pods no rights that they do not need, and none of the variables of other services', () => {
    for (const pod of Object.values(pods)) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 10_001,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      for (const { securityContext, resources } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(resources.limits.memory).toBe('512Mi');
      }
    }
    expect([containerOf('server').args, containerOf('migrate').args]).toEqual([['start'], ['migrate']]);
    expect(containerOf('backup').args).toEqual(['backup', '/backups', '--keep', '7']);
  });

  it('stays within the connections of a PostgreSQL with its defaults', () => {
    const { replicas, strategy } = find('Deployment').spec;
    const most = replicas + strategy.rollingUpdate.maxSurge + Object.keys(pods).length - 1;
    const connections = most * (Number(settings.ENVSNAP_DATABASE_POOL_SIZE) + 3) + 3;
    expect(connections).toBeLessThanOrEqual(100);
    expect(read('kustomization.yaml')).toContain(`Here ${most} x 13 + 3 = ${connections}.`);
  });
});
