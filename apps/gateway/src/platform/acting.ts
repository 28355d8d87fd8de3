import { AsyncLocalStorage } from 'node:async_hooks'

/** What an operator does right now. */
interface Acting {
  /** The number under which the request was noted; null before that, and for one that changes nothing. */
  readonly requestNo: () => string | null
  /** By what the operator asked, and of which key or session that is. */
  readonly means: () => Means | undefined
  readonly requestId: string
}

/** How an operator proved who asks. */
export interface Means {
  readonly means: 'KEY' | 'SESSION' | 'PASSKEY' | 'OIDC' | 'INVITATION'
  readonly meansId: string | undefined
}

const acts = new AsyncLocalStorage<Acting>()

/** Whatever the work writes belongs to the act: transactions tell the database so. */
export const acting = <Result>(act: Acting, work: () => Result): Result => acts.run(act, work)

/** The act that is under way; undefined for what no operator asked for. */
export const currentAct = (): Acting | undefined => acts.getStore()

const NUMBER = /^\d{1,19}$/

/** What a transaction of the act begins with; undefined where there is no act. */
export function beginningOfAct(): string | undefined {
  const requestNo = acts.getStore()?.requestNo() ?? undefined
  return requestNo !== undefined && NUMBER.test(requestNo)
    ? `begin; set local tollgate.request = '${requestNo}'`
    : undefined
}
