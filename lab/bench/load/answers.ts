/** Finds the ends of answers in the bytes of one connection, and their statuses; nothing else of an answer is looked at. */
interface AnswerReader {
  /** Takes bytes that came; calls back at the end of each answer. `bytes` may be used again afterwards. */
  read(bytes: Buffer, length: number): void
}

const HEAD_END = Buffer.from('\r\n\r\n')
/** Of Content-Length in any spelling. */
const LENGTH_NAME = Buffer.from('ength: ')
const HEAD_BYTES_MAX = 16_384
const STATUS_AT = 9

interface AnswerHandler {
  /** `body` is given only when the whole answer came in one piece, and only for who wants to look at it. */
  onAnswer(status: number, body: () => string): void
}

/** One request is in flight on a connection, so an answer ends where its bytes end. */
export function createAnswerReader({ onAnswer }: AnswerHandler): AnswerReader {
  let bodyLeft = 0
  let status = 0
  let head: Buffer | undefined

  function begin(bytes: Buffer, length: number): void {
    const headEnd = bytes.indexOf(HEAD_END)
    if (headEnd < 0 || headEnd >= length) {
      keepHead(bytes, length)
      return
    }
    status = digitsAt(bytes, STATUS_AT)
    const bodyAt = headEnd + HEAD_END.length
    bodyLeft = bodyLengthOf(bytes, headEnd) - (length - bodyAt)
    if (bodyLeft < 0) throw new Error('more bytes came than the answer has')
    if (bodyLeft === 0) onAnswer(status, () => bytes.toString('utf8', bodyAt, length))
  }

  function keepHead(bytes: Buffer, length: number): void {
    if (length > HEAD_BYTES_MAX) throw new Error('the head of the answer is too long')
    head = Buffer.from(bytes.subarray(0, length))
  }

  return {
    read(bytes, length) {
      if (bodyLeft > 0) {
        bodyLeft -= length
        if (bodyLeft < 0) throw new Error('more bytes came than the answer has')
        if (bodyLeft === 0) onAnswer(status, () => '')
        return
      }
      if (head === undefined) {
        begin(bytes, length)
        return
      }
      const whole = Buffer.concat([head, bytes.subarray(0, length)])
      head = undefined
      begin(whole, whole.length)
    },
  }
}

function bodyLengthOf(bytes: Buffer, headEnd: number): number {
  const at = bytes.indexOf(LENGTH_NAME)
  if (at < 0 || at > headEnd) throw new Error('the answer does not say how long it is')
  return digitsAt(bytes, at + LENGTH_NAME.length)
}

const ZERO = 48
const NINE = 57

function digitsAt(bytes: Buffer, start: number): number {
  let value = 0
  for (let at = start; ; at += 1) {
    const digit = bytes[at] ?? 0
    if (digit < ZERO || digit > NINE) return value
    value = value * 10 + (digit - ZERO)
  }
}
