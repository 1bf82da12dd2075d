// What the rules of relevance look at beside a difference itself.

import type { Environment } from '../environment/environment.ts';
import type { ProjectNeeds } from '../model/needs.ts';

/** Both sides, for what entries do not hold, and what the project needs on its machines. */
export interface RelevanceContext {
  readonly needs: ProjectNeeds;
  readonly a: Environment;
  readonly b: Environment;
  /** B failed, and the comparison is to explain why: then what people have as they like may be the cause. */
  readonly explains: boolean;
}
