// A comparison as SARIF 2.1.0, for code scanning. https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html

import { createHash } from 'node:crypto';
import { type SectionName, sectionNames } from '@envsnap/shared/address';
import { jsonText } from '@envsnap/shared/text/visible';
import { sectionTitles } from '../model/model.ts';
import type { ComparisonReport } from '../report/report.ts';
import { comparisonView, rowText, type ViewRow } from '../report/view.ts';

const ruleTexts: Record<SectionName | 'policy', string> = {
  os: 'The operating systems differ.',
  arch: 'The architectures differ.',
  system: 'A fact of the system differs: distribution, libc, locale, time zone, kernel, hardware.',
  facts: 'A fact of the machine differs: a limit, a kernel setting, the configuration of a tool.',
  runtimes: 'A runtime or tool has a different version, or is on one side only.',
  toolchain: 'A version that the project declares differs, or the installed version does not meet it.',
  checkout: 'The work trees differ from their commits in different ways.',
  dependencies: 'A dependency has a different version, or is on one side only.',
  installed: 'An installed package is not the locked one.',
  env: 'A variable has a different value, or is set on one side only.',
  paths: 'A list of folders, such as PATH, has different entries or a different order.',
  policy: 'An expectation of the policy is not met.',
};
const ruleIds = [...sectionNames, 'policy'] as const;

export function renderSarif(report: ComparisonReport, toolVersion: string, limit = 25_000): string {
  const { unmet, policyFile, sections, notes } = comparisonView(report);
  const fallback = policyFile ?? '.envsnap.yaml';
  const results = [
    ...unmet.map(({ message, key, line }) => result('policy', 'error', message, key, fallback, line)),
    ...sections.flatMap(({ rows }) => rows).map((row) => rowResult(row, fallback)),
  ].slice(0, limit);
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
            toolExecutionNotifications: notes.map(({ code, message }) => ({
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

function rowResult(row: ViewRow, fallback: string) {
  const { section, key } = row.entry;
  const level = row.notCounted === null ? 'error' : 'note';
  return result(section, level, rowText(row), key, row.origin || fallback, 1);
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
