// The names of the export formats, in a separate file so that parsing a command line does not load the renderers.

export const exportFormats = [
  'dotenv',
  'shell',
  'powershell',
  'mise',
  'tool-versions',
  'nvmrc',
  'devcontainer',
  'dockerfile',
  'cyclonedx',
  'json',
] as const;
export type ExportFormat = (typeof exportFormats)[number];
