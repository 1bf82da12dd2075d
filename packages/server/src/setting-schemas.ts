// Schemas for the text of settings. A schema's message says what is allowed.

import * as z from 'zod';
import { parseCidr } from './infra/cidr.ts';
import { basePathPattern } from './infra/http/server-url.ts';

export function integer(minimum: number, maximum: number) {
  const allowed = `a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,16}$/, allowed)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, allowed);
}

function listOf<Item>(allowed: string, parse: (text: string) => Item | undefined) {
  return z.string().transform((text, context) => {
    const items: Item[] = [];
    for (const part of text.split(',')) {
      const item = parse(part.trim());
      if (item === undefined) {
        context.addIssue({ code: 'custom', message: allowed });
        return z.NEVER;
      }
      items.push(item);
    }
    return items;
  });
}

export const cidrs = listOf('network ranges such as 10.0.0.0/8,fd00::/8', parseCidr);

/** Origins of web pages, separated by commas. */
export const origins = listOf('origins such as https://app.example.com, or *', (text) => {
  if (text === '*') return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') && url.origin === text
    ? text
    : undefined;
});

export const retrySchedule = listOf('seconds separated by commas, each from 0 to 604800', (text) => {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : -1;
  return seconds >= 0 && seconds <= 604_800 ? seconds : undefined;
});

export const fileStore = z
  .string()
  .transform((text, context): { kind: 'disk' } | { kind: 's3'; bucket: string; prefix: string } => {
    if (text === 'disk') return { kind: 'disk' };
    const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? [];
    if (bucket !== undefined) return { kind: 's3', bucket, prefix: prefix.replace(/^\/+|(?<!\/)\/+$/g, '') };
    context.addIssue({ code: 'custom', message: 'disk or s3://bucket/prefix' });
    return z.NEVER;
  });

/** A path under which a proxy publishes the server. */
export const basePath = z
  .string()
  .transform((text) => text.replace(/(?<!\/)\/+$/, ''))
  .refine((text) => basePathPattern.test(text), 'a path such as /envsnap');

/** A URL with one of these protocols. */
export function webAddress(...protocols: string[]) {
  const allowed = `an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), allowed);
}

export function choice<const Words extends readonly [string, string, ...string[]]>(...words: Words) {
  const last = words.length - 1;
  return z.enum(words, { error: `${words.slice(0, last).join(', ')} or ${words[last]}` });
}
