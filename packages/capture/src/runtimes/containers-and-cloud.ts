// Containers and virtual machines, cloud and infrastructure tools.

import { pythonDistribution } from './python-distribution.ts';
import {
  entryName,
  firstOf,
  packageJson,
  pathText,
  type Tool,
  textFile,
  type VersionFromFiles,
} from './tool.ts';

/** Where Docker looks for its plugins. */
function dockerPlugin(name: string): readonly string[] {
  const folders = [
    '~/.docker/cli-plugins',
    '/usr/local/lib/docker/cli-plugins',
    '/usr/local/libexec/docker/cli-plugins',
  ];
  return [...folders, '/usr/lib/docker/cli-plugins', '/usr/libexec/docker/cli-plugins'].map(
    (folder) => `${folder}/${name}`,
  );
}

/** Of a program that Google Cloud's command line installed: the record of its component. */
function googleComponent(id: string): VersionFromFiles {
  return async ({ machine, realPath }) => {
    const { paths } = machine.files;
    const root = paths.dirname(paths.dirname(realPath));
    if (realPath !== paths.join(root, 'bin', id)) return undefined;
    const record = await machine.files.json(paths.join(root, '.install', `${id}.snapshot.json`));
    const components: unknown[] = Array.isArray(record?.components) ? record.components : [];
    const [version] = components.flatMap((each) => {
      const component = each as { id?: unknown; version?: { version_string?: unknown } } | null;
      return component?.id === id ? [component.version?.version_string] : [];
    });
    return typeof version === 'string' ? version : undefined;
  };
}

export const containers: readonly Tool[] = [
  // The client only: nothing asks the engine.
  { name: 'docker', withoutHome: true, heavy: true },
  {
    name: 'docker-compose',
    places: { linux: dockerPlugin('docker-compose'), darwin: dockerPlugin('docker-compose') },
    args: ['version', '--short'],
    withoutHome: true,
    heavy: true,
  },
  {
    name: 'docker-buildx',
    places: { linux: dockerPlugin('docker-buildx'), darwin: dockerPlugin('docker-buildx') },
    args: ['version'],
    withoutHome: true,
  },
  { name: 'podman', withoutHome: true },
  { name: 'buildah', withoutHome: true },
  { name: 'skopeo', withoutHome: true },
  { name: 'nerdctl', withoutHome: true },
  { name: 'containerd', withoutHome: true },
  { name: 'runc' },
  { name: 'lima', executables: ['limactl'], withoutHome: true },
  { name: 'colima', withoutHome: true },
  {
    name: 'kubectl',
    files: googleComponent('kubectl'),
    args: ['version', '--client'],
    pattern: /v(\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)[.\d]*)?)/,
    // Google's dispatcher asks the server even for the client's version: it is pointed at a port where none listens.
    env: { KUBECONFIG: undefined, KUBERNETES_MASTER: 'http://127.0.0.1:9' },
    withoutHome: true,
    heavy: true,
  },
  { name: 'helm', args: ['version', '--short'], withoutHome: true, heavy: true },
  { name: 'kustomize', args: ['version'], withoutHome: true },
  { name: 'skaffold', args: ['version'], withoutHome: true },
  { name: 'tilt', args: ['version'], withoutHome: true },
  { name: 'minikube', args: ['version', '--short'], withoutHome: true },
  { name: 'kind', args: ['version'], pattern: /kind v(\d\S+)/, withoutHome: true },
  { name: 'k3d', args: ['version'], withoutHome: true },
  { name: 'argocd', args: ['version', '--client', '--short'], withoutHome: true },
  { name: 'flux', withoutHome: true },
  { name: 'vagrant', files: entryName('../embedded/gems/gems', /^vagrant-(\d.+)$/), filesOnly: true },
  {
    name: 'virtualbox',
    executables: ['VBoxManage', 'vboxmanage'],
    pattern: /^(\d+\.\d+\.\d+)/m,
    withoutHome: true,
  },
  { name: 'qemu', executables: ['qemu-img', 'qemu-system-x86_64'] },
];

export const cloudTools: readonly Tool[] = [
  { name: 'terraform', args: ['version'], pattern: /Terraform v(\d\S+)/, withoutHome: true, heavy: 'large' },
  { name: 'tofu', args: ['version'], pattern: /OpenTofu v(\d\S+)/, withoutHome: true, heavy: 'large' },
  { name: 'terragrunt', withoutHome: true },
  { name: 'packer', withoutHome: true },
  { name: 'vault', args: ['version'], withoutHome: true },
  { name: 'consul', args: ['version'], withoutHome: true },
  { name: 'nomad', args: ['version'], withoutHome: true },
  { name: 'pulumi', args: ['version'], withoutHome: true },
  { name: 'ansible', files: pythonDistribution('ansible-core', 'ansible-base'), filesOnly: true },
  {
    name: 'aws',
    files: firstOf(pathText(/\/aws-cli\/v2\/(\d[^/]*)\//), pythonDistribution('awscli')),
    withoutHome: true,
    heavy: true,
  },
  { name: 'sam', files: pythonDistribution('aws-sam-cli'), filesOnly: true },
  { name: 'cdk', files: packageJson('aws-cdk'), filesOnly: true },
  { name: 'gcloud', files: textFile('../VERSION'), filesOnly: true },
  {
    name: 'az',
    files: firstOf(
      pythonDistribution('azure-cli'),
      entryName('../lib/python3/site-packages', /^azure_cli-(\d.+)\.dist-info$/),
    ),
    filesOnly: true,
  },
  { name: 'doctl', args: ['version'], withoutHome: true },
  { name: 'flyctl', executables: ['flyctl', 'fly'], args: ['version'], withoutHome: true },
  { name: 'gh', withoutHome: true },
  { name: 'glab', withoutHome: true },
  { name: 'heroku', files: packageJson('heroku'), filesOnly: true },
  { name: 'vercel', executables: ['vercel', 'vc'], files: packageJson('vercel'), filesOnly: true },
  { name: 'netlify', executables: ['netlify', 'ntl'], files: packageJson('netlify-cli'), filesOnly: true },
  { name: 'wrangler', files: packageJson('wrangler'), filesOnly: true },
  { name: 'firebase', files: packageJson('firebase-tools'), filesOnly: true },
  {
    name: 'serverless',
    executables: ['serverless', 'sls'],
    files: packageJson('serverless'),
    filesOnly: true,
  },
  { name: 'eksctl', args: ['version'], withoutHome: true },
];
