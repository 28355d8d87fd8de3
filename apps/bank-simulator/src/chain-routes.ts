import { EVM_COIN } from '@tollgate/payment-codes'
import { readTransferCall, transferCall } from '@tollgate/signer-protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Transaction } from 'micro-eth-signer'
import { comesFromElsewhere, type FormScope, parameter, show } from './page-routes.ts'
import { missingPage, refusedPage, walletPage } from './pages.ts'
import { type CoinTransfer, gasUsedBy, TEST_CHAIN_ID, type TestChain, TOKEN_DECIMALS } from './test-chain.ts'

const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const RANGE_BLOCKS_MAX = 10_000
const QUESTIONS_MAX = 100

/** The chain's node: the questions of JSON-RPC that a reader of transfers has, and a wallet that sends some. */
export function chainRoutes(app: FastifyInstance, chain: TestChain): void {
  app.post('/chain', async ({ body }, reply) =>
    reply.send(Array.isArray(body) ? await answerAll(chain, body) : await answerOne(chain, body)),
  )
}

/** One after the other, as real nodes do with what is sent at once. */
async function answerAll(chain: TestChain, questions: readonly unknown[]): Promise<readonly object[]> {
  const answers: object[] = []
  for (const question of questions.slice(0, QUESTIONS_MAX)) answers.push(await answerOne(chain, question))
  return answers
}

async function answerOne(chain: TestChain, question: unknown): Promise<object> {
  const id: unknown = typeof question === 'object' && question !== null ? Reflect.get(question, 'id') : null
  return { jsonrpc: '2.0', id: id ?? null, ...(await answer(chain, question)) }
}

type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }

async function answer(chain: TestChain, body: unknown): Promise<Answer> {
  const [first, second] = listIn(body, 'params')
  switch (parameter(body, 'method')) {
    case 'eth_chainId':
      return { result: hex(TEST_CHAIN_ID) }
    case 'eth_blockNumber':
      return { result: hex(chain.headNumber()) }
    case 'eth_call':
      return {
        result:
          coinsOfAll(chain, first, second) ?? word(balanceOf(chain, first, second) ?? BigInt(TOKEN_DECIMALS)),
      }
    case 'eth_estimateGas':
      return { result: hex(gasUsedBy({ token: parameter(first, 'data').length > 2 ? '' : EVM_COIN })) }
    case 'eth_getBlockByNumber':
      return { result: blockOf(chain, first, second === true) }
    case 'eth_getBalance':
      return {
        result: `0x${chain.balance(EVM_COIN, String(first).toLowerCase(), upToOf(chain, second)).toString(16)}`,
      }
    case 'eth_maxPriorityFeePerGas':
      return { result: `0x${TIP.toString(16)}` }
    case 'eth_getTransactionCount':
      return { result: hex(chain.countOf(String(first).toLowerCase(), upToOf(chain, second))) }
    case 'eth_sendRawTransaction':
      return sendRaw(chain, String(first))
    case 'eth_getTransactionReceipt':
      return { result: receiptOf(chain, String(first).toLowerCase()) }
    case 'eth_getLogs':
      return logs(chain, first)
    default:
      return { error: { code: -32_601, message: 'the test chain does not know this method' } }
  }
}

const BASE_FEE = 1_000_000_000n
const TIP = 100_000_000n

const upToOf = (chain: TestChain, block: unknown): number =>
  block === 'latest' ? chain.headNumber() : numberOf(block)

/** Null for one that is not there yet. */
function blockOf(chain: TestChain, given: unknown, isWhole: boolean): object | null {
  const block = chain.block(upToOf(chain, given))
  if (block === undefined) return null
  return {
    number: hex(block.number),
    hash: block.hash,
    timestamp: hex(block.timeSeconds),
    baseFeePerGas: `0x${BASE_FEE.toString(16)}`,
    ...(isWhole && { transactions: chain.transactions(block.number).map(toTransaction) }),
  }
}

const toTransaction = ({ txHash, from, to, token, units }: CoinTransfer): object =>
  token === EVM_COIN
    ? { hash: txHash, from, to, value: `0x${BigInt(units).toString(16)}`, input: '0x' }
    : {
        hash: txHash,
        from,
        to: token,
        value: '0x0',
        input: transferCall({ payee: to, units: BigInt(units) }),
      }

/** The gateway's program that answers with what addresses have: 49 bytes, and then 20 for each. */
const COINS_PROGRAM = /^0x603160205b388210[0-9a-f]{82}((?:[0-9a-f]{40})+)$/
const COINS_DIGITS = 32

/** Undefined for another call. This chain runs no programs, but knows what this one would answer. */
function coinsOfAll(chain: TestChain, call: unknown, block: unknown): string | undefined {
  const [, digits] = COINS_PROGRAM.exec(parameter(call, 'data').toLowerCase()) ?? []
  const balances = digits
    ?.match(/.{40}/g)
    ?.map((each) =>
      chain.balance(EVM_COIN, `0x${each}`, upToOf(chain, block)).toString(16).padStart(COINS_DIGITS, '0'),
    )
  return balances && `0x${balances.join('')}`
}

/** `balanceOf(address)`. */
const BALANCE_CALL = /^0x70a08231[0-9a-f]{24}([0-9a-f]{40})$/i

/** What a call asks for of the balance of an address; undefined for another call. */
function balanceOf(chain: TestChain, call: unknown, block: unknown): bigint | undefined {
  const [, digits] = BALANCE_CALL.exec(parameter(call, 'data')) ?? []
  if (digits === undefined) return undefined
  return chain.balance(parameter(call, 'to').toLowerCase(), `0x${digits.toLowerCase()}`, upToOf(chain, block))
}

async function sendRaw(chain: TestChain, raw: string): Promise<Answer> {
  const read = readTransaction(raw)
  const why = typeof read === 'string' ? read : (lackOf(chain, read) ?? (await chain.send(read.transfer)))
  if (why !== undefined) return { error: { code: -32_000, message: why } }
  return typeof read === 'string' ? { result: null } : { result: read.transfer.txHash }
}

interface ReadTransaction {
  readonly transfer: Omit<CoinTransfer, 'blockNumber'>
  /** What it may cost, in wei. */
  readonly costMax: bigint
}

/** A node takes nothing that its sender could not pay for; of what it has already, it says so. */
function lackOf(chain: TestChain, { transfer, costMax }: ReadTransaction): string | undefined {
  if (chain.transfer(transfer.txHash) !== undefined) return undefined
  const given = transfer.token === EVM_COIN ? BigInt(transfer.units) : 0n
  const has = chain.balance(EVM_COIN, transfer.from, chain.headNumber() + 1)
  return has < costMax + given ? 'insufficient funds for gas * price + value' : undefined
}

/** Why it is none that this chain carries out, as a text. */
function readTransaction(raw: string): ReadTransaction | string {
  try {
    const transaction = Transaction.fromHex(raw)
    const fields = transaction.raw
    if (!('maxFeePerGas' in fields) || fields.chainId !== BigInt(TEST_CHAIN_ID))
      return 'invalid chain id for signer'
    const to = fields.to.toLowerCase()
    const isPlain = fields.data.replace(/^0x/, '') === ''
    const call = isPlain ? { payee: to, units: fields.value } : readTransferCall(fields.data)
    if (call === undefined) return 'the test chain carries out transfers only'
    return {
      costMax: fields.gasLimit * fields.maxFeePerGas,
      transfer: {
        txHash: `0x${transaction.hash.replace(/^0x/, '').toLowerCase()}`,
        token: isPlain ? EVM_COIN : to,
        from: transaction.sender.toLowerCase(),
        to: call.payee,
        units: String(call.units),
        sent: { nonce: Number(fields.nonce), price: String(BASE_FEE + TIP) },
      },
    }
  } catch {
    return 'this is no signed transaction'
  }
}

/** Null until its block is there. */
function receiptOf(chain: TestChain, txHash: string): object | null {
  const transfer = chain.transfer(txHash)
  if (transfer === undefined || transfer.blockNumber > chain.headNumber()) return null
  const log = toLog(chain, transfer, 0)
  return {
    transactionHash: txHash,
    status: '0x1',
    gasUsed: hex(gasUsedBy(transfer)),
    logs: transfer.token === EVM_COIN ? [] : [log],
    blockNumber: log.blockNumber,
    blockHash: log.blockHash,
    effectiveGasPrice: `0x${BigInt(transfer.sent?.price ?? BASE_FEE).toString(16)}`,
  }
}

function logs(chain: TestChain, filter: unknown): Answer {
  const [from, to] = [numberOf(parameter(filter, 'fromBlock')), numberOf(parameter(filter, 'toBlock'))]
  if (to - from >= RANGE_BLOCKS_MAX)
    return { error: { code: -32_005, message: `the range has more than ${RANGE_BLOCKS_MAX} blocks` } }
  const tokens = new Set(listIn(filter, 'address').map((token) => String(token).toLowerCase()))
  return { result: chain.transfers(from, to, tokens).map((transfer, index) => toLog(chain, transfer, index)) }
}

function toLog(chain: TestChain, transfer: CoinTransfer, index: number) {
  const { blockNumber, txHash, token, from, to, units } = transfer
  return {
    address: token,
    transactionHash: txHash,
    logIndex: hex(index),
    removed: false,
    topics: [TRANSFER_TOPIC, topicOf(from), topicOf(to)],
    data: word(BigInt(units)),
    blockNumber: hex(blockNumber),
    blockHash: chain.block(blockNumber)?.hash,
  }
}

const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`
const hex = (number: number): string => `0x${number.toString(16)}`
const topicOf = (address: string): string => `0x${address.slice(2).padStart(64, '0')}`
const numberOf = (given: unknown): number =>
  typeof given === 'string' && /^0x[0-9a-f]{1,12}$/i.test(given) ? Number(given) : -1

function listIn(given: unknown, name: string): readonly unknown[] {
  if (typeof given !== 'object' || given === null) return []
  const value: unknown = Reflect.get(given, name)
  return Array.isArray(value) ? value : []
}

/** What a link of EIP-681 asks for, as the gateway writes them: coins of a token, or the chain's own. */
const TOKEN_LINK =
  /^ethereum:(0x[0-9a-f]{40})@(\d{1,12})\/transfer\?address=(0x[0-9a-f]{40})&uint256=(\d{1,40})$/i
const COIN_LINK = /^ethereum:(0x[0-9a-f]{40})@(\d{1,12})\?value=(\d{1,40})$/i

/** A wallet of the sandbox: whoever opens a payment's link there can pay it, or something else. */
export function walletRoutes(scope: FormScope, chain: TestChain): void {
  scope.get('/wallet', (request, reply) => {
    const wish = wishOf(parameter(request.query, 'link'))
    if (wish === undefined) return show(reply, 404, missingPage())
    const currency = currencyOf(parameter(request.query, 'currency'))
    return show(
      reply,
      200,
      walletPage({ ...wish, currency, isSent: parameter(request.query, 'sent') === '1' }),
    )
  })
  scope.post('/wallet', (request, reply) => pay(chain, request, reply))
}

interface Wish {
  readonly link: string
  readonly token: string
  readonly to: string
  readonly units: bigint
}

function wishOf(link: string): Wish | undefined {
  const [, coinTo, coinChain, coins] = COIN_LINK.exec(link) ?? []
  const [, token = EVM_COIN, chainId = coinChain, to = coinTo ?? '', units = coins ?? ''] =
    TOKEN_LINK.exec(link) ?? []
  if (chainId !== String(TEST_CHAIN_ID)) return undefined
  return { link, token: token.toLowerCase(), to: to.toLowerCase(), units: BigInt(units) }
}

const currencyOf = (text: string): string => (/^[A-Z0-9]{3,10}$/.test(text) ? text : 'coins')

/** What a payer may do, by the button: how often, and how much. */
const CHOICES: Readonly<Record<string, (units: bigint) => readonly bigint[]>> = {
  exact: (units) => [units],
  less: (units) => [units / 2n],
  more: (units) => [units + units / 2n],
  twice: (units) => [units, units],
}

async function pay(chain: TestChain, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (comesFromElsewhere(request)) return show(reply, 403, refusedPage('Pay at the page of the wallet.'))
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  const wish = wishOf(form.get('link') ?? '')
  const choice = CHOICES[form.get('choice') ?? '']
  if (wish === undefined || choice === undefined)
    return show(reply, 400, refusedPage('Go back and try again.'))
  for (const units of choice(wish.units))
    if (units > 0n) await chain.pay({ token: wish.token, to: wish.to, units: String(units) })
  const query = new URLSearchParams({
    link: wish.link,
    currency: currencyOf(form.get('currency') ?? ''),
    sent: '1',
  })
  return reply.redirect(`/wallet?${query}`, 303)
}
