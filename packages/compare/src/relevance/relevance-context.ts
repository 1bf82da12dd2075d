// What the rules of relevance look at beside a difference itself.

import type { ComparableEnvironment } from '../model/model.ts';
import type { ProjectNeeds } from '../model/needs.ts';

/** The sides as they were captured, for what entries do not hold, and what the project needs of its machines. */
export interface RelevanceContext {
  readonly needs: ProjectNeeds;
  readonly a: ComparableEnvironment;
  readonly b: ComparableEnvironment;
}
