// A comparison as SARIF 2.1.0, for code scanning. https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html

import { createHash } from 'node:crypto';
import { type SectionName, sectionNames } from '@envsnap/shared/address';
import { jsonText } from '@envsnap/shared/text/visible';
import { type Entry, sectionTitles } from '../model/model.ts';
import { type ComparisonReport, sectionsByWeight, violations } from '../report/report.ts';
import { changeWithDistance, nameOf, originOf } from './entry-text.ts';

/** Results of one run that GitHub takes in; the most important ones are kept. */
const resultLimit = 25_000;

const ruleTexts: Record<SectionName | 'policy', string> = {
  os: 'The operating systems differ.',
  arch: 'The architectures differ.',
  system: 'A fact of the system differs: distribution, libc, locale, time zone, kernel, hardware.',
  facts: 'A fact of the machine differs: a limit, a kernel setting, the configuration of a tool.',
  runtimes: 'A runtime or tool has another version, or is on one side only.',
  toolchain: 'A version that the project declares differs, or does not fit the one that is there.',
  checkout: 'What the work tree holds beside its commit differs.',
  dependencies: 'A dependency has another version, or is on one side only.',
  installed: 'An installed package is not the one that the lock file says.',
  env: 'A variable has another value, or is set on one side only.',
  paths: 'A list of folders (PATH and its kind) has other entries or another order.',
  policy: 'An expectation of the policy is not met.',
};
const ruleIds = [...sectionNames, 'policy'] as const;

/** Renders a comparison as a SARIF log. What counts is an error, the rest a note. */
export function renderSarif(report: ComparisonReport, toolVersion: string): string {
  const fallback = report.policy?.file ?? '.envsnap.yaml';
  const results = [
    ...violations(report.policy?.checks ?? []).map((check) =>
      result('policy', 'error', check.message, check.key, report.policy?.file ?? fallback, check.line),
    ),
    ...sectionsByWeight(report)
      .flatMap(({ entries }) => entries)
      .map((entry) => entryResult(entry, report.counting.has(entry), fallback)),
  ].slice(0, resultLimit);
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'envsnap',
            version: toolVersion,
            semanticVersion: toolVersion,
            rules: ruleIds.map(rule),
          },
        },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: report.comparison.notes.map(({ code, message }) => ({
              descriptor: { id: code },
              level: 'note',
              message: { text: message },
            })),
          },
        ],
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  };
  return `${jsonText(log)}\n`;
}

function rule(id: SectionName | 'policy') {
  return {
    id: `envsnap/${id}`,
    name: `Environment${id.charAt(0).toUpperCase()}${id.slice(1)}`,
    shortDescription: { text: id === 'policy' ? 'Policy' : sectionTitles[id] },
    fullDescription: { text: ruleTexts[id] },
    defaultConfiguration: { level: 'error' },
  };
}

function entryResult(entry: Entry, counts: boolean, fallback: string) {
  const message = `${nameOf(entry)}: ${changeWithDistance(entry)}`;
  const file = originOf(entry) || fallback;
  return result(entry.section, counts ? 'error' : 'note', message, entry.key, file, 1);
}

function result(
  id: SectionName | 'policy',
  level: 'error' | 'note',
  message: string,
  key: string,
  file: string,
  line: number,
) {
  return {
    ruleId: `envsnap/${id}`,
    ruleIndex: ruleIds.indexOf(id),
    level,
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file.toWellFormed().split('/').map(encodeURIComponent).join('/') },
          region: { startLine: line },
        },
        logicalLocations: [{ name: key, fullyQualifiedName: `${id}/${key}` }],
      },
    ],
    partialFingerprints: {
      'envsnapEntry/v1': createHash('sha256').update(`${id}\n${key}`).digest('hex').slice(0, 32),
    },
  };
}
