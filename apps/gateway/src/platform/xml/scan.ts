import { XmlProblem } from './failure.ts'

/** The bounds of a document: they keep a hostile one as cheap as an honest one of its size. */
export interface XmlLimits {
  /** Levels of elements within each other. */
  readonly depthMax: number
  readonly elementsMax: number
  /** Of all elements together. */
  readonly attributesMax: number
  readonly attributesPerElementMax: number
  /** Of one text or one value of an attribute, in characters as they are written. */
  readonly textCharactersMax: number
}

/** Far beyond any message of a bank: 20,000 bookings in full have about a million elements. */
export const XML_LIMITS: XmlLimits = {
  depthMax: 40,
  elementsMax: 2_000_000,
  attributesMax: 1_000_000,
  attributesPerElementMax: 64,
  textCharactersMax: 1_048_576,
}

/** What is found in a document, in its order. Texts and values are as they are written, with their entities. */
export interface XmlEvents {
  open(name: string, attributes: readonly XmlAttribute[]): void
  text(written: string, isLiteral: boolean): void
  close(): void
}

export interface XmlAttribute {
  readonly name: string
  readonly value: string
}

const DOCTYPE = /<!(?:DOCTYPE|ENTITY)/i
// What no XML may have, however it is written.
const FORBIDDEN = /(?![\t\n\r\x7f-\x9f])\p{Cc}|[\ufffe\uffff]/u
const NAME = /[A-Za-z_:\u0080-\uffff][\w:.\u00b7\u0080-\uffff-]*/y
const ATTRIBUTE = /\s+([A-Za-z_:\u0080-\uffff][\w:.\u00b7\u0080-\uffff-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const TAG_END = /\s*(\/?)>/y
const CLOSE_END = /\s*>/y
const BLANK = /^\s*$/
const BARE_AMPERSAND = /&(?!#x[0-9A-Fa-f]+;|#\d+;|[A-Za-z_][\w.-]*;)/

/** Reads a document once from its beginning to its end, in time that grows with its length only. Throws XmlProblem. */
export function scanXml(text: string, events: XmlEvents, limits: XmlLimits): void {
  refuseAt(text, DOCTYPE, ([found = '']) => ['DOCUMENT_TYPE', found])
  refuseAt(text, FORBIDDEN, () => ['MALFORMED', 'a control character is not expected.'])
  new Scanner(text, events, limits).run()
}

function refuseAt(
  text: string,
  pattern: RegExp,
  told: (found: RegExpExecArray) => readonly ['DOCUMENT_TYPE' | 'MALFORMED', string],
): void {
  const found = pattern.exec(text)
  if (found !== null) throw new XmlProblem(...told(found), lineAt(text, found.index))
}

const lineAt = (text: string, index: number): string => {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1
  return `line ${line}`
}

class Scanner {
  private readonly text: string
  private readonly events: XmlEvents
  private readonly limits: XmlLimits
  private at = 0
  private elements = 0
  private attributes = 0
  private roots = 0
  private readonly open: string[] = []

  constructor(text: string, events: XmlEvents, limits: XmlLimits) {
    this.text = text
    this.events = events
    this.limits = limits
  }

  run(): void {
    while (this.at < this.text.length) {
      const next = this.text.indexOf('<', this.at)
      this.takeText(next === -1 ? this.text.length : next)
      if (next !== -1) this.takeMarkup()
    }
    const unclosed = this.open.at(-1)
    if (unclosed !== undefined) this.fail(`the document ends within <${unclosed}>.`)
    if (this.roots === 0) this.fail('Start tag expected.')
    if (this.roots > 1) throw new XmlProblem('ROOTS', String(this.roots))
  }

  private takeText(until: number): void {
    if (until === this.at) return
    const written = this.text.slice(this.at, until)
    if (!BLANK.test(written)) {
      if (this.open.length === 0)
        this.fail(this.roots === 0 ? 'Start tag expected.' : 'text is not expected here.')
      if (written.length > this.limits.textCharactersMax) this.tooMuch(this.longText())
      this.refuseBareAmpersand(written, this.at)
      if (written.includes(']]>')) this.fail("']]>' is not expected.")
      this.events.text(written, false)
    }
    this.at = until
  }

  private longText(): string {
    return `a text of more than ${this.limits.textCharactersMax} characters`
  }

  private refuseBareAmpersand(written: string, from: number): void {
    const found = BARE_AMPERSAND.exec(written)
    if (found === null) return
    this.at = from + found.index
    this.fail("char '&' is not expected.")
  }

  private takeMarkup(): void {
    const { text, at } = this
    if (text.startsWith('<!--', at)) this.skipComment()
    else if (text.startsWith('<![CDATA[', at)) this.takeLiteral()
    else if (text.startsWith('<?', at)) this.skipTo('?>', 2, 'a processing instruction')
    else if (text.startsWith('</', at)) this.takeClose()
    else this.takeOpen()
  }

  /** Answers where the end stands. */
  private skipTo(end: string, headLength: number, what: string): number {
    const found = this.text.indexOf(end, this.at + headLength)
    if (found === -1) this.fail(`${what} does not end.`)
    this.at = found + end.length
    return found
  }

  private skipComment(): void {
    const from = this.at + 4
    const end = this.skipTo('--', 4, 'a comment')
    if (this.text[this.at] !== '>') {
      this.at = from
      this.fail("'--' is not expected in a comment.")
    }
    this.at = end + 3
  }

  private takeLiteral(): void {
    const from = this.at + 9
    if (this.open.length === 0) this.fail('text is not expected here.')
    const end = this.skipTo(']]>', 9, 'a CDATA section')
    if (end - from > this.limits.textCharactersMax) this.tooMuch(this.longText())
    this.events.text(this.text.slice(from, end), true)
  }

  private takeOpen(): void {
    this.at += 1
    const name = this.takeName()
    if (this.open.length === 0) this.roots += 1
    this.elements += 1
    if (this.elements > this.limits.elementsMax) this.tooMuch(`more than ${this.limits.elementsMax} elements`)
    if (this.open.length >= this.limits.depthMax)
      this.tooMuch(`elements that are nested more than ${this.limits.depthMax} deep`)
    const attributes = this.takeAttributes(name)
    const end = this.takeEnd(TAG_END)
    if (end === undefined) this.fail(`the tag <${name}> is not right: an attribute, or its end, is expected.`)
    this.events.open(name, attributes)
    if (end === '/') this.events.close()
    else this.open.push(name)
  }

  private takeAttributes(element: string): readonly XmlAttribute[] {
    const found: XmlAttribute[] = []
    for (;;) {
      ATTRIBUTE.lastIndex = this.at
      const [whole, name, double, single] = ATTRIBUTE.exec(this.text) ?? []
      if (whole === undefined || name === undefined) break
      const value = double ?? single ?? ''
      if (found.some((other) => other.name === name))
        this.fail(`<${element}> has the attribute ${name} twice.`)
      found.push({ name, value })
      this.checkAttribute(value, found.length)
      this.refuseBareAmpersand(value, this.at + whole.length - value.length - 1)
      this.at += whole.length
    }
    return found
  }

  private checkAttribute(value: string, count: number): void {
    const { textCharactersMax, attributesPerElementMax, attributesMax } = this.limits
    this.attributes += 1
    if (value.length > textCharactersMax) this.tooMuch(this.longText())
    if (count > attributesPerElementMax)
      this.tooMuch(`an element with more than ${attributesPerElementMax} attributes`)
    if (this.attributes > attributesMax) this.tooMuch(`more than ${attributesMax} attributes`)
  }

  private takeClose(): void {
    this.at += 2
    const name = this.takeName()
    const expected = this.open.pop()
    if (expected !== name)
      this.fail(
        expected === undefined
          ? `</${name}> closes nothing.`
          : `</${name}> stands where </${expected}> is expected.`,
      )
    if (this.takeEnd(CLOSE_END) === undefined) this.fail(`</${name}> does not end.`)
    this.events.close()
  }

  private takeName(): string {
    NAME.lastIndex = this.at
    const [name] = NAME.exec(this.text) ?? []
    if (name === undefined) return this.fail("char '<' is not expected.")
    if (name.length > NAME_CHARACTERS_MAX)
      this.tooMuch(`a name of more than ${NAME_CHARACTERS_MAX} characters`)
    this.at += name.length
    return name
  }

  private takeEnd(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found === null) return undefined
    this.at += found[0].length
    return found[1] ?? ''
  }

  private fail(said: string): never {
    throw new XmlProblem('MALFORMED', said, lineAt(this.text, this.at))
  }

  private tooMuch(what: string): never {
    throw new XmlProblem('TOO_MUCH', what, lineAt(this.text, this.at))
  }
}

const NAME_CHARACTERS_MAX = 256
