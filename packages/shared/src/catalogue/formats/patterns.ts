// The names of files that belong to a format but have no exact name.

/** The pattern of each format. All are linear in the path's length. */
export const formatPatterns: Readonly<Record<string, RegExp>> = {
  'uv-script-lock': /\.py\.lock$/,
  'npm-patch': /^patches\/[^/]+\.patch$/,
  'import-map': /^config\/importmap\.rb$|\/importmap\.php$/,
  pylock: /\/pylock(?:\.[^./]+)?\.toml$/,
  'requirements-lock': /\/requirements(?:-[\w-]+)?\.lock$/,
  requirements:
    /(?:^|\/)(?:requirements\/(?!readme|license)[^/]*\.txt|(?:[^/]{0,100}[-_.])?requirements(?:[-_.][^/]{0,100})?\.txt|constraints(?:[-_.][^/]*)?\.txt)$/i,
  'requirements-in':
    /(?:^|\/)(?:requirements\/[^/]*\.in|(?:[^/]{0,100}[-_.])?requirements(?:[-_.][^/]{0,100})?\.in)$/i,
  'conda-lock': /(?:^|[./-])conda-lock\.ya?ml$/,
  'conda-environment': /\/environment(?:[-_.][\w.-]*)?\.ya?ml$/,
  'go-vendor': /(?:^|\/)vendor\/modules\.txt$/,
  bingo: /^\.bingo\/[^/]+\.mod$/,
  cabal: /\.cabal$/,
  'opam-locked': /(?:\/opam|\.opam)\.locked$/,
  opam: /(?:\/|\.)opam$/,
  'maven-extensions': /^\.mvn\/extensions\.xml$/,
  'gradle-lock':
    /\/(?:(?:buildscript-|settings-)?gradle\.lockfile)$|(?:^|\/)dependency-locks\/[^/]*\.lockfile$/,
  'gradle-catalog': /\.versions\.toml$/,
  'gradle-build': /\.gradle(?:\.kts)?$/,
  'cmake-module': /\.cmake$/,
  'sbt-plugins': /^project\/[^/]+\.sbt$/,
  'maven-install': /maven_install\.json$/,
  'dotnet-project': /\.(?:cs|fs|vb)proj$/,
  // Programs other than MSBuild also use `.props`.
  'dotnet-import': /\/Directory\.Build\.props$|\.targets$|^(?:eng|build)\/[^/]+\.props$/,
  'dotnet-solution': /\.slnx?$/,
  'appraisal-lock': /\.gemfile\.lock$/,
  gemspec: /\.gemspec$/,
  'julia-manifest': /\/(?:Julia)?Manifest(?:-v\d+(?:\.\d+)?)?\.toml$/,
  // A template is not a Dockerfile. The parser leaves out source files whose names look like one.
  dockerfile:
    /(?:\/|\.)(?:Dockerfile|Containerfile)$|\/(?:Dockerfile|Containerfile)[.-](?![\w.-]*(?<=\.)(?:eex|erb|ejs|hbs|j2|jinja2?|liquid|mustache|te?mpl|template|tpl|tt|twig)$)[\w.-]+$/i,
  compose: /\/(?:docker-)?compose(?:[-.][\w.-]+)?\.ya?ml$/,
  terraform: /\.(?:tf|tofu)$/,
  workflow: /^workflows\/[^/]+\.ya?ml$/,
  pipeline:
    /^\.circleci\/config\.ya?ml$|\/(?:\.gitlab-ci|azure-pipelines|bitbucket-pipelines|\.drone|\.woodpecker|\.cirrus)\.ya?ml$/,
  settings:
    /^\.mvn\/(?:maven\.config|jvm\.config|settings\.xml)$|^subprojects\/[^/]+\.wrap$|\/(?:vcpkg-configuration\.json|\.pnpmfile\.[cm]js|uv\.toml|\.bazelrc|\.jvmopts|\.sbtopts|Aptfile|apt\.txt|Mintfile|snapcraft\.yaml)$/,
  niv: /^nix\/sources\.json$/,
  npins: /^npins\/sources\.json$/,
  'version-file-below':
    /^[^/]+\/(?:\.(?:tool-versions|nvmrc|dvmrc|fvmrc|sdkmanrc|mise\.toml|bazelversion|zigversion)|\.\w+-version|mise\.toml|rust-toolchain|system\.properties|runtime\.txt|go\.work|gradle-daemon-jvm\.properties)$/,
  // Prisma's migration_lock.toml only names a database.
  'unknown-lock':
    /^(?!workflows\/)[^/]*\/(?!migration_lock\.toml$)[^/]+(?:\.lock|[-_.]lock\.(?:json|ya?ml|toml|hcl))$/,
};
