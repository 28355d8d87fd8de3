/** An encoding that is not known, or bytes that are not of the encoding that was named. The message begins in lower case. */
export class EncodingProblem extends Error {
  override readonly name = 'EncodingProblem'
}

/** The upper halves of code pages of DOS, which some banks' programs still write and TextDecoder does not know. */
const CODE_PAGES: ReadonlyMap<string, string> = new Map([
  [
    'cp850',
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´­±‗¾¶§÷¸°¨·¹³²■ ',
  ],
  [
    'cp852',
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´­˝˛ˇ˘§÷¸°¨˙űŘř■ ',
  ],
])

/** Names that people give to encodings, besides those of the Encoding Standard. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['ibm850', 'cp850'],
  ['dos-850', 'cp850'],
  ['850', 'cp850'],
  ['ibm852', 'cp852'],
  ['dos-852', 'cp852'],
  ['852', 'cp852'],
  ['1250', 'windows-1250'],
  ['1251', 'windows-1251'],
  ['1252', 'windows-1252'],
])

const EXAMPLES = 'utf-8, windows-1250, windows-1251, windows-1252, iso-8859-2, cp850, cp852'

/**
 * The text in the encoding; without one in UTF-8 if it is that, else in the Latin letters of Windows, which is a guess that
 * is told. Without its mark. Throws EncodingProblem for an encoding that is not known, and for bytes that are not of it.
 */
export function decodeText(bytes: Uint8Array, encoding?: string, onGuess?: () => void): string {
  if (encoding !== undefined) return decodeAs(bytes, encoding)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    onGuess?.()
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** By the mark at the beginning. */
export function encodingByMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

/** The encoding that an XML document names in its first line. `start` is its beginning, its bytes read as Latin letters. */
export function declaredEncoding(start: string): string | undefined {
  return /^<\?xml[^>]*\sencoding=["']([A-Za-z0-9._-]{1,40})["']/.exec(start)?.[1]
}

const DECLARATION_BYTES_MAX = 1_024

/**
 * The text of an XML document: by its mark, or in the encoding that its first line names, or in UTF-8, as XML has it. Nothing is
 * guessed. Throws EncodingProblem.
 */
export function decodeXml(bytes: Uint8Array): string {
  const marked = encodingByMark(bytes)
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES_MAX)).trimStart()
  return decodeText(bytes, marked ?? declaredEncoding(start) ?? 'UTF-8')
}

function decodeAs(bytes: Uint8Array, given: string): string {
  const label = given.trim().toLowerCase()
  const name = ALIASES.get(label) ?? label
  const page = CODE_PAGES.get(name)
  if (page !== undefined) return decodePage(bytes, page)
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes)
  } catch (error) {
    const why =
      error instanceof RangeError ? `which is not known. Known are ${EXAMPLES} and others` : 'but it is not'
    throw new EncodingProblem(`the file should be in ${given}, ${why}.`)
  }
}

const ASCII_CODES = 128
const BYTES_AT_ONCE = 8_192

function decodePage(bytes: Uint8Array, page: string): string {
  const pieces: string[] = []
  for (let from = 0; from < bytes.length; from += BYTES_AT_ONCE) {
    let piece = ''
    for (const byte of bytes.subarray(from, from + BYTES_AT_ONCE))
      piece += byte < ASCII_CODES ? String.fromCharCode(byte) : page.charAt(byte - ASCII_CODES)
    pieces.push(piece)
  }
  return pieces.join('')
}
