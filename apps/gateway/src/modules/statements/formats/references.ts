/**
 * What banks and payers write where they have no reference. ISO 20022 asks for NOTPROVIDED, MT940 for NONREF; the others
 * are seen in files. None of them names anything.
 */
const PLACEHOLDER_REFERENCES: ReadonlySet<string> = new Set([
  'NONREF',
  'NOREF',
  'NOREFERENCE',
  'NOTPROVIDED',
  'NOTPROV',
  'NOTPROVIDE',
  'NOTPROVIDEDBYCLIENT',
  'NOTAVAILABLE',
  'NOTSPECIFIED',
  'NOTGIVEN',
  'NOTKNOWN',
  'NOTAPPLICABLE',
  'NONE',
  'NULL',
  'NIL',
  'NA',
  'UNKNOWN',
  'UNDEFINED',
])

/** Whether a reference names nothing: it is one of these in whatever spelling, or has nothing but zeros and signs. */
export function isPlaceholderReference(text: string): boolean {
  const compact = text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
  return PLACEHOLDER_REFERENCES.has(compact) || /^0*$/.test(compact)
}

/** A reference that names something: undefined for what banks write where they have none. */
export function realReference(text: string | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === undefined || isPlaceholderReference(trimmed) ? undefined : trimmed
}

/** Those among the texts that name something. */
export function realReferences(texts: readonly (string | undefined)[]): readonly string[] {
  return texts.flatMap((text) => realReference(text) ?? [])
}
