// An environment in a few lines, beginning with what its project uses. The same for a capture and a stored snapshot.

import { checkoutFindings } from '@envsnap/compare/workspace/model/compare-checkout';
import { systemFacts } from '@envsnap/compare/workspace/model/metadata-facts';
import { recordOf, textItemsOf } from '@envsnap/shared/plain-object';
import { counted } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import type { Screen } from '../../terminal/terminal.ts';
import { wrapWords } from '../layout/wrap-words.ts';

/** The parts of a snapshot that are shown. */
export interface DescribedEnvironment {
  readonly os: string | null;
  readonly arch: string | null;
  readonly runtimeVersions: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

type Field = readonly [name: string, value: string];

/** Project, declared versions, git, system, runtimes, packages and facts; parts of which nothing is known are left out. */
export function environmentFields(environment: DescribedEnvironment): Field[] {
  const { metadata } = environment;
  const fields: (readonly [string, string | undefined])[] = [
    ['project', projectText(environment)],
    ['declared', declaredText(metadata)],
    ['git', gitText(metadata)],
    ['system', systemText(environment)],
    ['runtimes', runtimesText(environment)],
    ['packages', packagesText(environment)],
    ['facts', factsText(metadata)],
  ];
  return fields.filter((field): field is Field => field[1] !== undefined);
}

/** Names and values, values broken between words. */
export function renderWrappedFields(fields: readonly Field[], screen: Screen): string {
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields
    .flatMap(([name, value]) =>
      wrapWords(visible(value), Math.max(24, screen.columns - width - 2)).map(
        (line, index) => `${screen.paint('dim', (index === 0 ? name : '').padEnd(width))}  ${line}`,
      ),
    )
    .join('\n')
    .concat('\n');
}

/** `npm, docker: node 22.11.0, pnpm 9.12.0; not here: terraform` */
function projectText({ metadata, runtimeVersions }: DescribedEnvironment): string | undefined {
  const project = recordOf(metadata.project);
  const ecosystems = textItemsOf(project.ecosystems);
  const tools = textItemsOf(project.tools);
  if (ecosystems.length + tools.length === 0) return undefined;
  const here = tools.filter((tool) => Object.hasOwn(runtimeVersions, tool));
  const absent = tools.filter((tool) => !Object.hasOwn(runtimeVersions, tool));
  const parts = [
    here.map((tool) => `${tool} ${runtimeVersions[tool]}`).join(', '),
    absent.length > 0 ? `not here: ${absent.join(', ')}` : '',
  ].filter((part) => part !== '');
  return [ecosystems.join(', '), parts.join('; ')].filter((part) => part !== '').join(': ');
}

/** `node 22.11.0 (.nvmrc) fits; python 3.12 (.python-version) does not fit 3.11.2` */
function declaredText(metadata: Readonly<Record<string, unknown>>): string | undefined {
  const told = Object.entries(recordOf(metadata.toolchain)).flatMap(([tool, entry]) => {
    const { present, declared } = recordOf(entry);
    return (Array.isArray(declared) ? declared : []).map((each) => {
      const { version, source, satisfied } = recordOf(each);
      const has = typeof present === 'string' ? present : 'none';
      const fit = satisfied === true ? ' fits' : satisfied === false ? ` does not fit ${has}` : '';
      return `${tool} ${String(version)} (${String(source)})${fit}`;
    });
  });
  return told.length === 0 ? undefined : told.join('; ');
}

function gitText(metadata: Readonly<Record<string, unknown>>): string | undefined {
  const { branch, commit, dirty } = recordOf(metadata.git);
  if (typeof commit !== 'string') return undefined;
  const place = typeof branch === 'string' ? `${branch}@` : '';
  const [first, ...more] = checkoutFindings({ metadata }).map(({ message }) => message);
  const changes = first === undefined ? [] : [more.length > 0 ? `${first}, and ${more.length} more` : first];
  if (first === undefined && dirty === true) changes.push('with uncommitted changes');
  return [`${place}${commit.slice(0, 8)}`, ...changes].join(', ');
}

const systemNames = ['distribution', 'distro', 'libc', 'container', 'locale', 'timezone'] as const;

function systemText({ os, arch, metadata }: DescribedEnvironment): string {
  const facts = systemFacts(metadata);
  const told = systemNames.map((name) => facts[name]).filter((value) => value !== undefined);
  return [`${os ?? '?'}/${arch ?? '?'}`, ...told].join(', ');
}

function runtimesText({ runtimeVersions, metadata }: DescribedEnvironment): string {
  const used = new Set(textItemsOf(recordOf(metadata.project).tools));
  const others = Object.keys(runtimeVersions).filter((name) => !used.has(name));
  const count = Object.keys(runtimeVersions).length;
  if (count === 0) return 'none';
  if (used.size === 0)
    return Object.entries(runtimeVersions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ');
  if (others.length === 0) return 'those of the project';
  return `${counted(others.length, 'other', 'others')}: ${others.join(', ')}`;
}

function packagesText({ dependencies }: DescribedEnvironment): string {
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

function factsText(metadata: Readonly<Record<string, unknown>>): string | undefined {
  const count = Object.keys(recordOf(metadata.facts)).length;
  return count === 0 ? undefined : `${counted(count, 'fact')} of the machine`;
}
