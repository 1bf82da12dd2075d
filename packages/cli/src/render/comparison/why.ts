// A diagnosis for a terminal: what most likely separates the failing runs, what came with it, and what to try next.

import type { Diagnosis, Finding } from '@envsnap/compare/diagnosis';
import { findingLimit, tellRate } from '@envsnap/compare/diagnosis';
import { counted } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import type { Screen } from '../../terminal/terminal.ts';
import { wrapWords } from '../layout/wrap-words.ts';

const shown = 3;

export function renderWhy(diagnosis: Diagnosis, screen: Screen): string {
  const { runs, findings, tests, suggestion, notes } = diagnosis;
  const paragraph = (text: string, indent: string) =>
    wrapWords(visible(text), screen.columns - indent.length).map((line) => `${indent}${line}`);
  const lines: string[] = [];
  const real = findings.filter((finding) => finding.qValue <= findingLimit);
  const alone = real.filter((finding) => finding.explainedBy === null);
  const told = (real.length > 0 ? alone : findings).slice(0, shown);
  const [first] = told;
  if (!first || real.length === 0) {
    const looked = `${counted(runs.failed, 'failing run')}, ${counted(runs.passed, 'passing run')}, ${counted(tests, 'difference')} tested`;
    lines.push(
      ...(runs.failed + runs.passed === 0
        ? []
        : paragraph(`Nothing separates them for certain: ${looked}.`, '').map((line) =>
            screen.paint('bold', line),
          )),
    );
  }
  for (const [place, finding] of told.entries())
    lines.push(...findingLines(finding, place, real, screen, paragraph));
  const more = [
    ...(real.length > 0 && alone.length > told.length
      ? [counted(alone.length - told.length, 'more finding')]
      : []),
    ...(real.length > alone.length ? [`${real.length - alone.length} explained by these`] : []),
  ];
  if (more.length > 0) lines.push(screen.paint('dim', `${more.join(' and ')}: --format markdown shows all.`));
  for (const note of notes)
    lines.push(...paragraph(note.message, '').map((line) => screen.paint('dim', line)));
  if (suggestion !== null) lines.push(...paragraph(`Next: ${suggestion}`, ''));
  return `${lines.join('\n')}\n`;
}

function findingLines(
  finding: Finding,
  place: number,
  real: readonly Finding[],
  screen: Screen,
  paragraph: (text: string, indent: string) => string[],
): string[] {
  const rate = `(${tellRate(finding.qValue)})`;
  const lead = real.length === 0 ? 'Maybe: ' : '';
  const sentence = paragraph(`${lead}${finding.what} ${rate}`, '');
  const main = real.length > 0 && place === 0;
  const lines = main ? sentence.map((line) => screen.paint('bold', line)) : sentence;
  const under: string[] = [];
  if (finding.together !== null) under.push(...paragraph(finding.together, '  '));
  return [...lines, ...under.map((line) => screen.paint('dim', line))];
}
