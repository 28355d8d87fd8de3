import { FoundPaymentListSchema, type ReadItem } from '@tollgate/contract'
import { html } from '@tollgate/runtime/html'
import { plural } from '../format.ts'
import { ApiRefusal, type Query } from '../operator-api.ts'
import { empty } from '../parts.ts'
import type { Screen, Visit } from '../visit.ts'
import { paymentTable } from './payments.ts'

type Found = ReadItem<typeof FoundPaymentListSchema>

const LIMIT = '20'

/** What the box in the bar finds: payments by their id, or by a reference of anybody's. */
export const searchScreen: Screen = {
  path: '/search',
  permission: 'payouts.read',
  forMembers: true,
  async show(visit) {
    const wanted = (visit.query.get('q') ?? '').trim()
    const found = wanted === '' ? [] : await find(visit, wanted)
    const head = html`<div class="head"><h1>Search</h1>${wanted !== '' && html`<p>${plural(found.length, 'payment')} for “${wanted}”</p>`}</div>`
    const content =
      found.length > 0
        ? paymentTable(`Payments for ${wanted}`, found)
        : empty('search', wanted === '' ? 'Nothing searched for' : 'No payment found', {
            says: 'Type a whole payment id, or a whole reference: ours, the payer’s or the institution’s.',
            acts: html`<a class="btn" href="/payments">All payments</a>`,
          })
    return { title: wanted === '' ? 'Search' : `${wanted}: search`, content: html`${head}${content}` }
  },
}

async function find({ api }: Visit, wanted: string): Promise<readonly Found[]> {
  const ask = async (query: Query): Promise<readonly Found[]> => {
    try {
      return (await api.get('/operator/payments', FoundPaymentListSchema, { ...query, limit: LIMIT })).data
    } catch (error) {
      // It cannot be such a name, so nothing has it.
      if (error instanceof ApiRefusal && error.status === 400) return []
      throw error
    }
  }
  // References are printed in groups of four.
  const lists = await Promise.all([
    ask({ idPayment: wanted }),
    ask({ reference: wanted.replaceAll(/\s+/g, '') }),
  ])
  const all = lists
    .flat()
    .map((each) => [`${each.kind} ${each.merchantCode} ${each.idPayment}`, each] as const)
  return [...new Map(all).values()]
}
