// What one machine alone shows: versions that its project declares and that its tools do not meet.

import { environmentOf } from '../environment/environment.ts';
import { declarationsByKey } from './compare-values.ts';
import type { ComparableEnvironment } from './model.ts';

/** A version that the project declares and that one machine alone does not meet. */
export interface UnmetDeclaration {
  /** The tool, or `tool (file)` where several files declare one tool. */
  readonly key: string;
  readonly tool: string;
  readonly file: string;
  readonly requirement: string;
  readonly present: string | null;
  /** A sentence without its full stop: `node is 20.20.2, .nvmrc asks for 22.11.0`. */
  readonly message: string;
  readonly advice: string;
}

/** By key: tools of another version than the project declares, and those that are missing. An unknown version is neither. */
export function unmetDeclarations(snapshot: ComparableEnvironment): UnmetDeclaration[] {
  const environment = environmentOf(snapshot);
  return Object.entries(declarationsByKey(environment)).flatMap(([key, declared]) => {
    const { tool, file, requirement, present, satisfied } = declared;
    const isUnknown = environment.whyUnknown({ section: 'runtimes', name: tool }) !== undefined;
    if (present === null ? isUnknown : satisfied !== false) return [];
    const is = present === null ? 'was not found' : `is ${present}`;
    const message = `${tool} ${is}, ${file || 'the project'} asks for ${requirement}`;
    return { key, tool, file, requirement, present, message, advice: `install ${tool} ${requirement}` };
  });
}
