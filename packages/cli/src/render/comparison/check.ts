// How a machine stands against the policy: what is not met first, with the line that asks for it.

import { command } from '@envsnap/compare/formats/github';
import type { PolicyCheck } from '@envsnap/compare/workspace';
import { counted } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import stringWidth from 'fast-string-width';
import type { MachineCheck } from '../../documents/machine-documents.ts';
import type { Screen } from '../../terminal/terminal.ts';

const marks = { violated: '✗', unknown: '?', met: '✓' } as const;
const order = { violated: 0, unknown: 1, met: 2 } as const;
const styles = { violated: 'red', unknown: 'yellow', met: 'green' } as const;

/** Renders a check for a person. What is met is only counted on a terminal, unless `all` is set. */
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
  const width = Math.max(0, ...shown.map((item) => stringWidth(visible(item.key))));
  const saidWidth = Math.min(60, Math.max(0, ...shown.map((item) => stringWidth(visible(saidOf(item))))));
  const lines = [
    screen.paint(['bold', check.passed ? 'green' : 'red'], visible(headline(check, violated.length))),
    ...(found === undefined
      ? []
      : [screen.paint('dim', visible(`Project: ${found}; --dir . takes this folder alone.`))]),
    ...(shown.length > 0 ? [''] : []),
    ...shown.map((item) => line(item, width, saidWidth, check, screen)),
  ];
  if (cut && met.length > 0 && shown.length > 0) {
    lines.push(screen.paint('dim', `  ✓ ${counted(met.length, 'other')} met (--all shows them)`));
  }
  lines.push(...installedLines(check, screen, cut), ...checkoutLines(check, screen, cut));
  const next =
    violated[0]?.advice ??
    check.installed[0]?.advice ??
    check.notInstalled[0]?.advice ??
    check.checkout[0]?.advice;
  if (next) lines.push('', `${screen.paint('bold', 'Next:')} ${visible(next)}.`);
  return `${lines.join('\n')}\n`;
}

function headline(check: MachineCheck, violated: number): string {
  const machine = `${check.machineName} (${check.os} ${check.arch})`;
  const { length } = check.checks;
  const drifted = counted(check.installed.length, 'installed package');
  const verb = check.installed.length === 1 ? 'is' : 'are';
  if (check.policy === null && check.installed.length > 0)
    return `${drifted} on ${machine} ${verb} not as locked.`;
  if (check.policy === null)
    return check.notInstalled.length > 0
      ? `There is no .envsnap.yaml to hold ${machine} against, and packages are not installed yet.`
      : `Installed packages on ${machine} are as locked. There is no .envsnap.yaml.`;
  if (check.installed.length > 0 && violated === 0)
    return `${machine} meets ${check.policy}, but ${drifted} ${verb} not as locked.`;
  if (length === 0) return `${check.policy} expects nothing of ${machine}.`;
  const unknown = check.checks.filter((item) => item.outcome === 'unknown').length;
  if (violated === 0 && unknown === length)
    return `${machine} cannot be held against ${check.policy}: ${counted(length, 'expectation')} could not be checked.`;
  if (violated === 0 && unknown > 0)
    return `${machine} meets ${check.policy} as far as can be told: ${unknown} of ${counted(length, 'expectation')} could not be checked.`;
  if (violated === 0) return `${machine} meets ${check.policy}: ${counted(length, 'expectation')}.`;
  return `${machine} does not meet ${check.policy}: ${violated} of ${counted(length, 'expectation')} not met.`;
}

/** Most packages that are named on a terminal. */
const packagesShown = 8;

function installedLines({ installed, notInstalled }: MachineCheck, screen: Screen, cut: boolean): string[] {
  if (installed.length + notInstalled.length === 0) return [];
  const shown = cut ? installed.slice(0, packagesShown) : installed;
  const left = installed.length - shown.length;
  return [
    '',
    ...shown.map((item) => `  ${screen.paint('red', '✗')} ${visible(item.message)}`),
    ...(left > 0 ? [screen.paint('dim', `  … ${left} more (--all shows them)`)] : []),
    ...notInstalled.map((item) => `  ${screen.paint('yellow', '!')} ${visible(item.message)}`),
  ];
}

function checkoutLines({ checkout }: MachineCheck, screen: Screen, cut: boolean): string[] {
  if (checkout.length === 0) return [];
  const shown = cut ? checkout.slice(0, packagesShown) : checkout;
  const left = checkout.length - shown.length;
  return [
    '',
    ...shown.map((item) => `  ${screen.paint('yellow', '!')} ${visible(item.message)}`),
    ...(left > 0 ? [screen.paint('dim', `  … ${left} more (--all shows them)`)] : []),
  ];
}

function line(
  item: PolicyCheck,
  keyWidth: number,
  saidWidth: number,
  check: MachineCheck,
  screen: Screen,
): string {
  const padded = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - stringWidth(text)));
  return [
    `  ${screen.paint(styles[item.outcome], marks[item.outcome])} ${padded(visible(item.key), keyWidth)}`,
    padded(visible(saidOf(item)), saidWidth),
    screen.paint('dim', `${visible(check.policy ?? '')}:${item.line}`),
  ].join('  ');
}

/** The message without the key in front, which has a column of its own. */
function saidOf(item: PolicyCheck): string {
  return item.message.startsWith(`${item.key} `) ? item.message.slice(item.key.length + 1) : item.message;
}

/** Renders a check as workflow commands of GitHub Actions. */
export function renderCheckForGithub(check: MachineCheck): string {
  const lines = check.checks
    .filter((item) => item.outcome !== 'met')
    .map((item) =>
      command(
        item.outcome === 'violated' ? 'error' : 'warning',
        { file: check.policy ?? '', line: String(item.line), title: 'envsnap policy' },
        item.message,
      ),
    );
  const violated = check.checks.filter((item) => item.outcome === 'violated').length;
  const installed = check.installed.map((item) =>
    command('error', { file: item.file, title: 'envsnap: installed packages' }, item.message),
  );
  const notInstalled = check.notInstalled.map((item) =>
    command('notice', { file: item.file, title: 'envsnap: installed packages' }, item.message),
  );
  const checkout = check.checkout.map((item) =>
    command('notice', { title: 'envsnap: checkout' }, item.message),
  );
  return `${[...lines, ...installed, ...notInstalled, ...checkout, command('notice', { title: 'envsnap' }, headline(check, violated))].join('\n')}\n`;
}
