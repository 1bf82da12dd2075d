// An environment in a few lines, beginning with what its project uses. The same for a capture and a stored snapshot.

import { type Environment, environmentOf } from '@envsnap/compare/workspace/environment/environment';
import { checkoutFindings } from '@envsnap/compare/workspace/model/compare-checkout';
import type { ComparableEnvironment } from '@envsnap/compare/workspace/model/model';
import { nameList } from '@envsnap/compare/workspace/model/ordered-list';
import { counted } from '@envsnap/shared/text/size';
import type { Field } from '../layout/table.ts';

/** Project, declared versions, git, system, runtimes, packages and facts; unknown parts are left out. */
export function environmentFields(snapshot: ComparableEnvironment): Field[] {
  const environment = environmentOf(snapshot);
  return [
    ['project', projectText(environment)],
    ['declared', declaredText(environment)],
    ['git', gitText(environment)],
    ['system', systemText(environment)],
    ['runtimes', runtimesText(environment)],
    ['packages', packagesText(environment)],
    ['facts', factsText(environment)],
  ];
}

/** `npm, docker: node 22.11.0, pnpm 9.12.0; not here: terraform` */
function projectText({ project: { ecosystems, tools }, runtimes }: Environment): string | undefined {
  if (ecosystems.length + tools.length === 0) return undefined;
  const here = tools.filter((tool) => Object.hasOwn(runtimes, tool));
  const absent = tools.filter((tool) => !Object.hasOwn(runtimes, tool));
  const parts = [
    here.map((tool) => `${tool} ${runtimes[tool]}`).join(', '),
    absent.length > 0 ? `not here: ${absent.join(', ')}` : '',
  ].filter((part) => part !== '');
  return [ecosystems.join(', '), parts.join('; ')].filter((part) => part !== '').join(': ');
}

/** `node 22.11.0 (.nvmrc) fits; python 3.12 (.python-version) does not fit 3.11.2` */
function declaredText({ declarations }: Environment): string | undefined {
  const texts = declarations.map(({ tool, requirement, file, present, satisfied }) => {
    const fit = satisfied === null ? '' : satisfied ? ' fits' : ` does not fit ${present ?? 'none'}`;
    return `${tool} ${requirement} (${file})${fit}`;
  });
  return texts.length === 0 ? undefined : texts.join('; ');
}

function gitText({ snapshot, branch, commit, isDirty }: Environment): string | undefined {
  if (commit === undefined) return undefined;
  const place = branch === undefined ? '' : `${branch}@`;
  const [first, ...more] = checkoutFindings(snapshot).map(({ message }) => message);
  const changes = first === undefined ? [] : [more.length > 0 ? `${first}, and ${more.length} more` : first];
  if (first === undefined && isDirty) changes.push('with uncommitted changes');
  return [`${place}${commit.slice(0, 8)}`, ...changes].join(', ');
}

const systemNames = ['distribution', 'distro', 'libc', 'container', 'locale', 'timezone'] as const;

function systemText({ os, arch, system }: Environment): string {
  const known = systemNames.map((name) => system[name]).filter((value) => value !== undefined);
  return [`${os ?? '?'}/${arch ?? '?'}`, ...known].join(', ');
}

function runtimesText({ runtimes, project }: Environment): string {
  const used = new Set(project.tools);
  const others = Object.keys(runtimes).filter((name) => !used.has(name));
  const count = Object.keys(runtimes).length;
  if (count === 0) return 'none';
  if (used.size === 0)
    return Object.entries(runtimes)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ');
  if (others.length === 0) return 'those of the project';
  return `${counted(others.length, 'other', 'others')}: ${nameList(others)}`;
}

function packagesText({ dependencies }: Environment): string {
  const files = Object.entries(dependencies);
  const own = files.filter(([file]) => !file.startsWith('/'));
  const count = (entries: typeof files) =>
    entries.reduce((sum, [, packages]) => sum + Object.keys(packages).length, 0);
  const parts = [
    own.length > 0 ? `${counted(count(own), 'package')} in ${counted(own.length, 'file')}` : '',
    files.length > own.length
      ? `${counted(count(files) - count(own), 'package')} of the operating system`
      : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function factsText({ facts = {} }: Environment): string | undefined {
  const count = Object.keys(facts).length;
  return count === 0 ? undefined : `${counted(count, 'fact')} of the machine`;
}
