/** A file or folder in an archive. */
export interface TarEntry {
  /** With `/` between its parts, and neither `./` before nor, of a folder, `/` behind it. */
  readonly name: string
  readonly isFolder: boolean
  /** The permission bits. */
  readonly mode: number
  /** The bytes of a file, to be read before the next entry is asked for; none of a folder. */
  readonly content: AsyncIterable<Buffer>
}

/** An archive that ends in the middle, or has something in it that PostgreSQL does not put there. */
export class TarBroken extends Error {
  override readonly name = 'TarBroken'
}

const BLOCK = 512
const CHECKSUM = { from: 148, to: 156 }
const BLANK = ' '.charCodeAt(0)

/** Reads an archive in the ustar format, entry by entry. Only files and folders are known. Throws TarBroken. */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const source = createSource(chunks)
  for (;;) {
    const header = await source.exactly(BLOCK)
    // Two blocks of zeroes are the end.
    if (header.every((byte) => byte === 0)) return
    const { size, ...entry } = parseHeader(header)
    const content = source.upTo(size)
    yield { ...entry, content }
    for await (const _skipped of content);
    await source.exactly((BLOCK - (size % BLOCK)) % BLOCK)
  }
}

function parseHeader(header: Buffer): Omit<TarEntry, 'content'> & { readonly size: number } {
  const sum = header.reduce(
    (total, byte, at) => total + (at >= CHECKSUM.from && at < CHECKSUM.to ? BLANK : byte),
    0,
  )
  if (sum !== numberIn(header.subarray(CHECKSUM.from, CHECKSUM.to)))
    throw new TarBroken('a header of the archive is damaged')
  const type = textIn(header.subarray(156, 157))
  const path = textIn(header.subarray(0, 100))
  if (type !== '0' && type !== '5')
    throw new TarBroken(`${path} in the archive is neither a file nor a folder`)
  return {
    name: path.replace(/^\.\//, '').replace(/\/$/, ''),
    isFolder: type === '5',
    mode: numberIn(header.subarray(100, 108)) & 0o777,
    size: type === '5' ? 0 : numberIn(header.subarray(124, 136)),
  }
}

const textIn = (field: Buffer): string => field.toString('utf8').split('\0', 1)[0] ?? ''

/** An octal number in ASCII, or a binary one behind a first byte of 0x80, which is how large files are written. */
function numberIn(field: Buffer): number {
  if (field[0] === 0x80) return field.readUIntBE(field.length - 6, 6)
  const text = textIn(field).trim()
  if (!/^[0-7]+$/.test(text)) throw new TarBroken('a header of the archive is damaged')
  return Number.parseInt(text, 8)
}

/** Bytes in their order, whatever the chunks are that they come in. */
interface Source {
  /** Throws TarBroken when there are fewer. */
  exactly(count: number): Promise<Buffer>
  /** The next `count` bytes. Who stops early can ask the same iterable for the rest. */
  upTo(count: number): AsyncIterable<Buffer>
}

function createSource(chunks: AsyncIterable<Buffer>): Source {
  const iterator = chunks[Symbol.asyncIterator]()
  let waiting = Buffer.alloc(0)

  async function some(countMax: number): Promise<Buffer> {
    while (waiting.length === 0) {
      const next = await iterator.next()
      if (next.done === true) throw new TarBroken('the archive ends too early')
      waiting = Buffer.from(next.value)
    }
    const taken = waiting.subarray(0, countMax)
    waiting = waiting.subarray(taken.length)
    return taken
  }

  return {
    async exactly(count) {
      const parts: Buffer[] = []
      let left = count
      while (left > 0) {
        const part = await some(left)
        left -= part.length
        parts.push(part)
      }
      return Buffer.concat(parts)
    },
    upTo(count) {
      let left = count
      return {
        async *[Symbol.asyncIterator]() {
          while (left > 0) {
            const part = await some(left)
            left -= part.length
            yield part
          }
        },
      }
    },
  }
}
