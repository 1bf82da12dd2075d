// A comparison as JUnit XML: a suite for each section, a test case for each difference, which fails if it counts.

import { sectionNames } from '@envsnap/shared/address';
import { counted } from '@envsnap/shared/text/size';
import { escapeMarkup } from '@envsnap/shared/text/visible';
import { sectionTitles } from '../model/model.ts';
import type { ComparisonReport } from '../report/report.ts';
import { changeOf, comparisonView, type ViewSection } from '../report/view.ts';
import { sideText } from './entry-text.ts';

interface Suite {
  readonly name: string;
  readonly cases: readonly TestCase[];
}

interface TestCase {
  readonly name: string;
  readonly className: string;
  readonly file?: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly message?: string;
}

export function renderJunit(report: ComparisonReport): string {
  const { a, b, sections } = comparisonView(report, { machinePackages: true });
  const sectionSuites = sectionNames.map((section) =>
    sectionSuite(
      sections.find((each) => each.section === section) ?? {
        section,
        title: sectionTitles[section],
        rows: [],
      },
      report.comparison.counts[section].same,
    ),
  );
  const suites = [policySuite(report), ...sectionSuites, noteSuite(report)].filter(
    (suite) => suite.cases.length > 0,
  );
  const cases = suites.flatMap((suite) => suite.cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="envsnap compare"${totals(cases)}>`,
    ...suites.flatMap((suite) => [
      `  <testsuite name="${escapeMarkup(suite.name)}"${totals(suite.cases)}>`,
      '    <properties>',
      `      <property name="a" value="${escapeMarkup(`${a.label}: ${sideText(a)}`)}"/>`,
      `      <property name="b" value="${escapeMarkup(`${b.label}: ${sideText(b)}`)}"/>`,
      '    </properties>',
      ...suite.cases.map(testCase),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function totals(cases: readonly TestCase[]): string {
  const count = (outcome: TestCase['outcome']) => cases.filter((item) => item.outcome === outcome).length;
  return ` tests="${cases.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}" time="0"`;
}

function testCase(item: TestCase): string {
  const file = item.file ? ` file="${escapeMarkup(item.file)}"` : '';
  const start = `    <testcase name="${escapeMarkup(item.name)}" classname="${escapeMarkup(item.className)}"${file} time="0"`;
  if (item.outcome === 'passed') return `${start}/>`;
  const message = escapeMarkup(item.message ?? '');
  if (item.outcome === 'skipped') return `${start}><skipped message="${message}"/></testcase>`;
  return `${start}><failure type="difference" message="${message}">${message}</failure></testcase>`;
}

function policySuite({ policy }: ComparisonReport): Suite {
  const cases = (policy?.checks ?? []).map(({ key, outcome, message }): TestCase => {
    const result = outcome === 'met' ? 'passed' : outcome === 'violated' ? 'failed' : 'skipped';
    return { name: key, className: 'envsnap.policy', file: policy?.file ?? '', outcome: result, message };
  });
  return { name: 'Policy', cases };
}

function noteSuite({ comparison }: ComparisonReport): Suite {
  const className = 'envsnap.notes';
  const cases = comparison.notes.map(
    ({ code, message }): TestCase => ({ name: code, className, outcome: 'skipped', message }),
  );
  return { name: 'Notes', cases };
}

function sectionSuite({ section, title, rows }: ViewSection, equal: number): Suite {
  const className = `envsnap.${section}`;
  const cases = rows.map((row): TestCase => {
    const { entry, origin, notCounted } = row;
    return {
      name: entry.key,
      className,
      ...(origin ? { file: origin } : {}),
      outcome: notCounted === null ? 'failed' : 'skipped',
      message: changeOf(row),
    };
  });
  if (equal > 0)
    cases.push({ name: counted(equal, 'equal entry', 'equal entries'), className, outcome: 'passed' });
  return { name: title, cases };
}
