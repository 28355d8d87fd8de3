/** What a shop did wrong in a case. */
export class Fault extends Error {
  override readonly name = 'Fault'
  /** What the shop did, as the beginning of a sentence: `the shop says SUCCESS`. */
  readonly seen: string
  /** What a correct shop does, as its end: `status REVERSED`. */
  readonly expected: string
  /** What to do, as a sentence; undefined where the case says it. */
  readonly fix: string | undefined
  /** The shop did not answer at all: every further case would wait as long. */
  readonly isSilence: boolean

  constructor(
    seen: string,
    expected: string,
    more: { readonly fix?: string; readonly isSilence?: boolean } = {},
  ) {
    super(`${seen}; expected: ${expected}`)
    this.seen = seen
    this.expected = expected
    this.fix = more.fix
    this.isSilence = more.isSilence ?? false
  }
}
