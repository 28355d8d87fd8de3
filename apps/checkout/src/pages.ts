import { bareView, remedyFor, troublePage, type Wanted } from './drawing.ts'
import type { Texts } from './messages/index.ts'
import { paymentPage } from './payment-page.ts'
import { isWebAddress } from './redirect-url.ts'
import type { Screen } from './router.ts'
import type { ErrorKind } from './screens/errors.ts'
import type { Page, View } from './screens/view.ts'
import type { Session } from './sessions.ts'
import { startPage } from './start-page.ts'
import { type Deps, moneyAt, type Seen, type Visit } from './visit.ts'

export interface Asked {
  readonly texts: Texts
  readonly wanted: Wanted
}

export interface Drawn {
  readonly view: View
  readonly page: Page
}

/** The screen of a visit. */
export async function pageOf(deps: Deps, visit: Visit, seen: Seen, { texts, wanted }: Asked): Promise<Drawn> {
  const view = await viewOf(deps, visit, seen, texts)
  const fault = ERRORS[seen.screen]
  if (fault !== undefined) {
    const { retryAfterSeconds } = seen.silence ?? {}
    const page = troublePage(deps, view, fault, { retryAfterSeconds, remedy: remedyFor(fault, visit) })
    return { view, page }
  }
  const drawing = { deps, visit, view }
  const page =
    seen.payin === undefined
      ? await startPage(drawing, wanted)
      : await paymentPage(drawing, { seen, payin: seen.payin, wanted })
  return { view, page }
}

const ERRORS: Readonly<Partial<Record<Screen, ErrorKind>>> = {
  LINK_INCOMPLETE: 'LINK_INCOMPLETE',
  LINK_INVALID: 'LINK_INVALID',
  AMOUNT_DIFFERENT: 'AMOUNT_DIFFERENT',
  RETURN_NOT_ALLOWED: 'RETURN_NOT_ALLOWED',
  UNREACHABLE: 'UNREACHABLE',
  BUSY: 'BUSY',
  NOT_FOUND: 'NOT_FOUND',
}

/** Nothing of a link is believed before the API has accepted its token. */
async function viewOf(deps: Deps, visit: Visit, seen: Seen, texts: Texts): Promise<View> {
  const { session, mode, place, base } = visit
  const formToken = deps.sessions.formTokenOf(place)
  const view = { ...bareView(deps, texts), base, mode, formToken, pageUrl: deps.publicUrl + base }
  if (ERRORS[seen.screen] !== undefined) return view
  const address =
    seen.payin === undefined ? session.order?.returnUrl : seen.payin.paymentMethodResponse.returnUrl
  const isFine = address !== undefined && isWebAddress(address, deps.isLive)
  return {
    ...view,
    idPayin: session.idPayin,
    hasChoice: hasChoice(session),
    money: moneyAt(visit, seen.payin),
    returnUrl: isFine ? new URL(address) : undefined,
    shop: mayKnowShop(visit) ? await deps.api.shop(session.token) : undefined,
  }
}

/** A method that the shop has fixed for good is not chosen. */
function hasChoice({ order }: Session): boolean {
  return order?.paymentMethodCode === undefined || order.optionsAvailable
}

/** Whether it is worth asking: the API decides. */
function mayKnowShop({ claims, session: { idPayin } }: Visit): boolean {
  return claims.operations.some((each) => each.startsWith('GET ') && each !== `GET /payins/${idPayin}`)
}
