// envsnap check

import { command } from '@envsnap/compare/formats/github';
import {
  developmentKey,
  otherPython,
  type PolicyCheck,
  uncheckedExpectations,
} from '@envsnap/compare/workspace';
import { ecosystemOfRuntime } from '@envsnap/shared/catalogue/ecosystem';
import { formatOfFile } from '@envsnap/shared/catalogue/formats';
import { counted } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import { fitsRequirement } from '@envsnap/versions';
import { boolean, option, string } from '@oclif/core/flags';
import stringWidth from 'fast-string-width';
import { projectFolder } from '../actions/capture-machine.ts';
import {
  checkMachine,
  nothingExpectedCode,
  unreadCode,
  unseenLocksCode,
  unseenPackagesCode,
} from '../actions/comparison/check-machine.ts';
import { loadPolicy } from '../actions/comparison/load-policy.ts';
import { BaseCommand } from '../base-command.ts';
import type { MachineCheck } from '../documents/machine-documents.ts';
import { exitCodes } from '../errors/cli-error.ts';
import { folderFlags } from '../flags.ts';
import { type CheckFinding, findingsOf, renderAgentCheck } from '../render/comparison/agent.ts';
import { largest } from '../render/layout/table.ts';
import { withProgress } from '../terminal/progress.ts';
import type { Screen } from '../terminal/terminal.ts';

export default class Check extends BaseCommand {
  static override summary =
    'Check this machine against the project: its policy, declared versions and lock files, without a server.';
  static override description =
    'Reads the nearest .envsnap.yaml up to the root of the repository, the versions that .nvmrc, engines, .tool-versions ' +
    'and so on declare, and the lock files or, without them, the manifests. Sends nothing. ' +
    'The exit code is 1 if an expectation or a declared version is not met, an installed package differs from ' +
    'what is locked or asked for, or the checkout lacks content of the commit (Git LFS, submodules). Differences that the policy accepts do not make it fail.';
  static override examples = ['envsnap check', 'envsnap check --dir services/api --format github'];
  static override flags = {
    ...folderFlags,
    policy: string({ summary: 'Policy file; by default the nearest .envsnap.yaml.', helpValue: 'FILE' }),
    format: option({
      options: ['table', 'github', 'agent'] as const,
      default: 'table' as const,
      summary:
        'Format of the result; github prints annotations, agent prints a short text for coding agents.',
    })(),
    all: boolean({ summary: 'Also show expectations that are met.' }),
    quiet: boolean({ char: 'q', summary: 'Print nothing; only set the exit code.' }),
  };

  override async run(): Promise<MachineCheck> {
    const { flags } = await this.parse(Check);
    const policy = await loadPolicy(flags.dir ?? '.', flags.policy, { optional: false });
    const project = await projectFolder(flags);
    const { check } = await withProgress('Checking this machine', () => checkMachine(project, policy));
    if (!check.passed) this.endWith(exitCodes.different);
    if (!flags.quiet) {
      if (flags.format === 'github') this.printAsIs(renderCheckForGithub(check));
      else if (flags.format === 'agent') this.printAsIs(renderAgentCheck(check));
      else this.print(renderCheck(check, this.screen, { all: flags.all, found: project.found }));
    }
    return check;
  }
}

const marks = { violated: '✗', unknown: '?', accepted: '-', met: '✓' } as const;
const order = { violated: 0, unknown: 1, accepted: 2, met: 3 } as const;
const styles = { violated: 'red', unknown: 'yellow', accepted: 'dim', met: 'green' } as const;

/** Renders a check for people. A terminal only counts expectations that are met, unless `all` is set. */
export function renderCheck(
  check: MachineCheck,
  screen: Screen,
  { all, found }: { readonly all: boolean; readonly found?: string | undefined },
): string {
  const { checks } = check;
  const violated = checks.filter((item) => item.outcome === 'violated');
  const met = checks.filter((item) => item.outcome === 'met');
  const cut = screen.interactive && !all;
  const shown = checks
    .filter((item) => !cut || item.outcome !== 'met')
    .sort((x, y) => order[x.outcome] - order[y.outcome] || x.line - y.line);
  const width = largest(shown.map((item) => stringWidth(visible(item.key))));
  const textWidth = Math.min(60, largest(shown.map((item) => stringWidth(visible(checkText(item))))));
  const lines = [
    screen.paint(['bold', check.passed ? 'green' : 'red'], visible(headline(check, violated.length))),
    ...(found === undefined
      ? []
      : [screen.paint('dim', visible(`Project: ${found}; --dir . takes this folder alone.`))]),
    ...(shown.length > 0 ? [''] : []),
    ...shown.map((item) => line(item, width, textWidth, check, screen)),
    ...declarationLines(check, screen, cut),
  ];
  if (cut && met.length > 0 && shown.length > 0) {
    lines.push(screen.paint('dim', `  ✓ ${counted(met.length, 'other')} met (--all shows them)`));
  }
  const findings = findingsOf(check);
  const groups: CheckFinding['kind'][][] = [['declared'], ['installed', 'notInstalled'], ['checkout']];
  lines.push(
    ...groups.flatMap((kinds) =>
      findingLines(
        findings.filter(({ kind }) => kinds.includes(kind)),
        screen,
        { cut, all },
      ),
    ),
    ...(check.notes.length > 0 ? [''] : []),
    ...check.notes.map(({ message }) => screen.paint('dim', visible(`Note: ${message}`))),
  );
  const next = [...violated, ...findings, ...check.notes].find(({ advice }) => advice)?.advice;
  if (next) lines.push('', `${screen.paint('bold', 'Next:')} ${visible(next)}`);
  return `${lines.join('\n')}\n`;
}

/**
 * Declared versions that are met, and those of tools that a build or a version manager chooses. `cut`: only those that do not fit in
 * a folder below, where nothing may choose another.
 */
function declarationLines({ otherDeclared }: MachineCheck, screen: Screen, cut: boolean): string[] {
  const lines = otherDeclared.flatMap(({ tool, file, requirement, present, met }) => {
    const fits = met ?? fitsRequirement(present, requirement, ecosystemOfRuntime(tool));
    const isMisfitBelow = fits === false && file.includes('/');
    if (cut && !isMisfitBelow) return [];
    const mark = isMisfitBelow
      ? screen.paint('yellow', '!')
      : fits
        ? screen.paint('green', marks.met)
        : screen.paint('dim', marks.accepted);
    return [`  ${mark} ${visible(`${tool} is ${present}, ${file} asks for ${requirement}`)}`];
  });
  return lines.length > 0 ? ['', ...lines] : [];
}

function headline(check: MachineCheck, violated: number): string {
  const machine = `${check.machineName} (${check.os} ${check.arch})`;
  const { length } = check.checks;
  const misfits = check.declared.filter(({ present }) => present !== null).length;
  const others = check.installed.filter(({ name, installed: is }) => otherPython(name, is));
  const drifted = check.installed.filter(({ name }) => name !== developmentKey);
  const packages = drifted.filter((each) => !others.includes(each));
  const broken = check.checkout.filter(({ counts }) => counts).length;
  const wrong = [
    ...(misfits > 0
      ? [`${counted(misfits, 'declared version')} ${misfits === 1 ? 'is' : 'are'} not met`]
      : []),
    ...(others.length > 0 ? ["python does not run in the project's environment"] : []),
    ...(packages.length > 0
      ? [`${counted(packages.length, 'package differs', 'packages differ')} from ${expectedBy(packages)}`]
      : []),
    ...(drifted.length < check.installed.length ? ['development packages are not installed'] : []),
    ...(broken > 0 ? [`${counted(broken, 'path differs', 'paths differ')} from the commit`] : []),
  ].join(', and ');
  const isPart = check.notes.some(({ code }) => code === unreadCode);
  const unread = isPart ? ' Some files that say what to expect could not be read.' : '';
  const accepted = `${check.accepted > 0 ? ` ${check.accepted} accepted.` : ''}${unread}`;
  const isUnseen = check.notes.some(({ code }) => code === unseenPackagesCode);
  const matches = `matches what the project declares${isUnseen ? ' as far as can be determined' : ' and locks'}`;
  if (check.policy === null && wrong !== '') return `On ${machine} ${wrong}.${unread}`;
  if (check.policy === null && isPart) return `${machine} could only be checked partly.${unread}`;
  if (check.notes.some(({ code }) => code === nothingExpectedCode))
    return `${machine} was not checked: the project declares no versions and has no lock file.`;
  if (check.notes.some(({ code }) => code === unseenLocksCode))
    return `${machine} was not checked: the project declares no versions, and the packages of its lock files could not be looked up.`;
  if (check.policy === null)
    return check.notInstalled.length > 0
      ? `There is no .envsnap.yaml to check ${machine} against, and packages are not installed yet.`
      : check.declared.length > 0
        ? `${machine} lacks ${counted(check.declared.length, 'tool')} that the project declares. There is no .envsnap.yaml.`
        : `${machine} ${matches}. There is no .envsnap.yaml.`;
  if (check.notInstalled.length > 0 && wrong === '' && violated === 0)
    return `${machine} meets ${check.policy}, but packages are not installed yet.${accepted}`;
  if (wrong !== '' && violated === 0) return `${machine} meets ${check.policy}, but ${wrong}.${accepted}`;
  if (length === 0) return `${machine} ${matches}; ${check.policy} expects nothing more.${accepted}`;
  const unknown = uncheckedExpectations(check.checks);
  if (violated === 0 && unknown === length)
    return `${machine} cannot be checked against ${check.policy}: ${counted(length, 'expectation')} could not be checked.`;
  if (violated === 0 && unknown > 0)
    return `${machine} meets ${check.policy} as far as can be determined: ${unknown} of ${counted(length, 'expectation')} could not be checked.${accepted}`;
  if (violated === 0)
    return `${machine} meets ${check.policy}: ${counted(length, 'expectation')}.${accepted}`;
  return `${machine} does not meet ${check.policy}: ${violated} of ${counted(length, 'expectation')} not met.${accepted}`;
}

/** Without a lock file, packages are as the manifest asks. */
function expectedBy(packages: MachineCheck['installed']): string {
  const lock = packages.find(({ file }) => formatOfFile(file)?.kind !== 'manifest');
  return lock || !packages[0] ? 'the lock file' : `what ${packages[0].file} asks for`;
}

/** Maximum number of findings of one kind that a terminal names. Elsewhere, this limits only those that do not make the check fail. */
const mostShown = 8;

/** Leaves out most of many findings that do not make the check fail, such as the outputs of a project that is not built. */
function withFewHints(findings: readonly CheckFinding[]): CheckFinding[] {
  const hints = findings.filter(({ fails }) => !fails).slice(0, mostShown);
  return findings.filter((each) => each.fails || hints.includes(each));
}

function findingLines(
  findings: readonly CheckFinding[],
  screen: Screen,
  { cut, all }: { readonly cut: boolean; readonly all: boolean },
): string[] {
  if (findings.length === 0) return [];
  const shown = all ? findings : cut ? findings.slice(0, mostShown) : withFewHints(findings);
  const omitted = findings.length - shown.length;
  return [
    '',
    ...shown.map(
      ({ fails, message }) =>
        `  ${fails ? screen.paint('red', '✗') : screen.paint('yellow', '!')} ${visible(message)}`,
    ),
    ...(omitted > 0 ? [screen.paint('dim', `  … ${omitted} more (--all shows them)`)] : []),
  ];
}

function line(
  item: PolicyCheck,
  keyWidth: number,
  textWidth: number,
  check: MachineCheck,
  screen: Screen,
): string {
  const padded = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - stringWidth(text)));
  return [
    `  ${screen.paint(styles[item.outcome], marks[item.outcome])} ${padded(visible(item.key), keyWidth)}`,
    padded(visible(checkText(item)), textWidth),
    screen.paint('dim', `${visible(check.policy ?? '')}:${item.line}`),
  ].join('  ');
}

/** The message without the key, which has its own column. */
function checkText(item: PolicyCheck): string {
  return item.message.startsWith(`${item.key} `) ? item.message.slice(item.key.length + 1) : item.message;
}

export function renderCheckForGithub(check: MachineCheck): string {
  const lines = check.checks
    .filter((item) => item.outcome === 'violated' || item.outcome === 'unknown')
    .map((item) =>
      command(
        item.outcome === 'violated' ? 'error' : 'warning',
        { file: check.policy ?? '', line: String(item.line), title: 'envsnap policy' },
        item.message,
      ),
    );
  const violated = check.checks.filter((item) => item.outcome === 'violated').length;
  const titles = {
    declared: 'declared versions',
    installed: 'installed packages',
    notInstalled: 'installed packages',
    checkout: 'checkout',
  };
  const groups = [...Map.groupBy(findingsOf(check), ({ kind }) => kind).values()];
  const found = groups.flatMap(withFewHints).map(({ kind, fails, file, message }) => {
    // A version may be declared in a field of a file: `package.json engines`.
    const place = file === undefined ? {} : { file: kind === 'declared' ? (file.split(' ')[0] ?? '') : file };
    return command(fails ? 'error' : 'notice', { ...place, title: `envsnap: ${titles[kind]}` }, message);
  });
  const end = [...check.notes.map(({ message }) => message), headline(check, violated)].map((message) =>
    command('notice', { title: 'envsnap' }, message),
  );
  return `${[...lines, ...found, ...end].join('\n')}\n`;
}
