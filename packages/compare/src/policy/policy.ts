// What a policy says, as a type without zod: a program that compares does not load the types of the library that checks one.

import type { Acceptance } from './accepted.ts';
import type { PresetName } from './presets.ts';

type OneOrMore = string | string[];
type MapOfThem = Record<string, OneOrMore>;

export interface Policy {
  version?: '1' | undefined;
  baseline?: string | undefined;
  failOn?: OneOrMore | undefined;
  preset?: PresetName | undefined;
  accepted?: Acceptance[] | undefined;
  ignore?: string[] | undefined;
  expect?:
    | {
        os?: OneOrMore | undefined;
        arch?: OneOrMore | undefined;
        runtimes?: MapOfThem | undefined;
        env?: MapOfThem | undefined;
        facts?: MapOfThem | undefined;
        system?: MapOfThem | undefined;
      }
    | undefined;
  required?: string[] | undefined;
  forbidden?: string[] | undefined;
}
