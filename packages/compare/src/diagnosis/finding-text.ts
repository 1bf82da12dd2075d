// Puts findings into words.

import { parseAddress } from '@envsnap/shared/address';
import { runCircumstances } from './echoes.ts';
import type { Group } from './grouping.ts';
import { absentCode, type Feature, firstValue } from './run-table.ts';
import type { Split, Trait } from './splits.ts';

const longestValue = 60;

export function splitText(feature: Feature, split: Split): string {
  const { inFailed, ofFailed, inPassed, ofPassed } = split;
  const failing = `${inFailed} of ${ofFailed} failing ${ofFailed === 1 ? 'run' : 'runs'}`;
  const verb = inFailed === 1 ? 'has' : 'have';
  return `${failing} ${verb} ${traitText(feature, split.trait)}, ${inPassed} of ${ofPassed} passing ones`;
}

function traitText(feature: Feature, trait: Trait): string {
  const name = nameOf(feature);
  if (feature.entry !== undefined) {
    const entry = feature.shown ? `${clipped(feature.entry)} in ${name}` : `one more entry in ${name}`;
    return trait.kind === 'lacks' ? `no ${entry}` : entry;
  }
  const variable = feature.key.startsWith('env:');
  switch (trait.kind) {
    case 'has':
      return variable ? `${name} set` : name;
    case 'lacks':
      return `no ${name}`;
    default: {
      const value = feature.values[trait.code - firstValue];
      const shown =
        feature.shown && value && value.fingerprintKey === undefined ? clipped(value.text) : undefined;
      if (shown === undefined)
        return trait.kind === 'value'
          ? `one common value of ${name}`
          : `a value of ${name} that differs from the passing runs`;
      return named(feature, name, shown, trait.kind);
    }
  }
}

function named({ order, key }: Feature, name: string, value: string, kind: Trait['kind']): string {
  const text = key.startsWith('env:')
    ? `${name}=${value}`
    : `${name} ${value === '' ? '(not installed)' : value}`;
  if (kind === 'at-least') return `${text} or ${order === 'numbers' ? 'more' : 'newer'}`;
  if (kind === 'below') return `${name} ${order === 'numbers' ? 'below' : 'older than'} ${value}`;
  return kind === 'other-value' ? `something other than ${text}` : text;
}

export function nameOf({ key, label }: Feature): string {
  if (label !== undefined) return label;
  const { section, name } = parseAddress(key) ?? { section: undefined, name: key };
  switch (section) {
    case 'os':
      return 'operating system';
    case 'arch':
      return 'architecture';
    case 'machineName':
      return 'machine';
    case 'toolchain':
      return `the declared ${name}`;
    case 'checkout':
      return name.includes('/') ? name.slice(name.indexOf('/') + 1) : `git ${name}`;
    default:
      return name;
  }
}

export function rateText(qValue: number): string {
  return qValue < 0.001 ? 'q < 0.001' : `q = ${Number(qValue.toPrecision(2))}`;
}

/** `npm and 12 more changed with it on 3 November 2026: image 20261103.1`; null for a key on its own. Two keys that split the
 * runs alike cannot be separated by these runs. */
export function groupText({ members, since }: Group): string | null {
  const [head] = members;
  const others = members.slice(1).filter((member) => !member.echo);
  const occasion = members.find(({ feature, split }) => {
    return (
      feature !== head?.feature &&
      Object.hasOwn(runCircumstances, feature.key) &&
      split.trait.kind === 'value'
    );
  });
  const value = occasion && valueOfTrait(occasion.feature, occasion.split.trait);
  const brought = value ? `${runCircumstances[occasion.feature.key]} ${clipped(value)}` : undefined;
  if (others.length === 0)
    return brought ? `it came with ${brought}${since === null ? '' : ` on ${day(since)}`}` : null;
  const names = [...new Set(others.map(({ feature }) => nameOf(feature)))];
  const shown =
    names.length <= 3 ? listed(names) : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
  const verb = names.length === 1 ? 'differs' : 'differ';
  const when = since === null ? `${verb} in exactly the same runs` : `changed with it on ${day(since)}`;
  return `${shown} ${when}${brought ? `: ${brought}` : ''}`;
}

export function codeText(feature: Feature, code: number): string {
  if (code < firstValue) return traitText(feature, { kind: code === absentCode ? 'lacks' : 'has' });
  if (feature.entry !== undefined) return traitText(feature, { kind: 'has' });
  const value = feature.values[code - firstValue];
  const hidden = !feature.shown || value?.fingerprintKey !== undefined;
  return hidden ? `the usual ${nameOf(feature)}` : traitText(feature, { kind: 'value', code });
}

function valueOfTrait(feature: Feature, trait: Trait): string | undefined {
  return feature.shown && 'code' in trait ? feature.values[trait.code - firstValue]?.text : undefined;
}

export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** `3 November 2026`, in UTC, so that the text does not depend on the reader's time zone. */
function day(moment: string): string {
  const date = new Date(moment);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

function clipped(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > longestValue ? `${line.slice(0, longestValue - 1)}…` : line;
}
