// The needs of a project, as shown by captures.

export interface ProjectNeeds {
  readonly known: boolean;
  readonly ecosystems: ReadonlySet<string>;
  readonly tools: ReadonlySet<string>;
  readonly variables: ReadonlyMap<string, string>;
  readonly settings: ReadonlySet<string>;
  /** Variables that Kubernetes sets for services next to a pod, if their names alone do not show it: `REDIS_PORT`. */
  readonly servicePorts: ReadonlySet<string>;
  readonly providers: ReadonlySet<string>;
  readonly ignoreCase: boolean;
  /** Tools that the command of a recorded run starts. */
  readonly started: ReadonlySet<string>;
}
