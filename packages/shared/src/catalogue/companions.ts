// Tools that come with another one and change with it. Plain data.

const companions: Readonly<Record<string, readonly string[]>> = {
  node: ['npm', 'corepack'],
  python: ['pip'],
  ruby: ['gem', 'bundler'],
  rustc: ['cargo'],
  java: ['javac'],
  gcc: ['g++', 'gfortran'],
  go: ['gofmt'],
  php: ['composer'],
  docker: ['docker-buildx', 'docker-compose'],
  dart: ['flutter'],
};

/** The tools that come with a runtime, by their names in `runtimeVersions`. */
export function companionsOf(runtime: string): readonly string[] {
  return Object.hasOwn(companions, runtime) ? (companions[runtime] as readonly string[]) : [];
}
