import type { Secrets } from '../../../platform/secrets.ts'
import { detailsOf, type PartDetails } from '../formats/parsed.ts'

/** What sealed details are bound to: they open on no other line. */
interface SealPlace {
  readonly accountCode: string
  readonly fingerprint: Buffer
  readonly occurrence: number
  readonly part: number
}

const contextOf = ({ accountCode, fingerprint, occurrence, part }: SealPlace): string =>
  `statement line ${accountCode} ${fingerprint.toString('hex')} ${occurrence} ${part}`

/** Encrypts what names persons and purposes, under a key of its own. `details` is the JSON of PartDetails. */
export function sealDetails(
  secrets: Secrets,
  place: SealPlace,
  details: string,
): { readonly dataKey: Buffer; readonly sealed: Buffer } {
  return secrets.sealApart(contextOf(place), Buffer.from(details))
}

/** Opens them again; nothing where they were erased. Throws when they were altered or belong to another line. */
export function openDetails(
  secrets: Secrets,
  line: SealPlace & { readonly dataKey: Buffer; readonly sealed: Buffer },
): PartDetails {
  if (line.sealed.length === 0) return {}
  const clear = secrets.openApart(contextOf(line), line.dataKey, line.sealed)
  const parsed: unknown = JSON.parse(clear.toString('utf8'))
  const members = new Map(Object.entries(typeof parsed === 'object' && parsed !== null ? parsed : {}))
  const textOf = (name: keyof PartDetails): string | undefined => {
    const value: unknown = members.get(name)
    return typeof value === 'string' ? value : undefined
  }
  const textsOf = (name: keyof PartDetails): readonly string[] => {
    const value: unknown = members.get(name)
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
  }
  return detailsOf({
    partyName: textOf('partyName'),
    partyAccount: textOf('partyAccount'),
    partyBank: textOf('partyBank'),
    endToEndId: textOf('endToEndId'),
    references: textsOf('references'),
    transferReferences: textsOf('transferReferences'),
    structuredReferences: textsOf('structuredReferences'),
    variableSymbol: textOf('variableSymbol'),
    specificSymbol: textOf('specificSymbol'),
    constantSymbol: textOf('constantSymbol'),
    texts: textsOf('texts'),
  })
}
