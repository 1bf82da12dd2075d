// Makes the pages of docs/reference that show the catalogues and of the published schemas. Pure: text out.

import { type EcosystemRow, ecosystems } from '@envsnap/shared/catalogue/ecosystems';
import { conditionTexts, type FactRow } from '@envsnap/shared/catalogue/facts/fact';
import { factGroups } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { originText } from '@envsnap/shared/catalogue/facts/origin';
import { systemFactCatalogue } from '@envsnap/shared/catalogue/facts/system';
import { type Format, formats, installCommandOf } from '@envsnap/shared/catalogue/formats';
import { roleCounts, roleOf, type ToolRole, type ToolRow, tools } from '@envsnap/shared/catalogue/tools';
import { variableCatalogue } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import {
  type ClassCounting,
  type VariableClass,
  type VariableClassRow,
  type VariableRow,
  valueRules,
  variableClasses,
} from '@envsnap/shared/catalogue/variables/variable-class';
import { documentsPage } from './documents-page.ts';

const note = '<!-- Made by scripts/write-reference.ts from the catalogue; not to be edited. -->';

/** The pages by file name in docs/reference. */
export function referencePages(): Record<string, string> {
  return {
    'formats.md': formatsPage(),
    'tools.md': toolsPage(),
    'facts.md': factsPage(),
    'variables.md': variablesPage(),
    'json.md': documentsPage(note, table),
  };
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const code = (text: string) => `\`${text}\``;
const codes = (texts: readonly string[] | undefined) => (texts ?? []).map(code).join(' ');

/** Its names, or examples of them. */
function namesOf({ names, examples }: Format): string {
  return names ? codes(names) : `${codes(examples)} and the like`;
}

function formatsPage(): string {
  const read = formats.filter(({ kind }) => kind !== 'unread');
  const rows = read.map((format) => {
    const { scheme, packageUrl }: EcosystemRow = ecosystems[format.ecosystem];
    return [
      namesOf(format),
      format.about,
      format.kind,
      format.family,
      scheme,
      packageUrl && !format.plainMeansRange ? code(`pkg:${packageUrl}/…`) : '',
      codes([installCommandOf((format.names ?? format.examples ?? [])[0] ?? '') ?? []].flat()),
    ];
  });
  const unread = formats.filter(({ kind }) => kind === 'unread');
  return `${note}
# Dependency files

A capture reads ${read.length} formats, and names ${unread.length} without reading them. A **lock** lists the installed versions and governs the
manifests of its family; git may ignore it, as long as its manifest is there. A **manifest** lists requirements and is recorded only
if no lock of its family governs it (\`--manifests\` records both). A **list** is always recorded.

\`metadata.sources\` says where packages come from. It maps each file to names (or \`name@version\`), and each name to
\`registry+<address>\`, \`git+<address>#<commit>\`, the address of an archive, or \`path:<folder>\`. After it there may be
\`patch:<digest>\`, or the package's ecosystem if it is not the file's (\`pypi\` for pip's packages in a conda environment). It never has
credentials. \`metadata.direct\` lists, for each file, the packages that the project's manifests name; lists of packages begin with these.

${table(['file', 'what it is', 'kind', 'family', 'versions', 'package URL', 'command that installs it'], rows)}

## Found and not read

A capture names these files in its warnings if there is no lock file of their family.

${table(
  ['file', 'what it is', 'why'],
  unread.map((format) => [namesOf(format), format.about, format.unread ?? '']),
)}
`;
}

const groupTitles: Readonly<Record<keyof typeof factGroups, string>> = {
  process: 'The process',
  kernel: 'Processor, memory, kernel',
  language: 'Language and time',
  files: 'Files and folders',
  network: 'Network and trust',
  git: 'Git',
  tools: 'Package managers and build tools',
  programs: 'Basic tools, drivers, fonts',
};

const personalText = 'only if the project mentions it or a failure is being explained';

/** Conditions that all must hold, as one phrase. */
function conditionText(conditions: readonly (string | false | undefined)[], personal?: boolean): string {
  return [conditions.filter(Boolean).join(', '), personal && personalText].filter(Boolean).join(', but ');
}

/** When a difference in the fact counts by default: `yes`, `no`, or the condition. */
function countsText({ counts, ecosystems, ofArchitecture, personal }: FactRow): string {
  if (counts === 'never') return 'no';
  const conditions = [
    ecosystems && `in projects of ${ecosystems.join(', ')}`,
    counts !== 'always' && conditionTexts[counts.when](counts.words),
    ofArchitecture && 'on the same architecture',
  ];
  return conditionText(conditions, personal) || 'yes';
}

function factTable(rows: Readonly<Record<string, FactRow>>): string {
  return table(
    ['name', 'what it is', 'kind', 'unset means', 'a difference counts', 'as a cause'],
    Object.entries(rows).map(([name, row]) => [
      code(name),
      row.what,
      row.unit ? `${row.kind} (${row.unit})` : row.kind,
      row.unset ?? 'unknown',
      countsText(row),
      row.weightText,
    ]),
  );
}

function factsPage(): string {
  const groups = Object.entries(groupTitles).map(
    ([group, title]) => [title, factGroups[group as keyof typeof factGroups]] as const,
  );
  const all: [string, FactRow][] = [
    ...groups.flatMap(([, rows]) => Object.entries(rows)),
    ...Object.entries(systemFactCatalogue),
  ];
  const revealing = all.flatMap(([name, { reveals, freeText }]) =>
    reveals === undefined ? [] : [[`${code(name)}${freeText ? ' *' : ''}`, reveals]],
  );
  return `${note}
# Facts

A capture records these facts of a machine in \`metadata.facts\`, besides its tools, packages and variables. It reads them from files
and system calls, and never starts a program from the captured folder. A policy can expect them under \`expect.facts\`;
\`envsnap history\` and \`envsnap matrix\` show them as \`facts.NAME\`. If a machine does not have or
report a fact, the fact is absent.

In a comparison, A is the machine where the project works, and B is the machine where it fails. Limits that differ by less than a tenth
never count. The column “as a cause” shows how likely it is that a difference explains a failure, on a scale up to 100: strong (90),
likely (75), possible (60), now and then (47), rare (24), slight (12), context (4), or another number. If the column has no condition, a
difference that does not count gets less than that.

${groups.map(([title, rows]) => `## ${title}\n\n${factTable(rows)}\n`).join('\n')}
## The system

These facts are in \`metadata.system\`, \`metadata.locale\`, \`metadata.timezone\` and \`metadata.shell\`. Comparisons show them in the section \`system\`.

${factTable(systemFactCatalogue)}

## What a fact can reveal

${all.length - revealing.length} of ${all.length} facts reveal nothing about a person. The others reveal something, but none of them holds a password, a token or a
user's name. Free text (marked *) becomes \`[redacted]\` if it looks like a secret.

${table(['name', 'what it can reveal'], revealing)}

## Where a fact is read

${table(
  ['name', 'Linux', 'macOS', 'Windows'],
  all.map(([name, { read }]) => {
    const [linux, ...others] = (['linux', 'macos', 'windows'] as const).map(
      (system) => originText(read, system) ?? '–',
    );
    return [
      code(name),
      linux ?? '',
      ...others.map((each) => (each === linux && each !== '–' ? 'the same' : each)),
    ];
  }),
)}
`;
}

/** The distance from which another version of a tool counts if the project asks for it. */
const roleTexts: Readonly<Record<ToolRole, string>> = {
  language: `if the ${roleCounts.language} version differs`,
  manager: `if the ${roleCounts.manager} version differs`,
  tool: 'no',
};
const toolColumns = [
  'name',
  'what it is',
  'in mise',
  'in asdf',
  'image',
  'implied by',
  'another version counts',
  'comes with',
  'can replace',
];

function toolsPage(): string {
  const kinds = [...new Set(tools.map(({ kind }) => kind))];
  const nameIn = (tool: ToolRow, manager: 'mise' | 'asdf') => {
    const name = tool[manager];
    return name === undefined ? '' : code(name === true ? tool.name : name);
  };
  const parts = kinds.map((kind) => {
    const rows = tools
      .filter((tool) => tool.kind === kind)
      .map((tool) => [
        code(tool.name),
        tool.about,
        nameIn(tool, 'mise'),
        nameIn(tool, 'asdf'),
        tool.image === undefined ? '' : code(tool.image.replace(/:.*$/, '')),
        impliedBy(tool.name),
        tool.counts ? roleTexts.manager : roleTexts[roleOf(tool)],
        codes([...(tool.comesWith ? [tool.comesWith] : [])]),
        codes(tool.insteadOf),
      ]);
    return `## ${kind.charAt(0).toUpperCase()}${kind.slice(1)}\n\n${table(toolColumns, rows)}\n`;
  });
  return `${note}
# Tools

A capture looks for ${tools.length} tools, named as in \`runtimeVersions\`. It runs nothing else and installs nothing. “Implied by” lists the
dependency files whose projects need the tool, so that an export pins it.

A difference counts if the project asks for the tool. A missing tool counts, unless that side has an equivalent one or can do without
it. The table says when another version counts while a failure is being explained; otherwise fewer do. A tool that comes with another one
is shown with it.

${parts.join('\n')}`;
}

const classCounts: Readonly<Record<ClassCounting, string>> = {
  always: 'yes',
  project: 'in projects of its ecosystems, and if a file of the project mentions it',
  mentioned: 'if a file of the project mentions it',
  never: 'no',
};

function variablesPage(): string {
  const classes = Object.entries<VariableClassRow>(variableClasses).map(
    ([name, { what, counts, volatile }]) => [
      code(name),
      what,
      classCounts[counts],
      volatile ? 'left out' : 'recorded',
    ],
  );
  const groups = Map.groupBy(variableCatalogue, (row) =>
    [
      row.class,
      row.provider,
      row.ecosystems?.join(', '),
      row.likelihood,
      row.family,
      row.alike,
      row.personal,
      row.assumed,
      row.follows,
      row.shared,
    ].join('|'),
  );
  const rowsOf = (name: VariableClass) =>
    [...groups.values()]
      .filter(([row]) => row?.class === name)
      .map((rows) => {
        const [row] = rows as [VariableRow];
        const more = [
          row.class === 'tool-setting' && row.likelihood === 'low' && 'only if the project mentions it',
          row.alike && valueRules[row.alike],
          row.shared && 'if the project mentions it',
          row.assumed && `unless one side has none, and the other ${row.assumed.split(' ').join(' or ')}`,
        ];
        return [
          codes(rows.map(({ pattern }) => pattern)),
          row.scoped ? `only on ${row.provider}` : row.provider,
          row.ecosystems?.join(', ') ?? '',
          conditionText(more, row.personal),
          row.family ?? (row.follows ? `with ${row.follows}` : ''),
        ];
      });
  const parts = (Object.keys(variableClasses) as VariableClass[]).map(
    (name) =>
      `## ${name}\n\n${table(['names', 'set or read by', 'in projects of', 'counts', 'same cause as'], rowsOf(name))}\n`,
  );
  return `${note}
# Environment variables

This page shows how a comparison treats each variable by its name. \`*\` stands for any characters; an exact name wins over a pattern. A
name that is in no table counts if a file of the project mentions it, or if both sides set it to different values. While a failure is
being explained, it also counts if it is spelled like a setting of an application (capitals and underscores). Otherwise a name that
only a pattern matches counts like a name in no table. A capture leaves out variables that differ from one process, session or run to
the next.

${table(['class', 'what such variables are', 'a difference counts', 'in a capture'], classes)}

${parts.join('\n')}`;
}

/** Dependency files that ask for a tool, each by one name. */
function impliedBy(tool: string): string {
  const asking = formats.filter((format) => {
    const { runtimes }: EcosystemRow = ecosystems[format.ecosystem];
    return [...(runtimes ?? []), ...(format.tools ?? [])].includes(tool);
  });
  return asking.map((format) => code((format.names ?? format.examples)?.[0] ?? format.id)).join(' ');
}
