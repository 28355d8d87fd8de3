import { bareView, lackOf, remedyFor, stepOf, troublePage, type Wanted } from './drawing.ts'
import type { Texts } from './messages/index.ts'
import { paymentPage } from './payment-page.ts'
import { phoneCodePath } from './phone-routes.ts'
import type { Shop } from './records.ts'
import { isWebAddress } from './redirect-url.ts'
import type { Screen } from './router.ts'
import type { ErrorKind } from './screens/errors.ts'
import type { Page, View } from './screens/view.ts'
import type { Session } from './sessions.ts'
import { startPage } from './start-page.ts'
import { type Deps, moneyAt, type Seen, type Visit } from './visit.ts'

interface Asked {
  readonly texts: Texts
  readonly wanted: Wanted
  /** How often the page has tried in vain already. */
  readonly tries: number
}

interface Drawn {
  readonly view: View
  readonly page: Page
}

/** The screen of a visit. */
export async function pageOf(deps: Deps, visit: Visit, seen: Seen, asked: Asked): Promise<Drawn> {
  const { wanted } = asked
  const view = await viewOf(deps, visit, seen, asked)
  const fault = faultOf(seen.screen, visit)
  if (fault !== undefined) {
    const { retryAfterSeconds, lacks } = seen.silence ?? {}
    const isShort = lacks !== undefined && visit.mode === 'PAY'
    const remedy = remedyFor(isShort ? lackOf(lacks, visit) : fault, visit)
    const page = troublePage(deps, view, fault, { retryAfterSeconds, remedy })
    return { view, page }
  }
  const drawing = { deps, visit, view }
  const page =
    seen.payin === undefined
      ? await startPage(drawing, wanted)
      : await paymentPage(drawing, { seen, payin: seen.payin, wanted })
  return { view, page }
}

/** Who has perhaps paid is not told that nothing was charged. */
function faultOf(screen: Screen, { mode, session }: Visit): ErrorKind | undefined {
  const kind = ERRORS[screen]
  const isUnsure = mode === 'STATUS' || session.isSent === true
  return isUnsure && (kind === 'UNREACHABLE' || kind === 'BUSY') ? 'UNSURE' : kind
}

const ERRORS: Readonly<Partial<Record<Screen, ErrorKind>>> = {
  LINK_INCOMPLETE: 'LINK_INCOMPLETE',
  LINK_INVALID: 'LINK_INVALID',
  TOKEN_INCOMPLETE: 'TOKEN_INCOMPLETE',
  MONEY_MISSING: 'MONEY_MISSING',
  AMOUNT_DIFFERENT: 'AMOUNT_DIFFERENT',
  RETURN_NOT_ALLOWED: 'RETURN_NOT_ALLOWED',
  UNREACHABLE: 'UNREACHABLE',
  BUSY: 'BUSY',
  NOT_FOUND: 'NOT_FOUND',
}

/** Nothing of a link is believed before the API has accepted its token. */
async function viewOf(deps: Deps, visit: Visit, seen: Seen, { texts, tries, wanted }: Asked): Promise<View> {
  const { session, place, base } = visit
  // Who has only a token that has ended can do nothing here but look.
  const mode = visit.isReadOnly ? 'STATUS' : visit.mode
  const formToken = deps.sessions.formTokenOf(place)
  const view = {
    ...bareView(deps, texts),
    base,
    step: stepOf(wanted),
    mode,
    formToken,
    tries,
    pageUrl: deps.publicUrl + base,
  }
  if (ERRORS[seen.screen] !== undefined) return view
  const address =
    seen.payin === undefined ? session.order?.returnUrl : seen.payin.paymentMethodResponse.returnUrl
  const isFine = address !== undefined && isWebAddress(address, deps.isLive)
  const shop = await shopOf(deps, visit)
  return {
    ...view,
    idPayin: session.idPayin,
    hasChoice: hasChoice(session),
    phoneCode: seen.payin?.process.status === 'CREATED' ? phoneCodePath(base) : undefined,
    money: moneyAt(visit, seen.payin),
    returnUrl: isFine ? new URL(address) : undefined,
    shop,
    logo: shop && deps.logos.addressOf(shop),
  }
}

/** A method that the shop has fixed for good is not chosen. */
function hasChoice({ order }: Session): boolean {
  return order?.paymentMethodCode === undefined || order.optionsAvailable
}

async function shopOf({ api }: Deps, visit: Visit): Promise<Shop | undefined> {
  const { session, isReadOnly } = visit
  if (isReadOnly) return session.shop
  return api.looksLonger || mayKnowShop(visit) ? api.shop(session) : undefined
}

/** Whether it is worth asking the public API: it decides. */
function mayKnowShop({ claims, session: { idPayin } }: Visit): boolean {
  return claims.operations.some((each) => each.startsWith('GET ') && each !== `GET /payins/${idPayin}`)
}
