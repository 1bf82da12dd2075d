// Every tool that a capture looks for.

import { browsers } from './browsers.ts';
import { buildTools, compilers } from './build-tools.ts';
import { cloudTools, containers } from './containers-and-cloud.ts';
import { databases, servers } from './databases-and-servers.ts';
import { languages } from './languages.ts';
import { packageManagers } from './package-managers.ts';
import type { ToolGroup } from './tool.ts';
import { utilities, versionControl } from './utilities.ts';
import { versionManagers } from './version-managers.ts';

/** Names are unique over all groups. */
export const toolGroups: readonly ToolGroup[] = [
  languages,
  packageManagers,
  versionManagers,
  compilers,
  buildTools,
  versionControl,
  containers,
  cloudTools,
  databases,
  servers,
  browsers,
  utilities,
];
