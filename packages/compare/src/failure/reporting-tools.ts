// Recognises the tool that wrote a line of output: a language by its stack trace, a tool by its format. Such a tool
// counts even if the project does not mention it.

import rows from './rules/reporting-tools.json' with { type: 'json' };

export const reportingTools = rows.map(({ form, tools }) => ({ form: new RegExp(form), tools }));

export function toolsThatReport(line: string): readonly string[] {
  return reportingTools.flatMap(({ form, tools }) => (form.test(line) ? tools : []));
}

export const lacksLibrary =
  /\.so(?:\.\d+)*\b|\.dylib\b|\.(?:h|hpp)\b.{0,20}no such file|\bcannot find -l|\bpkg-config\b|\.pc\b|shared librar|librar(?:y|ies) not found|dllnotfound/i;
