// Families of facts and variables with the same meaning, by their names in the rows, and why their members change together. All
// members that differ are one cause; that of a virtual environment also has PATH and what Python runs in.

import families from './cause-families.json' with { type: 'json' };

export const causeFamilies = families;

export type CauseFamily = keyof typeof causeFamilies;
