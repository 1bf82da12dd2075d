// Judges a comparison: what counts, what most likely explains a failure, what to do next. All formats start from this.

import { type SectionName, sectionNames } from '@envsnap/shared/address';
import { packageDatabaseOf } from '@envsnap/shared/catalogue/machine-packages';
import { counted } from '@envsnap/shared/text/size';
import { createWorkBudget, type WorkBudget } from '@envsnap/shared/work-budget';
import { type Cause, isInOutput, placeKey, placesOf } from '../causes/cause.ts';
import { rankCauses } from '../causes/causes.ts';
import type { Repair } from '../causes/repair.ts';
import { scoreOf } from '../causes/score.ts';
import { sideNames } from '../causes/side-names.ts';
import type { Failure } from '../failure/read-failure.ts';
import { mayCount } from '../model/capture-gaps.ts';
import { isNothingInstalled, lackingIn } from '../model/compare-installed.ts';
import { directFirst } from '../model/direct-packages.ts';
import { commandFor } from '../model/installed-findings.ts';
import { isMachineContext } from '../model/machine-packages.ts';
import {
  type ComparableEnvironment,
  type ComparisonNote,
  differencesOf,
  type Entry,
  type EnvironmentComparison,
  toolOfKey,
} from '../model/model.ts';
import { type AcceptedDifferences, expiryNotes, findAccepted } from '../policy/accepted.ts';
import { shownBy } from '../policy/check-policy.ts';
import { countingEntries, defaultFailRules, type FailRule } from '../policy/fail-on.ts';
import type { Acceptance, PolicyCheck } from '../policy/policy.ts';
import { today } from '../policy/today.ts';
import { causeFinder, subjectOf, uncheckedExpectations, unmetOf, violations } from './expectations.ts';

/** `equal`: nothing differs; `tolerated`: what differs does not count; `failed`: something counts. */
export type Verdict = 'equal' | 'tolerated' | 'failed';

export interface ComparisonReport {
  readonly comparison: EnvironmentComparison;
  readonly verdict: Verdict;
  readonly counting: ReadonlySet<Entry>;
  /** Differences that would count, but share a cause with another one that is counted instead. */
  readonly countedWith: ReadonlyMap<Entry, Entry>;
  readonly differences: readonly Entry[];
  readonly causes: readonly Cause[];
  readonly accepted: readonly AcceptedDifferences[];
  /** Differences that do not count because they are accepted, each with the reason. */
  readonly acceptedFor: ReadonlyMap<Entry, string>;
  readonly failOn: readonly string[];
  readonly policy: { readonly file: string; readonly checks: readonly PolicyCheck[] } | null;
}

export interface ReportOptions {
  readonly failRules?: readonly FailRule[] | undefined;
  readonly policy?: { readonly file: string; readonly checks: readonly PolicyCheck[] } | undefined;
  readonly accepted?: readonly Acceptance[] | undefined;
  /** The sides as captured; needed for accepted values of variables and for the words of an output. */
  readonly sides?: { readonly a: ComparableEnvironment; readonly b: ComparableEnvironment } | undefined;
  readonly failure?: Failure | undefined;
  readonly explanations?: readonly FailureExplanation[] | undefined;
  readonly explains?: boolean | undefined;
  readonly now?: Date | undefined;
  readonly budget?: WorkBudget | undefined;
}

/** An explanation of the failure that was found on its machine; `variable`: the one that is not set there. */
export interface FailureExplanation {
  readonly sentence: string;
  readonly variable?: string | undefined;
}

/** Judges a comparison. A violated expectation of the policy counts like a difference. */
export function reportComparison(
  comparison: EnvironmentComparison,
  options: ReportOptions = {},
): ComparisonReport {
  const rules = options.failRules ?? defaultFailRules;
  const differences = differencesOf(comparison);
  const budget = options.budget ?? createWorkBudget();
  const accepted = findAccepted(differences, options.accepted ?? [], {
    sides: options.sides,
    now: options.now ?? today(),
    budget,
  });
  const acceptedFor = new Map<Entry, string>();
  for (const { entries, reason } of accepted.filter(({ expired }) => !expired).reverse())
    for (const entry of entries) acceptedFor.set(entry, reason);
  const counts = new Set(countingEntries(comparison, rules, budget('applying the fail-on rules')));
  if (options.failure || options.explains)
    for (const entry of comparison.sections.installed) if (isNothingInstalled(entry)) counts.add(entry);
  const unaccepted = [...counts].filter((entry) => !acceptedFor.has(entry));
  const ranked = rankCauses(comparison, {
    apart: acceptedFor,
    failure: options.failure,
    checks: options.policy?.checks ?? [],
    sides: options.sides,
  });
  // A user's own rules count each difference that they name.
  const countedWith = rules.every(({ lenient }) => lenient)
    ? findCountedWith(ranked, unaccepted)
    : new Map<Entry, Entry>();
  const counting = new Set(unaccepted.filter((entry) => !countedWith.has(entry)));
  const causes = acceptedLast(ranked, acceptedFor);
  const causeOf = causeFinder(causes);
  const policy = options.policy && {
    ...options.policy,
    checks: options.policy.checks.map((check) => ({
      ...check,
      advice: causeOf(check)?.advice ?? check.advice,
    })),
  };
  const violated = violations(policy?.checks ?? []).length > 0;
  return {
    comparison: {
      ...comparison,
      notes: [
        ...explanationNotes(causes, options.explanations),
        ...comparison.notes,
        ...expiryNotes(accepted),
        ...failureNotes(causes, options.failure),
      ],
    },
    verdict: counting.size > 0 || violated ? 'failed' : differences.length > 0 ? 'tolerated' : 'equal',
    counting,
    countedWith,
    differences,
    causes,
    accepted,
    acceptedFor,
    failOn: [...new Set(rules.map((rule) => rule.text))],
    policy: policy ?? null,
  };
}

/** Leaves out explanations of variables that are causes: a cause says the same, and what the other side has. */
function explanationNotes(
  causes: readonly Cause[],
  explanations: readonly FailureExplanation[] = [],
): ComparisonNote[] {
  const isCause = (name = '') => causes.some(({ section, keys }) => section === 'env' && keys.includes(name));
  return explanations
    .filter(({ variable }) => !isCause(variable))
    .map(({ sentence }) => ({ code: 'failure_explained', message: sentence }));
}

function failureNotes(causes: readonly Cause[], failure: Failure | undefined): ComparisonNote[] {
  if (failure === undefined) return [];
  const notes: ComparisonNote[] = [];
  if (failure.cut) {
    const message = 'The output of the failure is long: only its beginning and its end were read.';
    notes.push({ code: 'failure_cut', message });
  }
  if (!causes.some(isInOutput)) {
    const message =
      'The output of the failure names nothing that differs, so it does not change the order of the causes.';
    notes.push({ code: 'failure_names_nothing', message });
  }
  return notes;
}

/** Differences with one cause count once. A project's packages count one by one, those of the operating system together. */
function findCountedWith(causes: readonly Cause[], counting: readonly Entry[]): Map<Entry, Entry> {
  const byKey = new Map(counting.map((entry) => [placeKey(entry), entry]));
  const found = new Map<Entry, Entry>();
  for (const cause of causes) {
    const [first, ...rest] = placesOf(cause).flatMap((place) => byKey.get(placeKey(place)) ?? []);
    const isOfProject = first?.file !== undefined && packageDatabaseOf(first.file) === undefined;
    const joined = isOfProject ? rest.filter(({ file }) => file === undefined) : rest;
    for (const entry of joined) found.set(entry, first as Entry);
  }
  return found;
}

function acceptedLast(causes: readonly Cause[], acceptedFor: ComparisonReport['acceptedFor']): Cause[] {
  const reasons = new Map([...acceptedFor].map(([entry, reason]) => [placeKey(entry), reason]));
  const [open, accepted]: [Cause[], Cause[]] = [[], []];
  for (const cause of causes) {
    const found = placesOf(cause).map((place) => reasons.get(placeKey(place)));
    const [reason] = found;
    if (reason === undefined || found.includes(undefined)) open.push(cause);
    else accepted.push({ ...cause, score: 0, accepted: reason });
  }
  return [...open, ...accepted];
}

/** A production installation has no development packages, but still starts. */
const isNothingAtAll = (entry: Entry): boolean => isNothingInstalled(entry) && entry.key === entry.file;

/** Maximum number of expectations in a headline. */
const unmetNamed = 2;

/** One or two sentences: first the likely cause or, without one, what could not be compared. */
export function headlineOf(report: ComparisonReport): string {
  const { comparison } = report;
  const names = sideNames(comparison);
  // Programs do not start without their packages, whatever else differs.
  const lacking = report.differences.filter(isNothingAtAll);
  const nothing = lacking.map((entry) => {
    const command = commandFor(entry.file ?? '');
    const { side, what } = lackingIn(entry);
    return `${what.charAt(0).toUpperCase()}${what.slice(1)} ${names[side].at}${command === null ? '' : `: ${command}`}.`;
  });
  const rest = topCausesBeside(report, new Set(lacking.map(({ key }) => key)));
  return [...explanationsOf(comparison), ...nothing, sentenceOf(report, rest, nothing.length > 0)]
    .filter(Boolean)
    .join(' ');
}

export function explanationsOf({ notes }: EnvironmentComparison): string[] {
  return notes.filter(({ code }) => code === 'failure_explained').map(({ message }) => message);
}

/** Leaves out those that packages in `named` or unmet expectations already cover. */
function topCausesBeside(report: ComparisonReport, named: ReadonlySet<string>): Cause[] {
  const unmet = unmetOf(report).slice(0, unmetNamed);
  const expected = new Set(unmet.map((check) => subjectOf(shownBy(check)[0])));
  const isNamed = (cause: Cause) =>
    cause.section === 'installed'
      ? cause.keys.every((key) => named.has(key))
      : !isInOutput(cause) && expected.has(subjectOf({ section: cause.section, key: cause.keys[0] ?? '' }));
  return topCauses({ ...report, causes: report.causes.filter((cause) => !isNamed(cause)) }, 2);
}

function sentenceOf(report: ComparisonReport, causes: readonly Cause[], isContinued: boolean): string {
  const violated = unmetOf(report);
  const parts: string[] = violated.slice(0, unmetNamed).map((check) => check.message);
  parts.push(...causes.slice(0, 2 - parts.length).map(causeSentence));
  const open = notCompared(report);
  if (report.verdict === 'equal') return open === '' ? 'No difference.' : `No difference found; ${open}.`;
  if (report.verdict === 'failed') {
    if (parts.length > 0) return `${capitalized(parts.join('; '))}.`;
    const { size } = report.counting;
    return isContinued ? '' : `${counted(size, 'difference')} ${size === 1 ? 'counts' : 'count'}.`;
  }
  const nearest = parts[0] === undefined ? '' : `; the closest to a cause: ${parts[0]}`;
  const subject = isContinued ? 'Nothing else' : 'Nothing';
  const first = open === '' ? `${subject} differs that counts` : `${subject} that counts was found; ${open}`;
  return `${first}${nearest}.`;
}

function causeSentence({ what, evidence }: Cause): string {
  return evidence === undefined ? what : `${what} (the output says “${evidence}”)`;
}

const gaps: Readonly<Partial<Record<ComparisonNote['code'], string>>> = {
  reduced_environment: 'variables, paths and language could not be compared',
  facts_one_side: 'facts could not be compared',
  not_recorded: 'not everything was captured',
};

/** `5 secrets could not be compared`; empty if all could be compared and checked. */
export function notCompared({ comparison, policy }: ComparisonReport): string {
  const { sections, needs, notes } = comparison;
  const unknown = comparison.unknown.filter((each) => mayCount(each, needs));
  const unchecked = uncheckedExpectations(policy?.checks ?? []);
  const unverified = [...sections.env, ...sections.paths].filter((entry) => entry.unverified !== undefined);
  const names = unverified.filter((entry) => entry.unverified === 'names-only').length;
  const secrets = unverified.length - names;
  const parts = [
    secrets > 0 ? `${counted(secrets, 'secret')} could not be compared` : '',
    names > 0 ? `${counted(names, 'variable')} by name only` : '',
    unknown.length > 0 ? `${counted(unknown.length, 'thing')} could not be read` : '',
    ...new Set(notes.map(({ code }) => gaps[code] ?? '')),
    unchecked > 0 ? `${counted(unchecked, 'expectation')} could not be checked` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** The next step: install missing packages, or else repair the likeliest cause; undefined if there is none. */
export function nextStepOf(
  report: ComparisonReport,
): { readonly advice: string; readonly repair: Repair | null } | undefined {
  const lacking = report.differences.find(isNothingAtAll);
  if (lacking) return report.causes.find(({ keys }) => keys.includes(lacking.key));
  const [violation] = unmetOf(report);
  if (violation) return causeFinder(report.causes)(violation) ?? { advice: violation.advice, repair: null };
  const [top] = topCauses(report, 1);
  return report.verdict === 'failed' || (top && isInOutput(top)) ? top : undefined;
}

export function adviceOf(report: ComparisonReport): string | undefined {
  return nextStepOf(report)?.advice;
}

const notable = 5;

/** The likeliest causes, counting ones first; a second one only if it is nearly as likely. */
export function topCauses(report: ComparisonReport, count: number): Cause[] {
  const countingKeys = new Set([...report.counting].map(placeKey));
  const counts = (cause: Cause) => placesOf(cause).some((place) => countingKeys.has(placeKey(place)));
  const worth = report.causes.filter((cause) => cause.score >= notable || counts(cause));
  // Causes that the output of a failure names come first already.
  const first = worth[0] && isInOutput(worth[0]) ? worth.slice(0, 1) : [];
  const others = worth.slice(first.length);
  const ordered = [...first, ...others.filter(counts), ...others.filter((cause) => !counts(cause))];
  const chosen: Cause[] = [];
  const tools = new Set<string>();
  for (const cause of ordered) {
    const tool = toolOfKey(cause.keys[0] ?? '');
    // A runtime that does not meet its declared version is shown once, by the declaration.
    if ((cause.section === 'runtimes' || cause.section === 'toolchain') && tools.has(tool)) continue;
    if (chosen[0] && isInOutput(chosen[0]) && !isInOutput(cause)) break;
    if (chosen[0] && (cause.score < chosen[0].score * 0.6 || counts(cause) !== counts(chosen[0]))) break;
    chosen.push(cause);
    tools.add(tool);
    if (chosen.length === count) break;
  }
  return chosen;
}

/**
 * Sections and entries with differences, the likeliest cause first. Unless `all` is given, leaves out system packages that
 * programs do not load.
 */
export function sectionsByWeight(
  report: ComparisonReport,
  all = false,
): { section: SectionName; entries: Entry[] }[] {
  return sectionNames
    .map((section) => {
      const weighed = report.differences
        .filter((entry) => entry.section === section && (all || !isMachineContext(entry)))
        .map((entry) => ({
          entry,
          name: entry.key,
          direct: entry.direct,
          counts: report.counting.has(entry) ? 1000 : 0,
          weight: scoreOf(entry, report.comparison.needs),
        }))
        .sort((x, y) => y.counts - x.counts || directFirst(x, y));
      const weight = weighed.reduce((most, each) => Math.max(most, each.counts + each.weight), 0);
      return { section, entries: weighed.map(({ entry }) => entry), weight };
    })
    .filter(({ entries }) => entries.length > 0)
    .sort((x, y) => y.weight - x.weight)
    .map(({ section, entries }) => ({ section, entries }));
}

function capitalized(text: string): string {
  // Names of tools and variables keep their case.
  return /^the /.test(text) ? `T${text.slice(1)}` : text;
}
