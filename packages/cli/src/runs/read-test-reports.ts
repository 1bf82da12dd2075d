// Reads the test reports that a run has written, within limits: JUnit and CTRF files that match the given patterns, or else those
// in the usual places.

import { readFile, stat } from 'node:fs/promises';
import type { TestsOfRun } from '@envsnap/capture';
import type { TestCase } from '@envsnap/capture/workspace/tests/test-cases';
import { recordOf } from '@envsnap/shared/plain-object';
import { readInputFile } from '../actions/documents/read-input-file.ts';
import { expandFiles } from '../actions/references/expand-files.ts';
import usual from './usual-files.json' with { type: 'json' };

/** Maximum number of files, and maximum bytes of them together, that are read of one run. */
const mostFiles = 2000;
const mostBytes = 64 * 1024 * 1024;
/** How far the clock of a file system may be behind, in milliseconds. */
const clockToleranceMs = 20;

interface RunReports {
  /** Undefined if no report was written. */
  readonly tests: TestsOfRun | undefined;
  /** The texts of the failures, for the search for causes. */
  readonly failureText: string;
  /** Tests that failed, if the runner records only their names. */
  readonly failedNames: readonly string[];
  /** Problems while reading, a sentence each without its full stop. */
  readonly problems: readonly string[];
}

const pytestCache = '.pytest_cache/v/cache';
const mostCacheBytes = 1024 * 1024;

/** Reads the reports of a failed run from the usual places. Skips files that are not test reports. */
export async function findTestReports(sinceMs: number): Promise<RunReports> {
  const found = await readTestReports({ junit: usual.junitReports, ctrf: [] }, sinceMs);
  return { ...found, failedNames: await failedInPytest(sinceMs), problems: [] };
}

/** The tests that failed last according to pytest's cache. Each run writes the cache, but the list only if it changes. */
async function failedInPytest(sinceMs: number): Promise<string[]> {
  const written = await stat(`${pytestCache}/nodeids`).catch(() => undefined);
  const list = await stat(`${pytestCache}/lastfailed`).catch(() => undefined);
  const isOurs = written !== undefined && written.mtimeMs >= sinceMs - clockToleranceMs;
  if (!isOurs || !list?.isFile() || list.size > mostCacheBytes) return [];
  try {
    const ids = Object.keys(recordOf(JSON.parse(await readFile(`${pytestCache}/lastfailed`, 'utf8'))));
    const files = new Set(ids.filter((id) => !id.includes('::')));
    // A file that could not be imported ran none of its tests; those in the list failed earlier.
    return ids.filter((id) => files.has(id) || !files.has(id.replace(/::.*$/s, '')));
  } catch {
    return [];
  }
}

/** Reads the reports that were written since a time, in milliseconds since the epoch. Older ones belong to another run. */
export async function readTestReports(
  patterns: { readonly junit: readonly string[]; readonly ctrf: readonly string[] },
  sinceMs: number,
): Promise<RunReports> {
  const problems: string[] = [];
  const cases: TestCase[] = [];
  const texts: string[] = [];
  if (patterns.junit.length + patterns.ctrf.length === 0)
    return { tests: undefined, failureText: '', failedNames: [], problems };
  const [{ parseCtrf }, { parseJunit }, { testsOfRun }] = await Promise.all([
    import('@envsnap/capture/workspace/tests/ctrf'),
    import('@envsnap/capture/workspace/tests/junit'),
    import('@envsnap/capture/workspace/tests/test-cases'),
  ]);
  const files = [
    ...(await filesOf(patterns.junit, sinceMs)).map((file) => ({ ...file, parse: parseJunit })),
    ...(await filesOf(patterns.ctrf, sinceMs)).map((file) => ({ ...file, parse: parseCtrf })),
  ].sort((x, y) => x.modifiedMs - y.modifiedMs);
  if (files.length === 0) problems.push('no test report was written by this run');
  let bytes = 0;
  for (const [place, { file, sizeBytes, parse }] of files.entries()) {
    bytes += sizeBytes;
    if (bytes > mostBytes || place >= mostFiles) {
      problems.push(`${files.length - place} test reports were left out: together they are too large`);
      break;
    }
    try {
      const report = parse(
        await readInputFile(file, { errorCode: 'report_unreadable', maxBytes: mostBytes }),
      );
      for (const each of report.cases) cases.push(each);
      texts.push(report.failureText);
    } catch (error) {
      problems.push(`${file} could not be read: ${error instanceof Error ? error.message : 'it is damaged'}`);
    }
  }
  return {
    tests: cases.length > 0 ? testsOfRun(cases) : undefined,
    failureText: texts.join('\n'),
    failedNames: [],
    problems,
  };
}

async function filesOf(patterns: readonly string[], sinceMs: number) {
  const names = new Set((await Promise.all(patterns.map(expandFiles))).flat());
  const found = await Promise.all(
    [...names].map(async (file) => {
      const status = await stat(file).catch(() => undefined);
      return status?.isFile() && status.mtimeMs >= sinceMs - clockToleranceMs
        ? [{ file, sizeBytes: status.size, modifiedMs: status.mtimeMs }]
        : [];
    }),
  );
  return found.flat();
}
