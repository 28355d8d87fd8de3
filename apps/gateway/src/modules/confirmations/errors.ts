/** An act cannot be carried out as things are now: one sentence. It ends with it. */
export class ActImpossible extends Error {
  override readonly name = 'ActImpossible'
}
