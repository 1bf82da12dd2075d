// Dependency files of containers, infrastructure and hooks.

import { type Format, family, list, lock, manifest, unread } from './format.ts';

export const infrastructureFormats: readonly Format[] = [
  ...family('containers', 'image', [
    list(
      'dockerfile',
      // What another program fills in is no Dockerfile yet.
      /(?:\/|\.)(?:Dockerfile|Containerfile)$|\/(?:Dockerfile|Containerfile)[.-](?![\w.-]*(?<=\.)(?:eex|erb|ejs|hbs|j2|jinja2?|liquid|mustache|te?mpl|template|tpl|twig)$)[\w.-]+$/i,
      'images/parseDockerfile',
      'the base images of a Dockerfile',
      {
        anyEnding: true,
        examples: ['Dockerfile', 'Dockerfile.dev', 'Dockerfile-prod', 'api.Dockerfile', 'Containerfile'],
        tools: ['docker'],
      },
    ),
    list(
      'compose',
      /\/(?:docker-)?compose(?:[-.][\w.-]+)?\.ya?ml$/,
      'images/parseCompose',
      'the images of a compose file',
      {
        examples: ['compose.yaml', 'docker-compose.yml', 'compose.override.yaml'],
        tools: ['docker'],
        install: 'docker compose pull',
      },
    ),
  ]),
  ...family('devcontainer', 'feature', [
    lock(
      'devcontainer-lock',
      ['devcontainer-lock.json', '.devcontainer-lock.json'],
      'devcontainer/parseDevcontainerLock',
      'the features that a development container locks',
      { manifests: ['devcontainer.json', '.devcontainer.json'] },
    ),
    list(
      'devcontainer',
      ['devcontainer.json', '.devcontainer.json'],
      'devcontainer/parseDevcontainer',
      'the image and the features of a development container',
      { ecosystem: 'image' },
    ),
  ]),
  ...family('helm', 'helm', [
    lock(
      'chart-lock',
      ['Chart.lock', 'requirements.lock.yaml'],
      'helm/parseChartLock',
      'the lock file of Helm',
      { manifests: ['Chart.yaml'] },
    ),
    manifest(
      'chart',
      ['Chart.yaml', 'requirements.yaml'],
      'helm/parseChart',
      'the dependencies of a Helm chart; Helm 2 has them in a file of their own',
    ),
  ]),
  ...family('terraform', 'terraform', [
    lock(
      'terraform-lock',
      '.terraform.lock.hcl',
      'terraform/parseTerraformLock',
      'the providers that Terraform or OpenTofu locks',
      { manifests: ['*.tf', '*.tofu'] },
    ),
  ]),
  ...family('nix', 'nix', [
    lock('flake-lock', 'flake.lock', 'nix/parseFlakeLock', 'the locked inputs of a Nix flake', {
      manifests: ['flake.nix'],
    }),
  ]),
  ...family('pre-commit', 'pre-commit', [
    list(
      'pre-commit',
      ['.pre-commit-config.yaml', '.pre-commit-config.yml'],
      'pre-commit/parsePreCommit',
      'the hooks of pre-commit and their revisions',
    ),
  ]),
  // In the captured folder itself they are declared versions.
  ...family('version-files', 'generic', [
    unread(
      'version-file-below',
      /^[^/]+\/\.?(?:tool-versions|nvmrc|(?:node|python|ruby|java|go)-version|sdkmanrc|mise\.toml)$/,
      'tools chosen for a folder below',
      'what it chooses holds in its folder alone; a capture of that folder (`--dir`) reads it',
      {
        examples: [
          ...['api/.tool-versions', 'api/.nvmrc', 'api/.node-version', 'api/.python-version'],
          ...['api/.ruby-version', 'api/.java-version', 'api/.go-version', 'api/.sdkmanrc', 'api/mise.toml'],
        ],
      },
    ),
  ]),
];

/** What calls itself a lock file and is none of those above; stands last. */
export const unknownFormats: readonly Format[] = family('unknown', 'generic', [
  unread(
    'unknown-lock',
    // mise.lock is read with the versions that a folder declares, and Prisma's migration_lock.toml only names a database.
    /\/(?!mise\.lock$|migration_lock\.toml$)[^/]+(?:\.lock|[-_.]lock\.(?:json|ya?ml|toml|hcl))$/,
    'a lock file of another tool',
    'envsnap does not know this format',
    { examples: ['buf.lock', 'x-lock.json', 'x-lock.yaml', 'x-lock.yml', 'x-lock.toml', 'x.lock.hcl'] },
  ),
]);
