import { ConfigError } from '@tollgate/runtime/settings'

// Which cells there are, as the console knows them (docs/cells.md): letters and the addresses of their consoles.

/** A whole installation beside others, by its letter, and where its console is. */
export interface Cell {
  readonly letter: string
  /** Scheme, host and port, without a slash at its end. */
  readonly origin: string
}

/** All cells, by their letters, and the one whose console this is. */
export interface Cells {
  readonly own: Cell
  readonly all: readonly Cell[]
}

const NAME = 'CONSOLE_CELLS'
const ENTRY = /^([A-HJKMNP-TV-Z])=(.+)$/
const EXAMPLE = 'A=https://ops-a.example.com B=https://ops-b.example.com'

interface Rules {
  /** Of this console. */
  readonly publicUrl: string
  /** The origin that a text names; throws ConfigError where it cannot be one of a console. */
  readonly originOf: (text: string) => string
}

/** Reads the setting. Throws ConfigError. */
export function readCells(text: string, { publicUrl, originOf }: Rules): Cells {
  const all = text
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [, letter, address] = ENTRY.exec(entry) ?? []
      if (letter === undefined || address === undefined)
        throw new ConfigError(
          `${NAME} must be letters of cells and addresses of their consoles, such as ${EXAMPLE}. A letter is a capital other than I, L, O and U.`,
        )
      return { letter, origin: originOf(address) }
    })
  refuseTwice(all)
  refuseSeveralSites(all)
  const own = all.find(({ origin }) => origin === publicUrl)
  if (own === undefined)
    throw new ConfigError(
      `${NAME} does not have ${publicUrl}, the address of this console. Add it with its letter, or correct CONSOLE_PUBLIC_URL.`,
    )
  return { own, all: all.toSorted((one, other) => (one.letter < other.letter ? -1 : 1)) }
}

const hostOf = ({ origin }: Cell): string => new URL(origin).hostname

function refuseTwice(all: readonly Cell[]): void {
  const twiceBy = (of: (cell: Cell) => string): Cell | undefined =>
    all.find((cell, index) => all.findIndex((other) => of(other) === of(cell)) < index)
  const letter = twiceBy((cell) => cell.letter)?.letter
  if (letter !== undefined) throw new ConfigError(`${NAME} has the letter ${letter} twice.`)
  const host = twiceBy(hostOf)
  // A cookie is the same at all ports of a host: signing in to one cell would end the session of the other.
  if (host !== undefined)
    throw new ConfigError(
      `${NAME} has the host ${hostOf(host)} twice: every console needs a host of its own.`,
    )
}

/**
 * A session goes along within one site alone. Which ending of a host that is, only browsers know; hosts that differ in their last
 * two names are never of one.
 */
function refuseSeveralSites(all: readonly Cell[]): void {
  const siteOf = (cell: Cell): string =>
    `${new URL(cell.origin).protocol}//${hostOf(cell).split('.').slice(-2).join('.')}`
  const [first] = all
  const other = all.find((cell) => first !== undefined && siteOf(cell) !== siteOf(first))
  if (first === undefined || other === undefined) return
  throw new ConfigError(
    `${NAME}: ${first.origin} and ${other.origin} are not of one site, so that browsers do not send the session of one cell from the console of the other. Put them under one domain, such as ops-a.example.com and ops-b.example.com, all with https.`,
  )
}
