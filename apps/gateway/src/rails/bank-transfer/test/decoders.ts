import assert from 'node:assert/strict'

// Readers of payment codes, each written from the definition of its format and from nothing of ours.

/** ISO 7064 mod 97-10, by arithmetic on the whole number. */
export function isMod97(text: string): boolean {
  const turned = text.slice(4) + text.slice(0, 4)
  const digits = Array.from(turned, (each) => Number.parseInt(each, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

/** EPC069-12: lines in a fixed order. */
export function readEpc(content: string): Record<string, string | undefined> {
  const lines = content.split('\n')
  assert.deepEqual(lines.slice(0, 4), ['BCD', '002', '1', 'SCT'])
  assert.ok(lines.length <= 12 && Buffer.byteLength(content) <= 331)
  const [bic, name, iban, money = '', purpose, reference, text] = lines.slice(4)
  const [, currency, amount] = /^([A-Z]{3})(\d+(?:\.\d{1,2})?)$/.exec(money) ?? []
  assert.ok(isMod97(iban ?? ''), 'the IBAN of the code')
  return { bic, name, iban, currency, amount, purpose, reference, text }
}

/** Short Payment Descriptor: `SPD*1.0*KEY:VALUE*…`, values percent-encoded. */
export function readSpayd(content: string): ReadonlyMap<string, string> {
  const [head, version, ...members] = content.split('*')
  assert.deepEqual([head, version], ['SPD', '1.0'])
  return new Map(
    members.map((member) => {
      const colon = member.indexOf(':')
      assert.ok(colon > 0, member)
      return [member.slice(0, colon), decodeURIComponent(member.slice(colon + 1))]
    }),
  )
}

/** Swiss QR code 2.0: lines in a fixed order, 31 of them at least. */
export function readSwiss(content: string): Record<string, string | undefined> {
  const lines = content.split('\n')
  assert.deepEqual(lines.slice(0, 3), ['SPC', '0200', '1'])
  assert.equal(lines[30], 'EPD')
  const [iban, addressType, name, street, number, postalCode, town, country] = lines.slice(3, 11)
  assert.equal(addressType, 'S')
  assert.ok(
    lines.slice(11, 18).every((line) => line === ''),
    'the ultimate creditor is for the future',
  )
  const [amount, currency] = lines.slice(18, 20)
  const [referenceType, reference, message] = lines.slice(27, 30)
  return {
    iban,
    name,
    street,
    number,
    postalCode,
    town,
    country,
    amount,
    currency,
    referenceType,
    reference,
    message,
  }
}

/** EMV merchant-presented mode: two digits of identifier, two of length, the value. */
export function readEmv(content: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>()
  let rest = content
  while (rest !== '') {
    const [, id = '', length = ''] = /^(\d\d)(\d\d)/.exec(rest) ?? assert.fail(`no member at ${rest}`)
    members.set(id, rest.slice(4, 4 + Number(length)))
    rest = rest.slice(4 + Number(length))
  }
  return members
}

/** CRC-16 with polynomial 1021 and start FFFF, bit by bit over a string of bits. */
export function crcOf(text: string): string {
  let register = 0xffff
  const bits = Array.from(Buffer.from(text), (byte) => byte.toString(2).padStart(8, '0')).join('')
  for (const bit of bits) {
    const top = register >= 0x8000 !== (bit === '1')
    register = (register * 2) % 0x10000
    if (top) register ^= 0x1021
  }
  return register.toString(16).toUpperCase().padStart(4, '0')
}
