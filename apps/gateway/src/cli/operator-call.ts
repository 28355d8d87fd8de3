// What a command says to the operator API, and what it hears. Loads nothing.

/** Where the API is, and who asks. */
export interface OperatorOptions {
  readonly url?: string
  readonly operatorKeyFile?: string
}

/** A request to the operator API. */
export interface OperatorCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** From `/operator/` on; what it names is escaped by `pathOf`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Sent as JSON; members that are undefined are left out. */
  readonly body?: unknown
  /** Sent as it is, in place of a body. */
  readonly file?: Uint8Array
  /** It may take minutes until it is answered. */
  readonly isLong?: true
  /** What a refused file is called: a bank's file that is refused is no mistake of who typed the command. */
  readonly fileName?: string
  /** The answer is a file, and stays the text that it is. */
  readonly isFile?: true
  /** Of a list that comes in pages: so many items of it, from as many pages as it takes. */
  readonly upTo?: number
}

/** A path with what it names, escaped: pathOf`/operator/merchants/${code}`. */
export function pathOf(texts: TemplateStringsArray, ...names: readonly string[]): string {
  return texts.reduce((path, text, index) => `${path}${encodeURIComponent(names[index - 1] ?? '')}${text}`)
}

/** Asks for what is there. */
export const get = (path: string, query?: OperatorCall['query']): OperatorCall => ({
  method: 'GET',
  path,
  ...(query !== undefined && { query }),
})

/** Asks that something be done. */
export const post = (path: string, body?: unknown): OperatorCall => ({ method: 'POST', path, body })

/** Asks that something be so. */
export const put = (path: string, body: unknown): OperatorCall => ({ method: 'PUT', path, body })
