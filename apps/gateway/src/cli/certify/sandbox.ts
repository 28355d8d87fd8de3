import type { TriggerOutcome } from '@tollgate/contract/words'
import { parseAmount, rawAmount } from '@tollgate/money'
import { randomIds } from '@tollgate/runtime'
import { createCallbackSigner, createMerchantService } from '../../modules/merchants/index.ts'
import { watchConfiguration } from '../../platform/configuration-changes.ts'
import { VERSION } from '../../platform/version.ts'
import { askServer, jsonContent, parsed } from '../api.ts'
import type { Signer } from '../callback-signature.ts'
import { readDemoMerchant } from '../demo-merchant.ts'
import { CommandFailure } from '../failure.ts'
import { type Installation, requireKeys } from '../installation.ts'
import { openOperatorApi } from '../operator-api.ts'
import { pathOf, post } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import type { Callback } from './callback.ts'
import type { Created } from './relay.ts'

/** What is signed: a body, and how long ago. */
interface ToSign {
  readonly body: string
  readonly ageSeconds?: number
}

/** The gateway that runs here, with the merchant whose shop is certified. */
export interface Sandbox {
  readonly apiUrl: string
  readonly signer: Signer
  /** Makes the institution say something about a payin of the merchant. */
  trigger(idPayin: string, outcome: TriggerOutcome): Promise<void>
  /** A callback by the merchant's own key: for what the gateway would send only in minutes, or in a later version. */
  sign(wish: ToSign): Promise<Callback>
  /** Does at the payment page what a customer does who takes the first way to pay. */
  payOnPage(page: URL, callbackUrl: string): Promise<Created>
}

/** Finds the merchant, and the keys that sign its callbacks. Throws CommandFailure. */
export async function openSandbox(
  shell: Shell,
  installation: Installation,
  merchant: string | undefined,
): Promise<Sandbox> {
  const { config } = installation
  requireKeys(installation)
  const demo = readDemoMerchant(config)
  const merchantCode = merchant ?? demo?.merchantCode
  if (merchantCode === undefined)
    throw new CommandFailure('USAGE', 'This installation has no demo merchant: name one by --merchant.')
  const merchants = await createMerchantService(installation).list()
  const found = merchants.find((each) => each.merchantCode === merchantCode)
  if (found === undefined) throw new CommandFailure('NOT_FOUND', `There is no merchant ${merchantCode}.`)
  const changes = watchConfiguration({ ...installation, clock: shell.clock })
  const keys = createCallbackSigner({ ...installation, changes })
  const ask = await openOperatorApi(shell, {}, { permission: 'payments.trigger', isByName: false })
  const apiUrl = demo?.apiUrl ?? config.publicApiUrl
  return {
    apiUrl,
    signer: { merchantCode, publicKeys: keys.publicKeys(found) },
    async trigger(idPayin, outcome) {
      await ask(post(pathOf`/operator/payments/PAYIN/${merchantCode}/${idPayin}/!trigger`, { outcome }))
    },
    async sign({ body, ageSeconds = 0 }) {
      const id = randomIds.uuid()
      const time = Math.floor(shell.clock.nowMs() / 1000) - ageSeconds
      const signatures = await keys.sign(found.merchantId, `${id}.${time}.${body}`)
      return { headers: headersOf({ id, time, signatures }), body }
    },
    async payOnPage(page, callbackUrl) {
      if (page.searchParams.get('merchantCode') !== merchantCode)
        throw new CommandFailure(
          'USAGE',
          `The shop uses the merchant ${page.searchParams.get('merchantCode') ?? ''}, not ${merchantCode}: name it with --merchant.`,
        )
      return payOnPage(apiUrl, page, callbackUrl)
    },
  }
}

function headersOf(of: {
  readonly id: string
  readonly time: number
  readonly signatures: readonly string[]
}): Callback['headers'] {
  return {
    'content-type': 'application/json',
    'user-agent': `Tollgate/${VERSION} (+callback)`,
    'x-api-version': '2',
    'webhook-id': of.id,
    'webhook-timestamp': String(of.time),
    'webhook-signature': of.signatures.join(' '),
    'webhook-event-type': 'payin.status',
  }
}

const SERVER = { name: 'API', remedy: 'Start the gateway.' }
const PREFERRED_METHOD = 'BANK_TRANSFER'

async function payOnPage(apiUrl: string, { searchParams }: URL, callbackUrl: string): Promise<Created> {
  const of = (name: string): string => searchParams.get(name) ?? ''
  const amount = parseAmount(of('amount'))
  if (amount === undefined)
    throw new CommandFailure(
      'USAGE',
      `The shop’s payment page has no amount: ${JSON.stringify(of('amount'))}.`,
    )
  const money = { amount: rawAmount(amount), currencyCode: of('currencyCode') }
  const ask = (path: string, body: unknown): Promise<string> =>
    askServer(
      {
        method: 'POST',
        url: `${apiUrl}${path}`,
        content: jsonContent(body),
        headers: { authorization: `Bearer ${of('token')}` },
      },
      SERVER,
    )
  const options = optionsOf(parsed(await ask('/payins/!availablePaymentOptions', { money })))
  const wanted = [of('paymentMethodCode'), PREFERRED_METHOD].map((code) =>
    options.find((each) => each.method === code),
  )
  const option = wanted.find((each) => each !== undefined) ?? options[0]
  const id = of('idPayin')
  await ask(`/payins/${encodeURIComponent(id)}`, {
    paymentRequested: { money },
    paymentMethod: {
      paymentMethodCode: option?.method,
      paymentOperatorCode: searchParams.get('paymentOperatorCode') ?? option?.operator,
      account: { accountName: 'Jane Doe' },
      emailAddress: 'jane.doe@example.com',
    },
    callbackUrl,
    returnUrl: of('returnUrl'),
  })
  return { id, callbackUrl: of('callbackUrl'), returnUrl: of('returnUrl') }
}

interface Option {
  readonly method: string
  /** Its first bank or wallet, where one is to be named. */
  readonly operator: string | undefined
}

function optionsOf(answer: unknown): readonly Option[] {
  return listAt(answer, 'data').map((each) => ({
    method: textAt(each, 'paymentMethodCode') ?? '',
    operator: textAt(listAt(each, 'paymentOperators')[0], 'code'),
  }))
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function listAt(value: unknown, name: string): readonly unknown[] {
  const found = memberOf(value, name)
  return Array.isArray(found) ? found : []
}

function textAt(value: unknown, name: string): string | undefined {
  const found = memberOf(value, name)
  return typeof found === 'string' ? found : undefined
}
