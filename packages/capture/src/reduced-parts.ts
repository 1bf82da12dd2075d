// What remains of a capture that was started with a reduced environment.

import type { collectFacts } from './facts/collect-facts.ts';
import type { collectVariables } from './variables/collect-variables.ts';
import { reducedUnknown } from './variables/reduced-environment.ts';

/** The parts of a capture that depend on the variables of whoever started it: what these decide is unknown. */
export function withoutEnvironment<
  Parts extends {
    readonly variables: Awaited<ReturnType<typeof collectVariables>>;
    readonly about: { readonly locale?: string | undefined };
    readonly facts: Awaited<ReturnType<typeof collectFacts>>;
  },
>(parts: Parts): Parts {
  const { locale: _, ...about } = parts.about;
  const unknown = new Set(reducedUnknown.flatMap(({ section, key }) => (section === 'facts' ? [key] : [])));
  const facts = Object.fromEntries(Object.entries(parts.facts.facts).filter(([name]) => !unknown.has(name)));
  return {
    ...parts,
    about,
    variables: { ...parts.variables, envVars: {}, redactions: [], warnings: [] },
    facts: {
      ...parts.facts,
      facts,
      unknown: [...parts.facts.unknown.filter(({ key }) => !unknown.has(key)), ...reducedUnknown],
    },
  };
}
