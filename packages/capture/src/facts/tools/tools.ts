// Facts about the configuration of package managers and build tools. docs/specification.md §11.

import type { FactContext, FactReaders } from '../fact-reader.ts';
import { buildToolReaders } from './build.ts';
import { nodeToolReaders } from './node.ts';
import { pythonToolReaders } from './python.ts';

export function toolReaders(sources: FactContext): FactReaders<'tools'> {
  return { ...nodeToolReaders(sources), ...pythonToolReaders(sources), ...buildToolReaders(sources) };
}
