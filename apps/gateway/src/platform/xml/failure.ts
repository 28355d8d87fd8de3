/** A document that cannot be read. The message is one sentence about it. */
export class XmlProblem extends Error {
  override readonly name = 'XmlProblem'
}
