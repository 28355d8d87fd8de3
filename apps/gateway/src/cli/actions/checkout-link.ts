import { spawn } from 'node:child_process'
import { CommandFailure } from '../failure.ts'
import type { Report, Shell } from '../shell.ts'
import { callerFor, createToken } from './token-create.ts'

/** The options of the command. */
export interface LinkWish {
  readonly amount: string
  readonly currency: string
  readonly returnUrl?: string
  readonly callbackUrl?: string
  readonly method?: string
  readonly operator?: string
  readonly optionsAvailable?: true
  readonly data?: readonly string[]
  readonly allowDataChange?: true
  readonly open?: true
  readonly merchant?: string
  readonly privateKeyFile?: string
  readonly apiUrl?: string
  readonly checkoutUrl?: string
}

/** `tollgate checkout link`: the address that a shop would send its customer to (specification 4.9), with a token of its own. */
export async function linkToPage(shell: Shell, idPayin: string, wish: LinkWish): Promise<Report> {
  const { publicCheckoutUrl, publicShopUrl } = await shell.config()
  const { merchantCode } = await callerFor(shell, wish)
  const { token } = await createToken(shell, { ...wish, action: 'PAYIN_CREATE', id: idPayin })
  const url = new URL(wish.checkoutUrl ?? publicCheckoutUrl)
  const parameters: Readonly<Record<string, string | undefined>> = {
    merchantCode,
    idPayin,
    token,
    amount: wish.amount,
    currencyCode: wish.currency,
    callbackUrl: wish.callbackUrl ?? `${publicShopUrl}/callbacks`,
    returnUrl: wish.returnUrl ?? publicShopUrl,
    paymentMethodCode: wish.method,
    paymentOperatorCode: wish.operator,
    optionsAvailable: wish.optionsAvailable && 'true',
    allowCustomerDataChange: wish.allowDataChange && 'true',
    ...Object.fromEntries((wish.data ?? []).map(dataPoint)),
  }
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value)
  if (wish.open === true) openInBrowser(url.href)
  return { json: { url: url.href }, text: url.href }
}

const DATA_POINTS = ['accountName', 'accountNumber', 'bankCode', 'emailAddress'] as const

function dataPoint(text: string): readonly [string, string] {
  const [name = '', ...rest] = text.split('=')
  if (!DATA_POINTS.some((each) => each === name) || rest.length === 0)
    throw new CommandFailure(
      'USAGE',
      `--data is one of ${DATA_POINTS.join(', ')} with its value, such as accountName='Jane Doe'; it is ${JSON.stringify(text)}.`,
    )
  return [name, rest.join('=')]
}

/** Where there is no browser, the printed address is what is left. */
function openInBrowser(url: string): void {
  const child = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [url], {
    stdio: 'ignore',
    detached: true,
  })
  child.on('error', () => undefined)
  child.unref()
}
