import encodeQR from 'qr'
import { type Html, html } from './html.ts'

/** Light modules around the code; readers need four. */
const QUIET_MODULES = 4
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
  return html`<svg class="qr__code" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${pathOf(modules)}"/></svg>`
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
