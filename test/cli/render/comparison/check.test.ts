// The first line of a check, which people in a hurry read, and the last, which says what to do.

import { describe, expect, it } from 'vitest';
import { renderCheck } from '../../../../packages/cli/src/commands/check.ts';
import type { MachineCheck } from '../../../../packages/cli/src/documents/machine-documents.ts';
import { renderAgentCheck } from '../../../../packages/cli/src/render/comparison/agent.ts';
import { screenOf } from '../../../../packages/cli/src/terminal/terminal.ts';
import type { PolicyCheck } from '../../../../packages/compare/src/policy/policy.ts';
import { readTestData } from '../../../support/test-data.ts';

const { nothing, declared } = readTestData<{ nothing: MachineCheck; declared: MachineCheck['declared'] }>(
  import.meta,
);

const screen = screenOf({ isTTY: true, columns: 100 }, { NO_COLOR: '1' });

function headline(...outcomes: PolicyCheck['outcome'][]): string | undefined {
  const checks = outcomes.map(
    (outcome, index): PolicyCheck => ({
      rule: 'facts',
      key: `fact.${index}`,
      outcome,
      expected: '1',
      actual: null,
      message: `fact.${index} is 1`,
      advice: 'x',
      line: index + 1,
    }),
  );
  const check = { ...nothing, passed: !outcomes.includes('violated'), checks };
  return renderCheck(check, screen, { all: false }).split('\n')[0];
}

describe('the first line of a check', () => {
  it('counts what is met, and what is not', () => {
    expect(headline('met', 'met')).toBe('vm (linux x64) meets .envsnap.yaml: 2 expectations.');
    expect(headline('met', 'violated', 'unknown')).toBe(
      'vm (linux x64) does not meet .envsnap.yaml: 1 of 3 expectations not met.',
    );
  });

  it('does not call met what could not be checked', () => {
    expect(headline('met', 'unknown')).toBe(
      'vm (linux x64) meets .envsnap.yaml as far as can be determined: 1 of 2 expectations could not be checked.',
    );
    expect(headline('unknown')).toBe(
      'vm (linux x64) cannot be checked against .envsnap.yaml: 1 expectation could not be checked.',
    );
  });

  it('does not call a machine fitting if it lacks a declared tool, and lists the tools that it has', () => {
    const check = { ...nothing, policy: null, declared };
    expect(renderCheck(check, screen, { all: false })).toMatch(
      /^vm \(linux x64\) lacks 1 tool that the project declares\./,
    );
    const none = { ...check, declared: [] };
    const listed = '  ✓ java is 17.0.15, pom.xml java.version asks for 17\n  - java is 17.0.15';
    expect(renderCheck(none, screen, { all: true })).toContain(listed);
    expect(renderCheck(none, screen, { all: false })).toMatch(
      /^vm \(linux x64\) matches what the project declares/,
    );
  });
});

describe('the next step of a check', () => {
  const repair = null;
  const uncommitted: MachineCheck['checkout'][number] = {
    key: 'changed/a.ts',
    value: 'modified',
    message: 'a.ts is changed',
    advice: null,
    repair,
    counts: false,
  };
  const missing: MachineCheck['notInstalled'][number] = {
    file: 'package-lock.json',
    message: 'nothing from package-lock.json is installed',
    advice: 'run npm ci',
    repair,
  };

  it('is to install missing packages, whatever is not committed', () => {
    const check = { ...nothing, checkout: [uncommitted], notInstalled: [missing] };
    expect(renderCheck(check, screen, { all: false })).toContain('Next: run npm ci\n');
    expect(renderAgentCheck(check)).toContain('next: "run npm ci"');
  });

  it('is what a note advises, if nothing else is found', () => {
    const advice = `copy .env.example to .env, and fill in ${'LONG_NAME, '.repeat(10)}PORT`;
    const check = { ...nothing, checkout: [uncommitted], notes: [{ code: 'x', message: 'm', advice }] };
    expect(renderCheck(check, screen, { all: false })).toContain(`Next: ${advice}\n`);
    expect(renderAgentCheck(check)).toContain(`next: "${advice}"`);
    const installed = { ...check, notInstalled: [missing] };
    expect(renderCheck(installed, screen, { all: false })).toContain('Next: run npm ci\n');
  });

  it('is to install the package manager first if it is missing', () => {
    const [yarn, swift] = ['yarn', 'swift'].map((tool) => ({
      key: tool,
      tool,
      file: '',
      requirement: '1',
      present: null,
      message: 'm',
      repair,
      advice: `install ${tool} 1`,
    }));
    const advice = 'cd web && yarn install --frozen-lockfile';
    const check = { ...nothing, declared: [swift, yarn] as never, notInstalled: [{ ...missing, advice }] };
    expect(renderCheck(check, screen, { all: false })).toContain('Next: install yarn 1\n');
    const other = { ...check, declared: [swift] as never };
    expect(renderCheck(other, screen, { all: false })).toContain(`Next: ${advice}\n`);
  });

  it('for an agent is never to commit or undo work', () => {
    const check = { ...nothing, checkout: [{ ...uncommitted, advice: 'commit it' }] };
    expect(renderAgentCheck(check)).toContain('next: nothing to do');
  });
});
