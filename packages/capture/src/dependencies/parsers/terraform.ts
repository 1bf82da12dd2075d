// Terraform and OpenTofu: .terraform.lock.hcl.

import type { PackageList } from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { forEachLine } from '../text/lines.ts';

/** .terraform.lock.hcl: providers under their full address. */
export function parseTerraformLock(text: string, list: PackageList): void {
  let provider: { name: string; line: number; version?: string } | undefined;
  forEachLine(text, (line, number) => {
    const content = line.trim();
    const start = /^provider\s+"([^"]+)"\s*\{$/.exec(content);
    if (start) {
      if (provider) throw new ParseProblem('a provider begins inside another', { line: number });
      provider = { name: start[1] as string, line: number };
    } else if (provider && content === '}') {
      if (!provider.version) throw new ParseProblem('a provider has no version', { line: provider.line });
      list.add(provider.name, provider.version);
      provider = undefined;
    } else if (provider) {
      const version = /^version\s*=\s*"([^"]+)"$/.exec(content)?.[1];
      if (version) provider.version = version;
    } else if (content !== '' && !/^(?:#|\/\/|\/\*|\*)/.test(content)) {
      throw new ParseProblem('a line is not a provider', { line: number });
    }
  });
  if (provider) throw new ParseProblem('the file ends in the middle of a provider');
}
