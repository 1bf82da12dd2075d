// What the schemas of the commands' documents are made of. Never bundled.

import { snapshot } from '@envsnap/shared';
import * as z from 'zod';

/** The type that a schema describes, read-only. */
export type Told<Schema extends z.ZodType> = DeepReadonly<z.infer<Schema>>;
type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

export const idSchema = z.uuid();
export const momentSchema = z.iso.datetime();
export const countSchema = z.number().int().min(0);
export const machineNameSchema = snapshot.shape.machineName;
