// Every tool that a capture looks for, in the order of the catalogue's kinds. What each is stands in the catalogue.

import { browsers } from './browsers.ts';
import { buildTools, compilers } from './build-tools.ts';
import { cloudTools, containers } from './containers-and-cloud.ts';
import { databases, servers } from './databases-and-servers.ts';
import { languages } from './languages.ts';
import { packageManagers } from './package-managers.ts';
import type { Tool } from './tool.ts';
import { utilities, versionControl } from './utilities.ts';
import { versionManagers } from './version-managers.ts';

/** Names are unique, and each has its row in the catalogue. */
export const toolTable: readonly Tool[] = [
  ...languages,
  ...packageManagers,
  ...versionManagers,
  ...compilers,
  ...buildTools,
  ...versionControl,
  ...containers,
  ...cloudTools,
  ...databases,
  ...servers,
  ...browsers,
  ...utilities,
];
