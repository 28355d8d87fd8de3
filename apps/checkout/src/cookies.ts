// A session may be longer than a cookie can be, so it is cut into several. The first one says how many there are.

export interface CookieJar {
  /** Whether a session that has just begun fits, with what a customer may add to it. */
  hasRoomFor(sealed: string): boolean
  /** Whether it can be written at all. */
  fits(sealed: string): boolean
  /** The values of `Set-Cookie`. */
  write(path: string, sealed: string, maxAgeSeconds: number): readonly string[]
  /** The sealed text of a `Cookie` header; undefined where there is none. */
  read(header: string | undefined): string | undefined
}

const PIECE_LENGTH = 3600
/** Proxies and programs refuse answers whose headers are longer than 16 kB together. */
const LENGTH_MAX = 13_500
const LENGTH_AT_FIRST_MAX = 10_800

/** Cookies of a site; `isSecure` for one that is reached by https, which is all of them but a sandbox at home. */
export function createCookieJar(isSecure: boolean): CookieJar {
  const name = isSecure ? '__Secure-pay' : 'pay'
  return {
    hasRoomFor: (sealed) => sealed.length <= LENGTH_AT_FIRST_MAX,
    fits: (sealed) => sealed.length <= LENGTH_MAX,
    write(path, sealed, maxAgeSeconds) {
      if (sealed.length > LENGTH_MAX) throw new RangeError('the session is too long')
      const count = Math.ceil(sealed.length / PIECE_LENGTH)
      const rules = `; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
      return Array.from({ length: count }, (_, index) => {
        const piece = sealed.slice(index * PIECE_LENGTH, (index + 1) * PIECE_LENGTH)
        return `${name}${index}=${index === 0 ? `${count}.` : ''}${piece}${rules}`
      })
    },
    read(header) {
      const values = parse(header)
      const [, count, first = ''] = /^(\d)\.([\w-]*)$/.exec(values.get(`${name}0`) ?? '') ?? []
      if (count === undefined) return undefined
      const rest = Array.from({ length: Number(count) - 1 }, (_, index) => values.get(`${name}${index + 1}`))
      return rest.every((piece) => piece !== undefined) ? first + rest.join('') : undefined
    },
  }
}

/** The first of a name counts: browsers send the one with the longest path first. */
function parse(header = ''): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const part of header.split(';')) {
    const [name = '', value = ''] = part.trim().split('=', 2)
    if (!values.has(name)) values.set(name, value)
  }
  return values
}
