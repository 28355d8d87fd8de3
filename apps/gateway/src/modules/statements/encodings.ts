import { FileProblem } from './errors.ts'

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
 * is told. Without its mark. Throws FileProblem for an encoding that is not known, and for bytes that are not of it.
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
    throw new FileProblem(`the file should be in ${given}, ${why}.`)
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
