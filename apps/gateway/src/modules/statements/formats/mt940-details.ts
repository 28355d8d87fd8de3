import type { Booking } from './mt940-lines.ts'
import { detailsOf, type PartDetails } from './parsed.ts'
import { realReference, realReferences } from './references.ts'
import { symbolsIn } from './symbols.ts'

type Said = Pick<Booking, 'customerReference' | 'texts'>

/** What the fields `:86:` of a booking say, in whichever of the usual dialects. Each field is its lines. */
export function readMt940Details(fields: readonly (readonly string[])[], said: Said): PartDetails {
  const joined = fields.map((lines) => lines.join(''))
  const [first = ''] = joined
  const marker = /^\s?(?:\d{3})?([?~<>^|])\d{2}/.exec(first)?.[1]
  if (marker === undefined) return detailsWith(readWords(fields), said, [])
  const subfields = splitSubfields(joined.join(''), marker)
  // Czech and Slovak banks give each symbol a sub-field of its own: joined, their labels cannot be told any more.
  return detailsWith(fromSubfields(subfields), said, [...subfields.values()])
}

function detailsWith(read: PartDetails, said: Said, further: readonly string[]): PartDetails {
  const { texts: own = [], references = [] } = read
  const texts = [...own, ...said.texts]
  // The reference in `:61:` is of the transfer: of the bank that sent it, or of who ordered it.
  const ofTransfer = (said.customerReference ?? '').split('\n').filter((reference) => reference !== '')
  return detailsOf({
    ...read,
    ...symbolsIn([...texts, ...references, ...further]),
    references: [...references.filter((reference) => reference !== ''), ...ofTransfer],
    transferReferences: ofTransfer,
    texts,
  })
}

/** The sub-fields of `020?00VIREMENT?20…`, by their numbers. The same number may come twice. */
function splitSubfields(text: string, marker: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const piece of text.split(marker).slice(1)) {
    const [, number, content] = /^(\d{2})([\s\S]*)$/.exec(piece) ?? []
    if (number !== undefined) found.set(number, `${found.get(number) ?? ''}${content ?? ''}`)
    else {
      // The marker stood in the text itself.
      const last = [...found.keys()].at(-1)
      if (last !== undefined) found.set(last, `${found.get(last) ?? ''}${marker}${piece}`)
    }
  }
  return found
}

const PURPOSE = ['20', '21', '22', '23', '24', '25', '26', '27', '28', '29', '60', '61', '62', '63']
const FURTHER = ['64', '65', '70', '71', '72']

function fromSubfields(subfields: ReadonlyMap<string, string>): PartDetails {
  // Each sub-field has 27 characters and is cut where it is full, in the middle of words and of references.
  const purpose = PURPOSE.map((number) => subfields.get(number) ?? '').join('')
  const joinedOf = (...numbers: readonly string[]): string =>
    numbers.map((number) => subfields.get(number) ?? '').join('')
  const keyed = readKeys(purpose)
  const either = (...texts: readonly (string | undefined)[]): string | undefined =>
    texts.find((text) => text !== undefined && text.trim() !== '')
  return detailsOf({
    partyName: either(keyed.get('ABWA'), joinedOf('32', '33').replace(/\s+/g, ' ').trim()),
    partyAccount: either(keyed.get('IBAN'), subfields.get('38'), subfields.get('31'))?.replace(/\s/g, ''),
    partyBank: either(keyed.get('BIC'), subfields.get('30'))?.trim(),
    endToEndId: realReference(keyed.get('EREF')),
    references: realReferences(['KREF', 'MREF'].map((key) => keyed.get(key))),
    texts: [
      either(keyed.get('SVWZ'), keyed.get('')),
      keyed.get('MTLG'),
      subfields.get('00'),
      ...FURTHER.map((number) => subfields.get(number)),
    ].flatMap((text) => either(text) ?? []),
  })
}

const KEY = /(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|COAM|OAMT|IBAN|BIC|PURP)\+|(MTLG):/g

/** `EREF+…SVWZ+…` of German banks; what stands before the first key, or everything, is under the empty name. */
function readKeys(purpose: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let key = ''
  let from = 0
  for (const match of purpose.matchAll(KEY)) {
    add(found, key, purpose.slice(from, match.index))
    key = match[1] ?? match[2] ?? ''
    from = match.index + match[0].length
  }
  add(found, key, purpose.slice(from))
  return found
}

function add(found: Map<string, string>, key: string, text: string): void {
  const trimmed = text.trim()
  if (trimmed !== '' && !found.has(key)) found.set(key, trimmed)
}

const SLASHED =
  /\/(EREF|MARF|CSID|NAME|IBAN|BIC|REMI|CNTP|ORDP|BENM|PURP|RTRN|TRTP|ULTD|ULTB|ISDT|TRCD|SVCL|PREF|NRTX|OCMT|CHGS|EXCH|ACCW|IACC)\//g

/** Plain words, or `/EREF/…/NAME/…/REMI/…/` of Dutch, Belgian and other banks. */
function readWords(fields: readonly (readonly string[])[]): PartDetails {
  const whole = fields.map((lines) => lines.join('')).join('')
  const found = new Map<string, string>()
  const marks = [...whole.matchAll(SLASHED)]
  for (const [index, match] of marks.entries()) {
    const until = marks[index + 1]?.index ?? whole.length
    add(found, match[1] ?? '', withoutSlashes(whole.slice(match.index + match[0].length, until)))
  }
  if (['REMI', 'EREF', 'CNTP'].some((key) => found.has(key))) return fromSlashes(found)
  return detailsOf({ texts: fields.map((each) => each.join(' ').trim()).filter((text) => text !== '') })
}

/** Without those at its ends. */
function withoutSlashes(text: string): string {
  let from = 0
  let until = text.length
  while (from < until && text[from] === '/') from += 1
  while (until > from && text[until - 1] === '/') until -= 1
  return text.slice(from, until)
}

function fromSlashes(found: ReadonlyMap<string, string>): PartDetails {
  const [account, bank, name] = found.get('CNTP')?.split('/') ?? []
  const purpose = found.get('REMI')?.replace(/^(?:USTD|STRD\/[A-Z]*)\/+/, '')
  return detailsOf({
    partyName: found.get('NAME') ?? name,
    partyAccount: (found.get('IBAN') ?? account)?.replace(/\s/g, ''),
    partyBank: found.get('BIC') ?? bank,
    endToEndId: realReference(found.get('EREF')),
    references: realReferences(['MARF', 'PREF'].map((key) => found.get(key))),
    texts: [purpose, found.get('RTRN')].flatMap((text) => (text === undefined || text === '' ? [] : [text])),
  })
}
