import { type Html, html } from '@tollgate/runtime/html'
import encodeQR from 'qr'

/** Light modules around the code; readers need four. */
const QUIET_MODULES = 4
/** How a Swiss QR bill begins. */
const SWISS_BILL = 'SPC\n'
/** Of the code of a bill without its margin, and of the cross in its middle (Swiss Implementation Guidelines QR-bill). */
const SWISS_CODE_MM = 46
const SWISS_CROSS_MM = 7
/** The side of the drawing of the cross. */
const CROSS_SIDE = 19.8

/** What a code of the highest version holds at medium correction. */
export const QR_BYTES_MAX = 2331

/**
 * Draws a QR code as an image of its own with a name for those who do not see it; always dark on white. Undefined for a
 * content that is too long for any code.
 */
export function drawQr(content: string, label: string): Html | undefined {
  if (content === '' || Buffer.byteLength(content) > QR_BYTES_MAX) return undefined
  const modules = encodeQR(content, 'raw', { ecc: 'medium', border: QUIET_MODULES })
  const size = modules.length
  return html`<svg class="qr__code" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${pathOf(modules)}"/>${content.startsWith(SWISS_BILL) && swissCross(size)}</svg>`
}

/** Without the cross, a code is no Swiss QR bill. Medium correction reads what it covers. */
function swissCross(size: number): Html {
  const side = ((size - 2 * QUIET_MODULES) * SWISS_CROSS_MM) / SWISS_CODE_MM
  const from = ((size - side) / 2).toFixed(3)
  const scale = (side / CROSS_SIDE).toFixed(5)
  return html`<g transform="translate(${from} ${from}) scale(${scale})" shape-rendering="geometricPrecision"><path fill="#fff" d="M0 0h19.8v19.8H0z"/><path fill="#000" d="M.7.7h18.4v18.4H.7z"/><path fill="#fff" d="M8.3 4h3.3v11H8.3zM4.4 7.9h11v3.3h-11z"/></g>`
}

/** An image of its own; black on white. For a screen, so that little of it can be lost: the code is as coarse as can be. */
export function qrImage(content: string): string | undefined {
  if (Buffer.byteLength(content) > QR_BYTES_MAX) return undefined
  const modules = encodeQR(content, 'raw', { ecc: 'low', border: QUIET_MODULES })
  const size = modules.length
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${pathOf(modules)}"/></svg>`
}

/** One stroke for each run of dark modules in a row. */
function pathOf(modules: readonly (readonly boolean[])[]): string {
  let path = ''
  for (const [y, row] of modules.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      if (row[x] !== true) continue
      const end = row.indexOf(false, x)
      const length = (end === -1 ? row.length : end) - x
      path += `M${x} ${y}h${length}v1h-${length}z`
      x += length
    }
  }
  return path
}
