// Enough of PostgreSQL's protocol to read along what a client asks for.

/** A statement that a client executed, with its parameters as text. */
export interface SeenStatement {
  /** Under which it was prepared; empty for one without. */
  readonly name: string
  readonly text: string
  readonly values: readonly (string | null)[]
}

const STARTUP_HEADER_BYTES = 4
const MESSAGE_HEADER_BYTES = 5
const BINARY_FORMAT = 1

/** Reads the bytes of one client, in order, and calls back for every execution. */
export function createWireReader(onStatement: (statement: SeenStatement) => void): (bytes: Buffer) => void {
  const texts = new Map<string, string>()
  let rest = Buffer.alloc(0)
  let hasStarted = false

  function takeStartup(): boolean {
    if (rest.length < STARTUP_HEADER_BYTES) return false
    const length = rest.readInt32BE(0)
    if (rest.length < length) return false
    rest = rest.subarray(length)
    hasStarted = true
    return true
  }

  function takeMessage(): boolean {
    if (rest.length < MESSAGE_HEADER_BYTES) return false
    const length = rest.readInt32BE(1)
    if (rest.length < 1 + length) return false
    const type = String.fromCharCode(rest[0] ?? 0)
    const fields = createFields(rest.subarray(MESSAGE_HEADER_BYTES, 1 + length))
    rest = rest.subarray(1 + length)
    if (type === 'P') texts.set(fields.text(), fields.text())
    else if (type === 'B') onStatement(readBind(fields, texts))
    else if (type === 'Q') onStatement({ name: '', text: fields.text(), values: [] })
    return true
  }

  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    if (!hasStarted && !takeStartup()) return
    while (takeMessage());
  }
}

function readBind(fields: Fields, texts: ReadonlyMap<string, string>): SeenStatement {
  fields.text() // the portal's name
  const name = fields.text()
  const text = texts.get(name) ?? ''
  const formats = Array.from({ length: fields.int16() }, () => fields.int16())
  const values = Array.from({ length: fields.int16() }, (_, index) => {
    const value = fields.value()
    // The driver sends nothing in binary form but bytes.
    const isBinary = (formats.length === 1 ? formats[0] : formats[index]) === BINARY_FORMAT
    return isBinary && value !== null ? `\\x${value.toString('hex')}` : (value?.toString('utf8') ?? null)
  })
  return { name, text, values }
}

interface Fields {
  text(): string
  int16(): number
  value(): Buffer | null
}

function createFields(bytes: Buffer): Fields {
  let at = 0
  return {
    text() {
      const end = bytes.indexOf(0, at)
      const text = bytes.toString('utf8', at, end)
      at = end + 1
      return text
    },
    int16() {
      at += 2
      return bytes.readInt16BE(at - 2)
    },
    value() {
      const length = bytes.readInt32BE(at)
      at += 4
      if (length < 0) return null
      at += length
      return bytes.subarray(at - length, at)
    },
  }
}
