// What a project asks for of its machines, as captures show it.

export interface ProjectNeeds {
  /** False when nothing says what the project is: then every language may be its own. */
  readonly known: boolean;
  /** Ecosystems and clouds that the project uses. */
  readonly ecosystems: ReadonlySet<string>;
  /** Runtimes and tools that something in the project asks for. */
  readonly tools: ReadonlySet<string>;
  readonly variables: ReadonlyMap<string, string>;
  readonly settings: ReadonlySet<string>;
  /** Variables that Kubernetes makes for the services beside a pod and that their names alone do not show: `REDIS_PORT`. */
  readonly servicePorts: ReadonlySet<string>;
  /** CI services that either side runs on, as `metadata.ci.provider` names them. */
  readonly providers: ReadonlySet<string>;
  /** True when variable names match in any case on either side. */
  readonly ignoreCase: boolean;
}
