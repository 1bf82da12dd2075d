// Checks this machine against the policy, the declared versions and the lock files. Needs no server, sends nothing, and
// keeps no value of a variable.

import { dirname, join } from 'node:path';
import {
  acceptanceFinder,
  type CheckoutFinding,
  type ComparableEnvironment,
  checkoutFindings,
  checkPolicy,
  copySample,
  developmentKey,
  environmentOf,
  expiryNotesOf,
  fileOfSample,
  firstInstallOf,
  type InstalledFinding,
  installedFindings,
  leftOutFindings,
  type NotInstalledFinding,
  nameList,
  notInstalledFindings,
  otherDeclarations,
  otherPython,
  type Shown,
  shownBy,
  type UnmetDeclaration,
  unmetDeclarations,
  unreadFilesLine,
} from '@envsnap/compare/workspace';
import { formatOfFile } from '@envsnap/shared/catalogue/formats';
import { recordOf, textItemsOf } from '@envsnap/shared/plain-object';
import type { MachineCheck } from '../../documents/machine-documents.ts';
import { scriptsOf } from '../../runs/find-missing-command.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { captureMachine, type ProjectFolder } from '../capture-machine.ts';
import { valuesIn } from './explain-failure.ts';
import type { FoundPolicy } from './load-policy.ts';
import { checkFromBelow, folderBelow } from './repairs-from-below.ts';

/** Captures the folder and checks it against all expectations. `examined`: lock files whose packages on disk were checked. */
export async function checkMachine(
  { folder, workspace, found: above }: ProjectFolder,
  policy: FoundPolicy | undefined,
) {
  // Real values allow checking expectations about secrets too; they are dropped with the capture.
  const captured = await captureMachine({
    dir: folder,
    within: folderBelow(above),
    envValues: policy === undefined ? 'none' : 'all',
    ...(workspace !== undefined && { workspace }),
  });
  const tested = new Set<string>();
  for (const { file } of leftOutFindings(captured.snapshot))
    if (await hasTests(folder, file)) tested.add(file);
  const check = checkFromBelow(
    checkSnapshot(captured.snapshot, policy, (file) => tested.has(file)),
    above,
  );
  const { examined, declared } = captured.report;
  const found = examined.length + declared.length + check.notInstalled.length + check.checkout.length;
  const unread = unreadFilesLine(environmentOf(captured.snapshot));
  const notes =
    unread !== undefined
      ? [{ code: unreadCode, message: unread }]
      : policy === undefined && found === 0
        ? [nothingExpected(captured.snapshot)]
        : [];
  const unseen = unseenPackages(captured.snapshot);
  const samples = unsetOfSamples(captured.snapshot, folder)
    .filter(({ isAll }) => isAll)
    .map(({ message, advice }) => ({ code: 'variables_unset', message: `${message}: ${advice}.`, advice }));
  return { check: { ...check, notes: [...notes, ...unseen, ...samples, ...check.notes] }, examined };
}

/** For each sample of a dotenv file in the folder, the variables in it that neither a dotenv file nor the environment sets.
 * `hasValues`: the capture kept values, so that an empty one is known. */
export function unsetOfSamples(snapshot: ComparableEnvironment, folder: string, hasValues = false) {
  const { project, variables } = environmentOf(snapshot);
  const set = Object.entries(variables).filter(([, value]) => !hasValues || value !== '');
  const isSet = new Set(set.map(([key]) => key.slice(key.lastIndexOf(':') + 1)));
  return [...Map.groupBy(project.variables, ([, file]) => file)].flatMap(([file, named]) => {
    const target = fileOfSample(file);
    const names = named.map(([name]) => name).filter((name) => !isSet.has(name));
    if (target === undefined || names.length === 0) return [];
    const isThere = Object.keys(variables).some((key) => key.startsWith(`${target}:`));
    const samples = valuesIn(join(folder, file));
    const open = nameList(names.filter((name) => !samples[name]));
    const copy = open ? `copy ${file} to ${target}, and fill in ${open}` : copySample(file, target);
    return {
      isAll: names.length === named.length,
      message: `${file} names ${nameList(names)}, which ${names.length === 1 ? 'is' : 'are'} not set here`,
      advice: (isThere ? undefined : copy) ?? `add the ones that you need to ${target}`,
    };
  });
}

/** Files whose packages may be installed in a place that nothing here names, by the reason. */
function unseenPackages(snapshot: ComparableEnvironment) {
  const environment = environmentOf(snapshot);
  const unknown = environment.unknown.filter(({ section }) => section === 'installed');
  return [...Map.groupBy(unknown, ({ reason }) => reason)].map(([reason, entries]) => {
    const files = entries.map(({ key }) => key);
    const advice = firstInstallOf(files[0] ?? '', environment, true);
    const next = advice === null ? '' : ` To install them: ${advice}`;
    const message = `it is unknown whether the packages of ${nameList(files)} are installed: ${reason}.${next}`;
    return { code: unseenPackagesCode, message, ...(advice !== null && { advice }) };
  });
}

/** Without expectations, the project needs the tools that its scripts call. */
function nothingExpected({ metadata, dependencies, runtimeVersions = {} }: ComparableEnvironment) {
  const lacking = textItemsOf(recordOf(recordOf(metadata).project).tools).filter(
    (tool) => !Object.hasOwn(runtimeVersions, tool),
  );
  const missingCommands =
    lacking.length > 0
      ? ` Its scripts call ${lacking.join(', ')}, which ${lacking.length === 1 ? 'is' : 'are'} not installed here.`
      : '';
  const [lock, ...more] = Object.keys(dependencies ?? {}).filter(
    (file) => formatOfFile(file)?.kind === 'lock',
  );
  const locks = `${lock}${more.length > 0 ? ` and ${more.length} more` : ''}`;
  const said =
    lock === undefined
      ? 'no .envsnap.yaml, no declared version and no lock file says what to expect (docs/policy.md)'
      : `no .envsnap.yaml and no declared version says what to expect (docs/policy.md), and nothing shows whether the packages of ${locks} are installed`;
  const code = lock === undefined ? nothingExpectedCode : unseenLocksCode;
  return { code, message: `${said}.${missingCommands}` };
}

export const nothingExpectedCode = 'no_policy';
export const unseenLocksCode = 'lock_files_unchecked';
export const unseenPackagesCode = 'packages_unseen';
export const unreadCode = 'files_unread';

/** Whether the manifest beside a lock file has a test script, which needs the development packages. */
async function hasTests(folder: string, file: string): Promise<boolean> {
  const manifest = file.endsWith('composer.lock') ? 'composer.json' : 'package.json';
  return (await scriptsOf(join(folder, dirname(file)), manifest)).includes('test');
}

/** Checks the capture. `needsDevelopment`: lock files whose development packages must be installed. */
export function checkSnapshot(
  snapshot: ComparableEnvironment,
  policy: FoundPolicy | undefined,
  needsDevelopment: (file: string) => boolean = () => true,
): MachineCheck {
  const accepted = policy?.loaded.policy.accepted;
  const acceptanceOf = acceptanceFinder(accepted);
  const [checks, packages, misfits, leftOut, tree] = interruptible(() => [
    policy === undefined ? [] : checkPolicy(policy.loaded, snapshot),
    installedFindings(snapshot),
    unmetDeclarations(snapshot),
    leftOutFindings(snapshot),
    checkoutFindings(snapshot),
  ]);
  const drifted = [...packages, ...leftOut.filter(({ file }) => needsDevelopment(file)).map(asPackage)];
  const installed = drifted.filter((finding) => !acceptanceOf(shownInstalled(finding)));
  // Activating the right environment also selects the right Python.
  const isElsewhere = installed.some(({ name, installed: is }) => otherPython(name, is));
  const declared = misfits.filter(
    (misfit) => !(isElsewhere && misfit.tool === 'python') && !acceptanceOf(shownDeclared(misfit)),
  );
  const changed = tree.filter((finding) => !finding.counts || !acceptanceOf(shownCheckout(finding)));
  const broken = changed.filter(({ counts }) => counts);
  const failing = [
    ...installed.map(shownInstalled),
    ...declared.filter(({ present }) => present !== null).map(shownDeclared),
    ...checks.filter(({ outcome }) => outcome === 'violated').map(shownBy),
    ...broken.map(shownCheckout),
  ];
  return {
    policy: policy?.loaded.file ?? null,
    machineName: snapshot.machineName,
    os: snapshot.os ?? '',
    arch: snapshot.arch ?? '',
    passed: failing.length === 0,
    checks,
    declared: declared.map(({ commands, ...each }) => ({ ...each, repair: repairOf(commands) })),
    otherDeclared: otherDeclarations(snapshot),
    installed: installed.map(({ command, ...each }) => ({
      ...each,
      repair: repairOf([command ?? []].flat()),
    })),
    notInstalled: [
      ...notInstalledFindings(snapshot),
      ...leftOut.filter(({ file }) => !needsDevelopment(file)),
    ].map((each) => ({ ...each, repair: repairOf([each.advice ?? []].flat()) })),
    checkout: changed.map(({ commands, ...each }) => ({ ...each, repair: repairOf(commands) })),
    accepted:
      drifted.length -
      installed.length +
      (misfits.length - declared.length) +
      (tree.length - changed.length) +
      checks.filter(({ outcome }) => outcome === 'accepted').length,
    notes: expiryNotesOf(failing, accepted),
  };
}

function repairOf(commands: readonly string[]) {
  return commands.length > 0 ? { side: 'b' as const, commands: [...commands] } : null;
}

/** Treats all development packages as one package. */
function asPackage(finding: NotInstalledFinding): InstalledFinding {
  return {
    ...finding,
    name: developmentKey,
    installed: null,
    locked: null,
    direct: true,
    requiredBy: [],
    folder: null,
    command: finding.advice,
  };
}

function shownCheckout({ key, value }: CheckoutFinding): Shown {
  return [{ section: 'checkout', key }, value];
}

/** The keys under which installed packages and declared versions can be accepted. */
function shownInstalled({ file, name, installed }: InstalledFinding): Shown {
  return [{ section: 'installed', key: `${file}/${name}`, name }, installed];
}

function shownDeclared({ key, requirement }: UnmetDeclaration): Shown {
  return [{ section: 'toolchain', key }, requirement];
}
