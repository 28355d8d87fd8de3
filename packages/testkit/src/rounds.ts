/**
 * How often a test with chance in it tries: `usual` times, or as often as TOLLGATE_TEST_ROUNDS says.
 * @throws Error when that is no whole number above zero.
 */
export function testRounds(usual: number): number {
  const said = process.env['TOLLGATE_TEST_ROUNDS']
  if (said === undefined) return usual
  if (!/^[1-9]\d{0,8}$/.test(said))
    throw new Error(`TOLLGATE_TEST_ROUNDS is "${said}", which is no number of rounds`)
  return Number(said)
}
