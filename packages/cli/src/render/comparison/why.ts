// A diagnosis for a terminal: what most likely separates the failing runs, what came with it, and what to try next.

import type { Diagnosis } from '@envsnap/compare/diagnosis';
import { findingLimit, rateText } from '@envsnap/compare/diagnosis';
import { counted } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import type { Screen } from '../../terminal/terminal.ts';

const shown = 3;

export function renderWhy(diagnosis: Diagnosis, screen: Screen): string {
  const { runs, findings, tests, suggestion, notes } = diagnosis;
  const real = findings.filter((finding) => finding.qValue <= findingLimit);
  const alone = real.filter((finding) => finding.explainedBy === null);
  const listed = (real.length > 0 ? alone : findings).slice(0, shown);
  const lines = listed.flatMap(({ what, qValue, together }, place) => {
    const sentence = visible(real.length === 0 ? `Maybe: ${what}` : `${what} (${rateText(qValue)})`);
    return [
      real.length > 0 && place === 0 ? screen.paint('bold', sentence) : sentence,
      ...(together === null ? [] : [screen.paint('dim', `  ${visible(together)}`)]),
    ];
  });
  if (real.length === 0 && runs.failed > 0 && runs.passed > 0) {
    const looked = `${counted(runs.failed, 'failing run')}, ${counted(runs.passed, 'passing run')}, ${counted(tests, 'difference')} tested`;
    lines.unshift(screen.paint('bold', `Nothing clearly separates them: ${looked}.`));
  }
  const more = [
    ...(real.length > 0 && alone.length > listed.length
      ? [counted(alone.length - listed.length, 'more finding')]
      : []),
    ...(real.length > alone.length ? [`${real.length - alone.length} explained by these`] : []),
  ];
  if (more.length > 0) lines.push(screen.paint('dim', `${more.join(' and ')}: --format markdown shows all.`));
  lines.push(...notes.map(({ message }) => screen.paint('dim', visible(message))));
  if (suggestion !== null) lines.push(`Next: ${visible(suggestion)}`);
  return `${lines.join('\n')}\n`;
}
