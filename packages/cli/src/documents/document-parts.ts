// Parts of the schemas of the commands' documents. Never bundled.

import { snapshot } from '@envsnap/shared';
import * as z from 'zod';

export type Document<Schema extends z.ZodType> = DeepReadonly<z.infer<Schema>>;
type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

export const idSchema = z.uuid();
export const momentSchema = z.iso.datetime();
export const countSchema = z.number().int().min(0);
export const machineNameSchema = snapshot.shape.machineName;

export const text = (about: string) => z.string().describe(about);
export const textOrNull = (about: string) => z.string().nullable().describe(about);
export const flag = (about: string) => z.boolean().describe(about);
export const whole = (about: string) => z.number().int().describe(about);
export const objectsOf = <Shape extends z.ZodRawShape>(about: string, shape: Shape) =>
  z.array(z.object(shape)).describe(about);
export const texts = (about: string) => z.array(z.string()).describe(about);
export const objectOf = <Shape extends z.ZodRawShape>(about: string, shape: Shape) =>
  z.object(shape).describe(about);
