import { crc32, deflateSync } from 'node:zlib'

/** A picture that could be a logo. */
export function pngOf(width: number, height: number): Buffer {
  const chunk = (tag: string, content: Buffer): Buffer => {
    const inner = Buffer.concat([Buffer.from(tag, 'latin1'), content])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(content.length)
    sum.writeUInt32BE(crc32(inner))
    return Buffer.concat([length, inner, sum])
  }
  const head = Buffer.from([0, 0, 0, width, 0, 0, 0, height, 8, 0, 0, 0, 0])
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height, 0x80))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
