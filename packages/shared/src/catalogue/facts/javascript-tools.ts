// Facts about the configuration of npm, pnpm, Yarn and Bun, as their files set it. Never a credential.

import { factTable } from './fact.ts';
import { addresses, addressSetting, from, settingsOf } from './tool-setting.ts';

const npm = (name: string) => settingsOf('npm', ['npm'])(name, `npm_config_${name.replaceAll('-', '_')}`);
/** Settings that no variable, or none of one name, can give. */
const npmOnly = settingsOf('npm', ['npm']);
const yarn = settingsOf('yarn', ['npm']);
const ownReader = 'npmrc files: of the folder, the user and the installation';

export const javascriptToolFacts = factTable({
  'npm.registry': {
    ...addressSetting('npm', ['npm'])('registry', 'npm_config_registry'),
    what: 'Where npm, pnpm and others download packages from.',
    unset: 'registry.npmjs.org',
    family: 'npm registry',
  },
  'npm.scopedRegistries': {
    ...from(ownReader, ['npm']),
    what: 'Scopes whose packages come from a registry of their own.',
    kind: 'set',
    unset: 'none',
    weight: 'likely',
    reveals: 'Scopes with host and path of their registries, never a user, password or token.',
    namesHosts: true,
    family: 'npm registry',
  },
  'npm.engineStrict': {
    ...npm('engine-strict'),
    what: 'Whether an installation fails when a package asks for another Node.js.',
    kind: 'flag',
    unset: 'false',
    weight: 'likely',
  },
  'npm.ignoreScripts': {
    ...npm('ignore-scripts'),
    what: 'Whether packages’ installation scripts are left out, so that native parts are missing.',
    kind: 'flag',
    unset: 'false',
    weight: 'likely',
  },
  'npm.legacyPeerDeps': {
    ...npm('legacy-peer-deps'),
    what: 'Whether conflicts of peer dependencies are passed over.',
    kind: 'flag',
    unset: 'false',
    weight: 'likely',
  },
  'npm.strictSsl': {
    ...npm('strict-ssl'),
    what: 'Whether the registry’s certificate is checked.',
    kind: 'flag',
    unset: 'true',
    weight: 'possible',
  },
  'npm.omit': {
    ...from(ownReader, ['npm'], 'npm_config_omit'),
    what: 'Which kinds of dependencies an installation leaves out.',
    kind: 'set',
    unset: 'none',
    weight: 'likely',
  },
  'npm.before': {
    ...npmOnly('before min-release-age minimum-release-age'),
    what: 'Whether young versions are passed over (before, min-release-age, minimum-release-age).',
    unset: 'not set',
    weight: 'possible',
  },
  'npm.nodeOptions': {
    ...npm('node-options'),
    what: 'Options of Node.js for every script that npm runs.',
    counts: { when: 'not sizes alone' },
    freeText: true,
    unset: 'none',
    weight: 'likely',
  },
  'npm.scriptShell': {
    ...from(ownReader, ['npm']),
    what: 'The shell that runs scripts of package.json, by its name.',
    unset: 'sh',
    weight: 'possible',
  },
  'npm.installStrategy': {
    ...npm('install-strategy'),
    what: 'How npm lays packages out in node_modules.',
    unset: 'hoisted',
    weight: 'possible',
  },
  'pnpm.nodeLinker': {
    ...npm('node-linker'),
    what: 'How pnpm lays packages out: isolated, hoisted or pnp.',
    unset: 'isolated',
    weight: 'likely',
  },
  'pnpm.hoisting': {
    ...npmOnly('shamefully-hoist hoist hoist-pattern public-hoist-pattern'),
    what: 'Which packages pnpm lifts to where undeclared imports find them.',
    kind: 'set',
    unset: 'default',
    weight: 'possible',
  },
  'pnpm.strictPeerDependencies': {
    ...npm('strict-peer-dependencies'),
    what: 'Whether pnpm fails where peer dependencies conflict.',
    kind: 'flag',
    unset: 'false',
    weight: 'possible',
  },
  'yarn.registry': {
    ...addressSetting('yarn', ['npm'])('npmRegistryServer registry', 'YARN_NPM_REGISTRY_SERVER'),
    what: 'Where Yarn downloads packages from.',
    unset: 'registry.yarnpkg.com',
    family: 'npm registry',
  },
  'yarn.nodeLinker': {
    ...yarn('nodeLinker', 'YARN_NODE_LINKER'),
    what: 'How Yarn lays packages out: pnp, pnpm or node-modules.',
    unset: 'default',
    weight: 'likely',
  },
  'yarn.enableScripts': {
    ...yarn('enableScripts', 'YARN_ENABLE_SCRIPTS'),
    what: 'Whether packages’ installation scripts run.',
    kind: 'flag',
    unset: 'default',
    weight: 'possible',
  },
  'bun.registry': {
    ...from('bunfig.toml of the folder and of the home folder', ['npm']),
    what: 'Where Bun downloads packages from.',
    unset: 'registry.npmjs.org',
    weight: 'likely',
    ...addresses,
    family: 'npm registry',
  },
  'npm.prefix': {
    ...npm('prefix'),
    what: 'Where npm keeps packages that are installed for every project.',
    unset: 'that of Node.js',
    counts: { when: 'asked for' },
    weight: 'possible',
    reveals: 'The folder, the home folder written “~”.',
  },
});
