// Terraform and OpenTofu: .terraform.lock.hcl and configurations.

import { anyVersion, type PackageList } from '../package-list.ts';
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

/**
 * *.tf: required providers and modules of elsewhere, under the address that is written, with their requirement. No lock file
 * pins modules. Blocks and settings are read where each has a line, as `terraform fmt` writes them.
 */
export function parseTerraform(text: string, list: PackageList): void {
  const blocks: string[] = [];
  let heredoc: string | undefined;
  let wanted: { source?: string; version?: string } = {};
  forEachLine(text, (line) => {
    const content = line.trim();
    if (heredoc !== undefined) {
      if (content === heredoc) heredoc = undefined;
      return;
    }
    heredoc = /<<[-~]?(\w+)$/.exec(content)?.[1];
    const [, key, value] = /^(\w+)\s*=\s*"([^"]*)"/.exec(content) ?? [];
    if (key && value !== undefined && kindOf(blocks) === 'providers') list.add(key, value || anyVersion);
    const plain = content.replace(/"[^"]*"/g, '').split(/#|\/\//, 1)[0] ?? '';
    for (const _ of plain.matchAll(/\{/g)) blocks.push((content.split(/[={]/, 1)[0] ?? '').trimEnd());
    if (blocks.length > deepest) throw new ParseProblem(`blocks are nested more than ${deepest} deep`);
    if (kindOf(blocks) === 'wanted') Object.assign(wanted, settingsOf(content));
    for (const _ of plain.matchAll(/\}/g)) {
      const isWanted = kindOf(blocks) === 'wanted';
      const name = blocks.pop();
      if (!isWanted) continue;
      const [address = '', ref] = (wanted.source ?? name ?? '').split('?ref=');
      // A module of a folder is part of the project.
      if (!/^\.{1,2}\//.test(address)) list.add(address, wanted.version ?? ref ?? anyVersion);
      wanted = {};
    }
  });
  list.isRecorded = list.size > 0;
}

/** Blocks within blocks. */
const deepest = 500;

/** Whether a block asks for one provider or module, or lists providers. */
function kindOf(blocks: readonly string[]): 'wanted' | 'providers' | undefined {
  if (blocks.length === 1 && /^module\s+"[^"]*"$/.test(blocks[0] as string)) return 'wanted';
  if (blocks[0] !== 'terraform' || blocks[1] !== 'required_providers') return undefined;
  if (blocks.length === 2) return 'providers';
  return blocks.length === 3 ? 'wanted' : undefined;
}

function settingsOf(content: string): { source?: string; version?: string } {
  const settings = content.matchAll(/(?:^|[\s{,])(source|version)\s*=\s*"([^"]*)"/g);
  return Object.fromEntries(Array.from(settings, ([, name, value]) => [name, value]));
}
