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
export const machineNameSchema = snapshot.shape.machineName;

export const texts = (about: string) => z.array(z.string()).describe(about);
