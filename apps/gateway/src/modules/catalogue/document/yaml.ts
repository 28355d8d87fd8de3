import { stringify } from 'yaml'

/** A catalogue document as people read it. */
export const catalogueYaml = (document: object): string =>
  // Aliases are not taken by `apply`; short items stay on one line.
  stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }).trimEnd()
