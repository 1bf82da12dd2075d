// A check and a bisection for a coding agent, in the form of a comparison's: short, captured values as JSON strings.

import { agentItems, agentList, agentText, agentValue, agentValues } from '@envsnap/compare/formats/agent';
import { type Repair, repairStep } from '@envsnap/compare/workspace';
import { counted } from '@envsnap/shared/text/size';
import type { BisectOutcome } from '../../actions/bisect/bisect.ts';
import type { Plan } from '../../actions/bisect/bisect-change.ts';
import type { MachineCheck } from '../../documents/machine-documents.ts';
import nextSteps from './next-steps.json' with { type: 'json' };

/** One finding: something that is not as it should be. */
export interface CheckFinding {
  readonly kind: 'declared' | 'installed' | 'notInstalled' | 'checkout';
  /** Whether it makes the check fail. */
  readonly fails: boolean;
  readonly message: string;
  readonly advice: string | null;
  readonly file?: string;
}

/** The findings of a check besides the policy: those that make it fail, then the install command and missing packages. */
export function findingsOf({ declared, installed, notInstalled, checkout }: MachineCheck): CheckFinding[] {
  const installers = notInstalled.map(({ advice }) => advice?.split(' && ').at(-1)?.split(' ')[0]);
  const isInstaller = ({ present, tool }: MachineCheck['declared'][number]) =>
    present === null && installers.includes(tool);
  const declaredOf = (each: MachineCheck['declared'][number]) => ({
    ...each,
    kind: 'declared' as const,
    fails: each.present !== null,
  });
  const all: CheckFinding[] = [
    ...declared.filter(isInstaller).map(declaredOf),
    ...notInstalled.map((each) => ({ ...each, kind: 'notInstalled' as const, fails: false })),
    ...declared.filter((each) => !isInstaller(each)).map(declaredOf),
    ...installed.map((each) => ({ ...each, kind: 'installed' as const, fails: true })),
    ...checkout.map((each) => ({ ...each, kind: 'checkout' as const, fails: each.counts })),
  ];
  return [...all.filter(({ fails }) => fails), ...all.filter(({ fails }) => !fails)];
}

export function renderAgentCheck(check: MachineCheck): string {
  const violated = check.checks.filter(({ outcome }) => outcome === 'violated');
  const unknown = check.checks.filter(({ outcome }) => outcome === 'unknown');
  const findings = findingsOf(check);
  const list = (title: string, messages: readonly string[]) =>
    messages.length > 0 ? [`${title}: ${agentList(messages)}`] : [];
  const section = (title: string, kind: CheckFinding['kind']) =>
    list(
      title,
      findings.flatMap((each) =>
        each.kind === kind && (each.fails || kind !== 'checkout') ? each.message : [],
      ),
    );
  // An agent must not "repair" uncommitted work.
  const safe = findings.filter(({ kind, fails }) => fails || kind !== 'checkout');
  const next = [...violated, ...safe, ...check.notes].find(({ advice }) => advice)?.advice;
  const whole = (text: string) => agentValue(text, 0, Number.POSITIVE_INFINITY);
  const notes = check.notes.map(({ message }) => whole(message)).join(', ');
  return agentText([
    `check: ${check.passed ? 'passed' : 'not passed'} (machine ${agentValue(check.machineName)})`,
    `policy: ${check.policy === null ? 'none' : agentValue(check.policy)}, ${violated.length} of ${check.checks.length} expectations not met`,
    ...violated
      .slice(0, agentItems)
      .map(
        ({ rule, key, expected, actual }) =>
          `- ${rule} ${agentValue(key)}: should be ${agentValues(actual === null ? [expected] : [expected, actual]).join(', is ')}`,
      ),
    ...list(
      'could not be checked',
      unknown.map(({ key }) => key),
    ),
    ...section('versions that are not the declared ones', 'declared'),
    ...section('installed packages that are not the locked ones', 'installed'),
    ...section('not installed', 'notInstalled'),
    ...section('not as committed', 'checkout'),
    ...(check.accepted > 0 ? [`accepted by the policy: ${check.accepted}`] : []),
    ...(notes ? [`notes: ${notes}`] : []),
    `next: ${next ? whole(next) : 'nothing to do'}`,
  ]);
}

export function renderAgentBisect(
  { verdict, causes, failingSide, runs, notTried }: BisectOutcome,
  repair: Repair | null,
): string {
  const likeliest = causes.flat().map(({ texts: sides }) => sides[failingSide ?? 'a']);
  return agentText([
    `bisect: ${verdict} in ${runs} runs`,
    ...(likeliest.length > 0 ? [`fails with: ${agentList(likeliest)}`] : []),
    ...(notTried.length > 0 ? [`not tried: ${agentList(notTried.map(({ key }) => key))}`] : []),
    `next: ${repair ? `${agentValue(repairStep(repair))} (${repair.side === 'both' ? 'both sides' : `side ${repair.side.toUpperCase()}`}), then run the command again` : nextSteps[verdict]}`,
  ]);
}

/** Renders a plan, which ran nothing. `expected`: about how many runs it would take. */
export function renderAgentPlan({ changes, notTried }: Plan, expected: number): string {
  return agentText([
    `bisect: ${counted(changes.length, 'difference')} can be tried, in about ${expected} runs`,
    ...(changes.length > 0 ? [`to try: ${agentList(changes.map(({ texts }) => texts.a))}`] : []),
    ...(notTried.length > 0 ? [`not tried: ${agentList(notTried.map(({ key }) => key))}`] : []),
    'next: run the same command without --dry-run',
  ]);
}
