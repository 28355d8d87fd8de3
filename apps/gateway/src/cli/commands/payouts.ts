import type {
  AccountsChangedSchema,
  BlockedAccountListSchema,
  OperatorPayoutListSchema,
  OperatorPayoutSchema,
  PayeeSchema,
  PayoutRuleSchema,
  Printed,
} from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand, type Pen } from '../client-command.ts'
import { CommandFailure } from '../failure.ts'
import { readTextOrInput } from '../files.ts'
import { get, type OperatorOptions, pathOf, post, put } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { code, idPayment, positiveNumber, reason } from '../values.ts'
import { LIMIT, limit, mayBeMore } from './options.ts'
import { showPayout } from './payment-show.ts'
import { describePayout, payoutTable } from './payout-words.ts'

/** In place of a merchant's code: the whole installation. */
const HOUSE = 'house'

const SETTLEMENT = {
  flags: '--settlement',
  says: 'requested settlements instead of payouts',
}
const CONTENT = {
  flags: '--content <hash>',
  says: 'content hash that `payouts list` shows',
  read: contentHash,
  isRequired: true,
} as const

interface KindOptions extends OperatorOptions {
  readonly settlement?: true
}

const kindOf = ({ settlement }: KindOptions): string | undefined =>
  settlement === true ? 'SETTLEMENT' : undefined

interface ListOptions extends KindOptions {
  readonly merchant?: string
  readonly id?: string
  readonly awaitingApproval?: true
  readonly onHold?: true
  readonly limit: number
}

const list = clientCommand({
  command: 'list',
  says: 'list payouts, the newest first, with the content hash that an approval names',
  options: [
    { flags: '--merchant <code>', says: 'only of this merchant' },
    { flags: '--id <id>', says: 'only the payout with this id; needs --merchant', read: idPayment },
    { flags: '--awaiting-approval', says: 'only those awaiting approval' },
    { flags: '--on-hold', says: 'only those on hold' },
    SETTLEMENT,
    LIMIT,
  ],
  permission: 'payouts.read',
  asks: (_typed, options: ListOptions) => ({
    method: 'GET',
    path: '/operator/payouts',
    query: {
      kind: kindOf(options),
      status: statusOf(options),
      merchantCode: options.merchant,
      idPayout: options.id,
    },
    upTo: options.limit,
  }),
  shows: (payouts: Printed<typeof OperatorPayoutListSchema>, pen) => payoutTable(payouts, pen),
})

function statusOf({ awaitingApproval, onHold }: ListOptions): string | undefined {
  if (onHold === true) return 'ON_HOLD'
  return awaitingApproval === true ? 'AWAITING_APPROVAL' : undefined
}

const payee = clientCommand({
  command: 'payee <merchant> <id>',
  says: 'show the payee of a payout in full, with its history; each look is recorded',
  options: [SETTLEMENT],
  permission: 'payouts.unmask',
  isByName: true,
  asks: (typed, options: KindOptions) =>
    get(pathOf`/operator/payouts/${typed.merchant}/${idPayment(typed.id)}/payee`, { kind: kindOf(options) }),
  shows: (answer: Payee, pen) => describePayee(answer, pen),
})

type Payee = Printed<typeof PayeeSchema>

type Row = readonly [string, string | undefined]

function ruleRows({ rule }: Payee, pen: Pen): readonly Row[] {
  if (rule === undefined) return []
  const { amountFrom, newBeneficiary, dailySumFrom } = rule
  return [
    ['Rule: amount', amountFrom && `from ${pen.money(amountFrom)}`],
    ['Rule: payee', newBeneficiary ? 'never paid before' : undefined],
    ['Rule: day', dailySumFrom && `from ${pen.money(dailySumFrom)} in all`],
  ]
}

/** `3 payments, 120 EUR, between … and …; 1 sent back`. */
function paidText({ history }: Payee, pen: Pen): string {
  const { paidCount, returnedCount, openCount } = history
  const paid = [
    paidCount === 1 ? '1 payment' : `${paidCount} payments`,
    ...history.paidMoney.map(pen.money),
    ...paidWhen(history, pen),
  ]
  return [
    paidCount === 0 ? 'never' : paid.join(', '),
    ...(returnedCount === 0 ? [] : [`${returnedCount} sent back`]),
    ...(openCount === 0 ? [] : [`${openCount} open`]),
  ].join('; ')
}

function paidWhen({ paidCount, firstPaidAt, lastPaidAt }: Payee['history'], pen: Pen): readonly string[] {
  if (firstPaidAt === undefined || lastPaidAt === undefined) return []
  if (paidCount === 1) return [`on ${pen.momentOf(firstPaidAt)}`]
  return [`between ${pen.momentOf(firstPaidAt)} and ${pen.momentOf(lastPaidAt)}`]
}

function describePayee(answer: Payee, pen: Pen): string {
  const { account, verification, earlierVerification } = answer
  return pen.pairs([
    [answer.kind === 'SETTLEMENT' ? 'Settlement' : 'Payout', `${answer.idPayout} of ${answer.merchantCode}`],
    ['Name', account?.accountName],
    ['Account', account?.accountNumber],
    ['Bank', account?.bankCode],
    ['E-mail', answer.emailAddress],
    ['Block-list', answer.isBlocked ? 'the payee is on it' : undefined],
    ['Waits for', answer.waitsBecause.join(' ')],
    ...ruleRows(answer, pen),
    ['Paid', paidText(answer, pen)],
    ['Verification of payee', verification && verificationText(verification, pen)],
    ['Verified before', earlierVerification && verificationText(earlierVerification, pen)],
    ['Content', answer.contentHash],
  ])
}

function verificationText(given: NonNullable<Payee['verification']>, pen: Pen): string {
  const of = given.level === 'TRANSACTION' ? '' : ', of its whole file'
  const by = [given.takenBy, given.confirmedBy].filter(Boolean).join(' and ')
  const where = given.reportId === undefined ? 'asked' : `report ${given.reportId} of`
  return `${given.result} (${given.statusCode}${of}) for ${given.kind.toLowerCase()} ${given.idPayout}; ${where} ${pen.momentOf(given.receivedAt)}, by ${by}`
}

interface DecisionOptions extends KindOptions {
  readonly content: string
  readonly reason?: string
}

const DECISIONS = [
  ['approve', 'approve a payout as it is now; the second operator’s approval releases it', 'for the record'],
  ['reject', 'reject a payout that awaits approval; its money is released', 'the merchant reads it'],
] as const

const decisions = DECISIONS.map(([action, says, reasonSays]) =>
  clientCommand({
    command: `${action} <merchant> <id>`,
    says,
    options: [
      CONTENT,
      SETTLEMENT,
      {
        flags: '--reason <text>',
        says: reasonSays,
        read: reason,
        ...(action === 'reject' && { isRequired: true }),
      },
    ],
    permission: 'payouts.approve',
    isByName: true,
    asks: (typed, options: DecisionOptions) => ({
      method: 'POST',
      path: `${pathOf`/operator/payouts/${typed.merchant}/${idPayment(typed.id)}`}/!${action}`,
      query: { kind: kindOf(options) },
      body: { contentHash: options.content, reason: options.reason },
    }),
    shows: (payout: Printed<typeof OperatorPayoutSchema>, pen) => describePayout(payout, pen),
  }),
)

const isHouse = (merchant: string): boolean => merchant.toLowerCase() === HOUSE
const whose = (merchant: string) => (isHouse(merchant) ? { isForAll: true } : { merchantCode: merchant })

async function readAccounts(shell: Shell, file: string): Promise<readonly string[]> {
  const lines = (await readTextOrInput(shell, file)).split('\n')
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}

const FILE = `for a merchant’s <code>, or (\`${HOUSE}\`) for all merchants; one account number per line; - is standard input`

const block = clientCommand({
  command: 'block <code|house> <file>',
  says: `block payouts to these accounts: ${FILE}`,
  options: [{ flags: '--note <text>', says: 'reason, shown in the list' }],
  permission: 'payouts.approve',
  isByName: true,
  asks: async (typed, { note }: OperatorOptions & { readonly note?: string }, shell) =>
    post('/operator/blocked-accounts/!block', {
      ...whose(typed['code|house']),
      accountNumbers: await readAccounts(shell, typed.file),
      note,
    }),
  shows: ({ changed, named }: Printed<typeof AccountsChangedSchema>, _pen, typed) => ({
    text: `${changed} of ${named} accounts were not on the block-list of ${typed['code|house']} before; all are now.`,
    notes: ['This does not stop payouts that were already submitted to an institution.'],
  }),
})

const unblock = clientCommand({
  command: 'unblock <code|house> <file>',
  says: `unblock these accounts: ${FILE}`,
  permission: 'payouts.approve',
  isByName: true,
  asks: async (typed, _options: OperatorOptions, shell) =>
    post('/operator/blocked-accounts/!unblock', {
      ...whose(typed['code|house']),
      accountNumbers: await readAccounts(shell, typed.file),
    }),
  shows: ({ changed, named }: Printed<typeof AccountsChangedSchema>, _pen, typed) =>
    `${changed} of ${named} accounts were on the block-list of ${typed['code|house']}; none is now.`,
})

const BLOCKED_MAX = 100

interface BlockedOptions extends OperatorOptions {
  readonly merchant?: string
  readonly limit: number
}

const blocked = clientCommand({
  command: 'blocked',
  says: 'list who blocked how many accounts and why; only hashes of the accounts are kept',
  options: [
    { flags: '--merchant <code|house>', says: 'only of this merchant, or those for all (house)' },
    limit(BLOCKED_MAX),
  ],
  permission: 'payouts.read',
  asks: (_typed, { merchant, limit }: BlockedOptions) =>
    get('/operator/blocked-accounts', { ...(merchant !== undefined && whose(merchant)), limit }),
  shows: ({ data }: Printed<typeof BlockedAccountListSchema>, pen, _typed, { limit }) => ({
    text: pen.table(
      ['FOR', 'ACCOUNT', 'NOTE', 'BY', 'SINCE'],
      data.map((each) => [
        each.merchantCode ?? HOUSE,
        each.accountDigest,
        each.note ?? '',
        each.createdBy,
        pen.momentOf(each.createdAt),
      ]),
      'No blocked accounts.',
    ),
    notes: mayBeMore(data, limit),
  }),
})

/** Money that leaves: looking at it, letting it go, and keeping it from some accounts. */
export function addPayoutCommands(program: Command, shell: Shell): void {
  const payouts = program
    .command('payouts')
    .description('outgoing payments, their approval, and blocked accounts')
  for (const command of [showPayout, list, payee, ...decisions, block, unblock, blocked])
    command.addTo(payouts, shell)
}

interface RuleOptions extends OperatorOptions {
  readonly currency: string
  readonly amountFrom?: string
  readonly newBeneficiary?: true
  readonly dailySumFrom?: string
}

const setRule = clientCommand({
  command: 'set-payout-rule <code>',
  says: 'replace the conditions under which payouts in a currency need approval; omitted ones do not apply',
  options: [
    { flags: '--currency <currency>', says: 'for example EUR', read: code, isRequired: true },
    {
      flags: '--amount-from <amount>',
      says: 'amounts from this one',
      read: positiveNumber('--amount-from'),
    },
    { flags: '--new-beneficiary', says: 'accounts that the merchant has never paid' },
    {
      flags: '--daily-sum-from <amount>',
      says: 'when the payouts of the day (UTC) reach this sum',
      read: positiveNumber('--daily-sum-from'),
    },
  ],
  permission: 'merchants.change',
  asks: (typed, { currency, amountFrom, newBeneficiary, dailySumFrom }: RuleOptions) =>
    put(pathOf`/operator/payout-rules/${typed.code}/${currency}`, {
      amountFrom,
      newBeneficiary,
      dailySumFrom,
    }),
  shows: (rule: Printed<typeof PayoutRuleSchema>, pen, typed) =>
    `${typed.code}, payouts in ${rule.currencyCode}: ${ruleText(rule, pen)}.`,
})

function ruleText(rule: Printed<typeof PayoutRuleSchema>, pen: Pen): string {
  const { amountFrom, newBeneficiary, dailySumFrom } = rule
  const causes = [
    amountFrom === undefined ? undefined : `from ${pen.amount(amountFrom)} on`,
    newBeneficiary ? 'to an account that was never paid' : undefined,
    dailySumFrom === undefined ? undefined : `when those of the day make ${pen.amount(dailySumFrom)}`,
  ].filter((cause) => cause !== undefined)
  return causes.length === 0 ? 'none waits for approval' : `approval ${causes.join(', or ')}`
}

/** `tollgate merchants set-payout-rule`. */
export function addPayoutRuleCommand(merchants: Command, shell: Shell): void {
  setRule.addTo(merchants, shell)
}

function contentHash(text: string): string {
  const hash = text.toLowerCase()
  if (/^[0-9a-f]{12,64}$/.test(hash)) return hash
  throw new CommandFailure(
    'USAGE',
    `--content takes 12 to 64 hex digits, as \`tollgate payouts list\` shows them; it is ${JSON.stringify(text)}.`,
  )
}
