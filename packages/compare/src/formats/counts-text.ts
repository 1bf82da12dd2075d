// How many differences of which kind, in words; the same in every format.

import { type SectionName, sectionNames } from '@envsnap/shared/address';
import { counted, grouped } from '@envsnap/shared/text/size';
import { type ComparisonReport, violations } from '../report/report.ts';

const nouns: Record<SectionName, readonly [one: string, many: string]> = {
  os: ['operating system', 'operating systems'],
  arch: ['architecture', 'architectures'],
  system: ['system fact', 'system facts'],
  facts: ['fact', 'facts'],
  runtimes: ['runtime', 'runtimes'],
  toolchain: ['declared version', 'declared versions'],
  checkout: ['place of the checkout', 'places of the checkout'],
  dependencies: ['package', 'packages'],
  installed: ['installed package', 'installed packages'],
  env: ['variable', 'variables'],
  paths: ['path list', 'path lists'],
};

export function countsLine(report: ComparisonReport): string {
  const violated = violations(report.policy?.checks ?? []).length;
  const perSection = sectionNames
    .map((section) => ({
      section,
      count: [...report.counting].filter((entry) => entry.section === section).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ section, count }) => counted(count, ...nouns[section]));
  const parts: string[] = [];
  if (violated > 0) parts.push(`${counted(violated, 'expectation')} of ${report.policy?.file} not met`);
  const accepted = report.acceptedFor.size;
  const joined = report.countedWith.size;
  const uncounted = report.differences.length - report.counting.size - joined - accepted;
  if (report.counting.size > 0) {
    const [verb, it] = report.counting.size === 1 ? ['counts', 'it'] : ['count', 'them'];
    parts.push(`${counted(report.counting.size, 'difference')} ${verb} (${perSection.join(', ')})`);
    if (joined > 0) parts.push(`${grouped(joined)} ${joined === 1 ? 'follows' : 'follow'} from ${it}`);
    if (uncounted > 0) parts.push(`${grouped(uncounted)} ${uncounted === 1 ? 'does' : 'do'} not`);
  } else {
    const none = `${parts.length === 0 ? 'No' : 'no'} difference`;
    if (uncounted > 0)
      parts.push(`${none} counts, ${grouped(uncounted)} ${uncounted === 1 ? 'does' : 'do'} not`);
    else parts.push(accepted > 0 ? `${none} counts` : none);
  }
  if (accepted > 0) parts.push(`${grouped(accepted)} accepted`);
  return parts.join(', ');
}

export function equalText(report: ComparisonReport): string {
  const { counts } = report.comparison;
  const equal = sectionNames.reduce((sum, name) => sum + counts[name].same, 0);
  const ignored = sectionNames.reduce((sum, name) => sum + counts[name].ignored, 0);
  return `${counted(equal, 'entry', 'entries')} equal${ignored > 0 ? `, ${grouped(ignored)} ignored` : ''}`;
}
