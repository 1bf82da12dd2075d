// The names of the export formats; apart, so that a command line is parsed without loading the renderers.

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
