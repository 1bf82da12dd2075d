// Terraform and OpenTofu: .terraform.lock.hcl.

import type { PackageList } from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { forEachLine } from '../text/lines.ts';

/** .terraform.lock.hcl: providers under their full address. */
export function parseTerraformLock(text: string, list: PackageList): void {
  let provider: { name: string; line: number; version?: string; hashes: string[] } | undefined;
  forEachLine(text, (line, number) => {
    const content = line.trim();
    const start = /^provider\s+"([^"]+)"\s*\{$/.exec(content);
    if (start) {
      if (provider) throw new ParseProblem('a provider begins inside another', { line: number });
      provider = { name: start[1] as string, line: number, hashes: [] };
    } else if (provider && content === '}') {
      if (!provider.version) throw new ParseProblem('a provider has no version', { line: provider.line });
      list.add(provider.name, provider.version, undefined, provider.hashes);
      provider = undefined;
    } else if (provider) {
      const version = /^version\s*=\s*"([^"]+)"$/.exec(content)?.[1];
      if (version) provider.version = version;
      // Of one kind: a platform that the file does not know has no hash of the other.
      const hash = /^"(?:h1|zh):([^"]+)",?$/.exec(content)?.[1];
      if (hash) provider.hashes.push(`hash:${hash}`);
    } else if (content !== '' && !/^(?:#|\/\/|\/\*|\*)/.test(content)) {
      throw new ParseProblem('a line is not a provider', { line: number });
    }
  });
  if (provider) throw new ParseProblem('the file ends in the middle of a provider');
}
