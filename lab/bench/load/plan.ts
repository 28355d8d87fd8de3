// What the load generator is told, and what it says. Both travel as JSON between two processes.

/** Where the id in a request comes from: a new random one each time, or one of these. */
export type Ids = 'new' | readonly string[]

/** A kind of request. `text` is the whole request as it goes over the wire, latin-1, with ID_PLACEHOLDER where the id belongs. */
export interface RequestTemplate {
  readonly label: string
  readonly text: string
  readonly ids: Ids
  readonly expectedStatus: number
  /** How often it is sent, relative to the others. */
  readonly weight: number
}

export interface LoadPlan {
  readonly port: number
  readonly connections: number
  readonly warmupSeconds: number
  readonly seconds: number
  /** Requests a second, sent on time whatever becomes of those before; without it every connection sends as soon as it has its answer. */
  readonly ratePerSecond?: number
  /** Counts whole lives instead of answers. */
  readonly lives?: LivesPlan
  readonly templates: readonly RequestTemplate[]
}

/** Payments are followed until their callback comes. */
export interface LivesPlan {
  /** Where the generator listens for callbacks, whose path ends with the id. */
  readonly ports: readonly number[]
  /** Payments that have begun and whose callback has not come; without meaning where requests come at a fixed rate. */
  readonly inFlightMax: number
}

/** Twenty-four characters, which every id has. */
export const ID_PLACEHOLDER = '{id:24-characters-long!}'
export const ID_LENGTH = ID_PLACEHOLDER.length

/** What became of the requests of one label while it was measured. */
interface LabelResult {
  readonly label: string
  readonly requests: number
  /** Classes of load/histogram.ts with their counts. */
  readonly latencies: readonly (readonly [number, number])[]
}

export interface LoadResult {
  /** How long was measured. */
  readonly seconds: number
  readonly labels: readonly LabelResult[]
  /** Answers in all, those of the warm-up and of the end included. */
  readonly requestsInAll: number
  /** CPU of the generator while it measured. */
  readonly cpuMicroseconds: number
}

export type FromGenerator =
  | { readonly kind: 'MEASURING' }
  /** The time to measure is over; what was begun may still be finished. */
  | { readonly kind: 'MEASURED' }
  | { readonly kind: 'ENDED'; readonly result: LoadResult }
  | { readonly kind: 'FAILED'; readonly message: string }
