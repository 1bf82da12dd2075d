// Explains a failed run without comparing it: what the project needs and this machine lacks, and what the output says.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { environmentNames } from '@envsnap/capture/workspace/installed/python-environment';
import {
  activationLine,
  type CheckoutFinding,
  type ComparableEnvironment,
  checkoutPlace,
  commandFor,
  environmentOf,
  type Failure,
  fileOfSample,
  repairStep,
  unusualSettings,
} from '@envsnap/compare/workspace';
import { dotenvPlace } from '@envsnap/compare/workspace/environment/dotenv-variable';
import { formatOfFile } from '@envsnap/shared/catalogue/formats';
import { pathWord } from '@envsnap/shared/text/visible';
import { checkSnapshot, unsetOfSamples } from '../actions/comparison/check-machine.ts';
import { type Explanation, valuesIn } from '../actions/comparison/explain-failure.ts';
import type { FoundPolicy } from '../actions/comparison/load-policy.ts';
import { checkFromBelow, commandFromBelow } from '../actions/comparison/repairs-from-below.ts';

/** A problem on this machine: a sentence without its full stop, and its repair. */
interface MissingPiece {
  readonly message: string;
  readonly advice: string | null;
  /** Whether the output names it. */
  readonly named: boolean;
}

/** The explanation of a single run. */
export interface FirstFailure {
  readonly findings: readonly MissingPiece[];
  /** Whether the machine departs from what the project asks for, by any of them. */
  readonly isLacking: boolean;
  /** Explanations of the output that no finding repeats. */
  readonly explanations: readonly string[];
  /** Lines of the output that report an error, safe to print. */
  readonly output: readonly string[];
}

type FoundPiece = Omit<MissingPiece, 'named'>;
type FoundInCheckout = Pick<CheckoutFinding, 'key'>;

const linesShown = 2;
/** Characters that two lines about one error share. */
const sharedStart = 30;

/** Explains a failure by what `check` finds and by the output, if that could be read; what the output names comes first.
 * `above`: the project relative to the working folder. */
export function explainFirstFailure(
  snapshot: ComparableEnvironment,
  policy: FoundPolicy | undefined,
  failure: Failure | undefined,
  explanations: readonly Explanation[] = [],
  above?: string,
): FirstFailure {
  const check = checkFromBelow(checkSnapshot(snapshot, policy), above);
  const { checks, declared, installed, notInstalled, checkout } = check;
  const { dependencies } = environmentOf(snapshot);
  const isMissing = (name: string) =>
    failure?.missing.has(name) === true ||
    (name.startsWith('ext-') && failure?.names.has(name.slice('ext-'.length)) === true);
  const finding = (named: boolean, { message, advice }: FoundPiece) => ({ message, advice, named });
  /** Whether an explanation is about this file, or one in this folder. */
  const isAbout = ({ file }: Explanation, { key }: FoundInCheckout) => {
    const { name } = checkoutPlace(key);
    return file === name || file?.startsWith(`${name}/`) === true;
  };
  const isNamed = (each: FoundInCheckout) => explanations.some((explanation) => isAbout(explanation, each));
  const missing = [...missingVariables(snapshot, failure), ...unloadedVariables(snapshot, failure)];
  const unset = missing.length > 0 ? [] : unsetOfSamples(snapshot, above ?? '.', true);
  const lacking = [
    ...missing.map((each) => finding(true, each)),
    ...checks
      .filter(({ outcome }) => outcome === 'violated')
      .map((each) => finding(namesKey(failure, each.key), each)),
    ...notInstalled.map((each) => finding(Object.keys(dependencies[each.file] ?? {}).some(isMissing), each)),
    ...declared.map((each) => finding(isMissing(each.tool), each)),
    ...installed.map((each) => finding(isMissing(each.name), each)),
    ...checkout.filter(({ counts }) => counts).map((each) => finding(isNamed(each), each)),
    ...unset.map((each) => finding(false, each)),
  ];
  const unseen = lacking.some(({ named }) => named) ? [] : unseenPackages(snapshot, failure, above);
  const others = [
    ...explanations
      .filter(({ isPossible }) => isPossible)
      .map(({ sentence }) => finding(false, { message: sentence.slice(0, -1), advice: null })),
    ...(failure ? unusualSettings(snapshot, failure) : []).map(({ what, repair }) =>
      finding(true, { message: what, advice: repairStep(repair) }),
    ),
    ...checkout.filter(({ counts }) => !counts).map((each) => finding(isNamed(each), each)),
  ];
  const all = [...lacking, ...unseen, ...others];
  const sure = explanations.filter(({ isPossible }) => !isPossible);
  const isExplained = sure.length > 0 || all.some(({ named }) => named);
  // What a job may still do, such as a build, only distracts from what the output names.
  const findings = isExplained ? all.filter((each) => each.named || lacking.includes(each)) : all;
  return {
    findings: [...findings.filter(({ named }) => named), ...findings.filter(({ named }) => !named)],
    isLacking: lacking.length + unseen.length > 0,
    explanations: sure
      .filter(({ variable }) => !missing.some((piece) => piece.variable === variable))
      .filter((each) => !checkout.some((found) => isAbout(each, found)))
      .map(({ sentence }) => sentence),
    output: linesOf(failure),
  };
}

/** A package that the output misses, of a lock file whose packages cannot be looked up on disk, such as gems of the system. */
function unseenPackages(
  snapshot: ComparableEnvironment,
  failure: Failure | undefined,
  above: string | undefined,
): MissingPiece[] {
  const { dependencies, installed, variables, os, shell } = environmentOf(snapshot);
  return Object.entries(dependencies).flatMap(([file, packages]) => {
    const command = Object.hasOwn(installed, file) ? null : commandFor(file);
    const name = command !== null && Object.keys(packages).find((each) => failure?.missing.has(each));
    if (!name) return [];
    // The environment beside the file has all packages, else some would be reported as not installed.
    const environment =
      variables.VIRTUAL_ENV === undefined && environmentFolder(path.join(above ?? '', file));
    if (environment && formatOfFile(file)?.ecosystem === 'pypi') {
      const message = `${name} is installed in ${environment}, which is not active`;
      return [{ message, advice: activationLine(environment, os === 'win32', shell) ?? null, named: true }];
    }
    const message = `the output says that ${name} is missing, which ${file} locks`;
    return [{ message, advice: command && commandFromBelow(command, above), named: true }];
  });
}

/** The folder of a virtual environment beside a file, relative to the working folder. */
function environmentFolder(file: string): string | undefined {
  const folders = environmentNames.map((name) => path.join(path.dirname(file), name));
  return folders.find((folder) => existsSync(path.join(folder, 'pyvenv.cfg')));
}

const namesKey = (failure: Failure | undefined, key: string) => failure?.errorNames.has(key) === true;

/** Unset or empty variables that the project mentions and the output names. Outside errors, a name without `_` may be a word. */
function missingVariables(snapshot: ComparableEnvironment, failure: Failure | undefined) {
  const environment = environmentOf(snapshot);
  const isNamed = (name: string) =>
    namesKey(failure, name) || (name.includes('_') && failure?.names.has(name) === true);
  const valuesOf = (name: string) =>
    Object.entries(environment.variables).filter(([key]) => key === name || key.endsWith(`:${name}`));
  return environment.project.variables
    .filter(([name]) => isNamed(name) && valuesOf(name).every(([, value]) => value === ''))
    .map(([name, file]) => ({
      message: `${name} is ${valuesOf(name).length === 0 ? 'not set' : 'empty'}, ${file} mentions it, and the output names it`,
      advice:
        fileOfSample(file) && valuesIn(file)[name] ? `set ${name}; ${file} has an example` : `set ${name}`,
      named: true,
      variable: name,
    }));
}

/** Variables that the output reports as unset, although a dotenv file sets them: the command did not load that file. */
function unloadedVariables(snapshot: ComparableEnvironment, failure: Failure | undefined) {
  const { variables } = environmentOf(snapshot);
  const reported = new Set(
    failure?.claims.flatMap((claim) => (claim.kind === 'unset variable' ? [claim.name] : [])),
  );
  return Object.entries(variables).flatMap(([key, value]) => {
    const { file, name } = dotenvPlace(key) ?? {};
    if (!file || !name || !value || variables[name] || !reported.has(name)) return [];
    const message = `${file} sets ${name}, but the output says that it is not set, so the command does not read ${file}`;
    return { message, advice: `set -a && . ${pathWord(`./${file}`)} && set +a`, named: true, variable: name };
  });
}

/** A line that begins with what went wrong: `Error: …`, `error TS5081: …`. A summary such as `1 failed` says nothing more. */
const saysWhat = /(?:error|exception|fatal|panic(?:ked)?)\b.{0,30}?: \S/i;
/** A line that complains of something on the machine without saying that it is an error. */
const complains =
  /not found|missing|no such|can(?:no|')t|could ?n[o']t|unable to|requires? |incompatible|mismatch|unsupported|too (?:many|old|small)|denied|invalid|compiled (?:for|with|using)/i;

export function linesOf(failure: Failure | undefined): string[] {
  const shown: string[] = [];
  for (const form of [saysWhat, complains]) {
    for (const { words } of failure?.errors ?? []) {
      const isRepeated = shown.some((line) => words.includes(line.slice(0, sharedStart)));
      if (!isRepeated && form.test(words)) shown.push(words);
      if (shown.length === linesShown) break;
    }
    if (shown.length > 0) break;
  }
  return shown;
}
