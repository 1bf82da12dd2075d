// Dependency files of containers, infrastructure and hooks.

import { type Format, family, list, lock, manifest, unread } from './format.ts';

export const infrastructureFormats: readonly Format[] = [
  ...family('containers', 'image', [
    list(
      'dockerfile',
      // What another program fills in is no Dockerfile yet.
      /(?:\/|\.)(?:Dockerfile|Containerfile)$|\/(?:Dockerfile|Containerfile)[.-](?![\w.-]*(?<=\.)(?:eex|erb|ejs|hbs|j2|jinja2?|liquid|mustache|te?mpl|template|tpl|tt|twig)$)[\w.-]+$/i,
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
    list(
      'terraform',
      /\.(?:tf|tofu)$/,
      'terraform/parseTerraform',
      'the providers and modules that a configuration of Terraform or OpenTofu asks for',
      { examples: ['versions.tf', 'main.tofu'] },
    ),
  ]),
  ...family('github-actions', 'generic', [
    list(
      'workflow',
      /^workflows\/[^/]+\.ya?ml$/,
      'pins/parseWorkflow',
      'the actions of a workflow of GitHub, with their tag or commit',
      { examples: ['workflows/ci.yml', 'workflows/release.yaml'] },
    ),
    list(
      'composite-action',
      ['action.yml', 'action.yaml'],
      'pins/parseWorkflow',
      'the actions that a composite action of GitHub uses',
    ),
  ]),
  ...family('git', 'generic', [
    list('gitmodules', '.gitmodules', 'pins/parseGitmodules', 'the submodules of git, with their commit', {
      install: 'git submodule update --init --recursive',
    }),
  ]),
  ...family('homebrew', 'homebrew', [
    list('brewfile', 'Brewfile', 'pins/parseBrewfile', 'the programs that `brew bundle` installs', {
      install: 'brew bundle',
    }),
  ]),
  ...family('devbox', 'nix', [
    lock('devbox-lock', 'devbox.lock', 'pins/parseDevboxLock', 'the lock file of Devbox', {
      manifests: ['devbox.json'],
      install: 'devbox install',
    }),
    manifest('devbox', 'devbox.json', 'pins/parseDevbox', 'the manifest of Devbox'),
  ]),
  ...family('nix', 'nix', [
    list('npins', /^npins\/sources\.json$/, 'pins/parseNpins', 'the pins of npins', {
      examples: ['npins/sources.json'],
    }),
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
      /^[^/]+\/(?:\.(?:tool-versions|nvmrc|dvmrc|fvmrc|sdkmanrc|mise\.toml|bazelversion|zigversion)|\.\w+-version|mise\.toml|rust-toolchain(?:\.toml)?|global\.json|system\.properties|runtime\.txt|gradle-daemon-jvm\.properties|Directory\.Build\.props)$/,
      'versions of tools that a folder below declares',
      'what it declares is compared with the declared versions',
      {
        isDeclaration: true,
        examples: [
          ...['api/.tool-versions', 'api/.nvmrc', 'api/.dvmrc', 'api/.fvmrc', 'api/.node-version'],
          ...[
            'api/.python-version',
            'api/.ruby-version',
            'api/.java-version',
            'api/.go-version',
            'api/.php-version',
          ],
          ...['api/.swift-version', 'api/.terraform-version', 'api/.bun-version', 'api/.perl-version'],
          ...['api/.zig-version', 'api/.exenv-version', 'api/.elixir-version', 'api/.erlang-version'],
          ...['api/.crystal-version', 'api/.julia-version', 'api/.mise.toml'],
          ...['api/.sdkmanrc', 'api/.bazelversion', 'api/.zigversion', 'api/mise.toml'],
          ...['api/rust-toolchain', 'api/rust-toolchain.toml', 'api/global.json', 'api/system.properties'],
          ...['api/runtime.txt', 'api/Directory.Build.props'],
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
    /^(?!workflows\/)[^/]*\/(?!mise\.lock$|migration_lock\.toml$)[^/]+(?:\.lock|[-_.]lock\.(?:json|ya?ml|toml|hcl))$/,
    'a lock file of another tool',
    'envsnap does not know this format',
    {
      isLock: true,
      examples: ['buf.lock', 'x-lock.json', 'x-lock.yaml', 'x-lock.yml', 'x-lock.toml', 'x.lock.hcl'],
    },
  ),
]);
