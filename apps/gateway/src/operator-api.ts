import type { App } from './http/app-type.ts'
import type { OperatorGateDeps } from './http/operator-gate.ts'
import type { OperatorServerDeps } from './http/operator-server.ts'
import { createOperatorServer } from './http/operator-server.ts'
import { createFailureThrottle } from './http/operator-throttle.ts'
import { createAuditLog } from './modules/audit/index.ts'
import { auditOperatorRoutes } from './modules/audit/operator-routes.ts'
import { createBankAccountAdministration } from './modules/bank-accounts/index.ts'
import { bankAccountOperatorRoutes } from './modules/bank-accounts/operator-routes.ts'
import type { BankChannelService } from './modules/bank-channels/index.ts'
import { bankChannelOperatorRoutes } from './modules/bank-channels/operator-routes.ts'
import { createCallbackService } from './modules/callbacks/index.ts'
import { callbackOperatorRoutes } from './modules/callbacks/operator-routes.ts'
import { catalogueDocumentRoutes } from './modules/catalogue/document-routes.ts'
import {
  createCatalogueDocuments,
  createCatalogueSettings,
  findTerms,
  findTermsRows,
} from './modules/catalogue/index.ts'
import { presentMethods, termsOperatorRoutes } from './modules/catalogue/operator-routes.ts'
import type { ChainService } from './modules/chains/index.ts'
import { chainOperatorRoutes } from './modules/chains/operator-routes.ts'
import { clockOperatorRoutes } from './modules/clocks/operator-routes.ts'
import { confirmationOperatorRoutes } from './modules/confirmations/operator-routes.ts'
import { customerOperatorRoutes } from './modules/customers/operator-routes.ts'
import { attentionRoutes } from './modules/health/attention-routes.ts'
import { healthOperatorRoutes } from './modules/health/operator-routes.ts'
import { systemHealthRoutes } from './modules/health/system-routes.ts'
import { createFailedDocuments } from './modules/inbox/index.ts'
import { failedDocumentOperatorRoutes } from './modules/inbox/operator-routes.ts'
import { createJournalReader } from './modules/journal/index.ts'
import { journalOperatorRoutes } from './modules/journal/operator-routes.ts'
import { createBalanceReader } from './modules/ledger/index.ts'
import { balanceOperatorRoutes } from './modules/ledger/operator-routes.ts'
import {
  createLogoService,
  createMerchantCodes,
  createMerchantService,
  type MerchantCodeOf,
  requireMerchantId,
} from './modules/merchants/index.ts'
import { merchantOperatorRoutes } from './modules/merchants/operator-routes.ts'
import { notificationOperatorRoutes } from './modules/notifications/operator-routes.ts'
import { operatorAccountRoutes } from './modules/operators/account-routes.ts'
import { identityDeskRoutes, identityRoutes, signInWaysRoute } from './modules/operators/identity-routes.ts'
import {
  createIdentityDesk,
  createIdentityService,
  createMemberService,
  createOperatorAuthenticator,
  createOperatorService,
  createPasskeyService,
  createProvider,
  createSessionService,
  createStepUpService,
  insertOperatorRequest,
  invite,
  listOperatorRequests,
  listUnmaskings,
  mayDo,
  merchantInCode,
  redirectUriOf,
  relyingPartyOf,
  updateOperatorRequestAnswered,
} from './modules/operators/index.ts'
import { invitationRoutes } from './modules/operators/invitation-routes.ts'
import { memberRoutes } from './modules/operators/member-routes.ts'
import { operatorRoutes } from './modules/operators/operator-routes.ts'
import { passkeyRoutes } from './modules/operators/passkey-routes.ts'
import { operatorSessionRoutes } from './modules/operators/session-routes.ts'
import { stepUpRoutes } from './modules/operators/step-up-routes.ts'
import { explainRoutes } from './modules/payments/explain-routes.ts'
import {
  createPaymentDesk,
  createPaymentSearch,
  createVolumeReader,
  recountVolumes,
  triggerOutcome,
} from './modules/payments/index.ts'
import { paymentOperatorRoutes } from './modules/payments/operator-routes.ts'
import { paymentSearchRoutes } from './modules/payments/search-routes.ts'
import { volumeRoutes } from './modules/payments/volume-routes.ts'
import type { PayoutFileRouteDeps } from './modules/payout-files/index.ts'
import { payoutFileOperatorRoutes } from './modules/payout-files/operator-routes.ts'
import { gapOperatorRoutes } from './modules/payouts/gap-routes.ts'
import { holdOperatorRoutes } from './modules/payouts/hold-routes.ts'
import { createPayoutSettings } from './modules/payouts/index.ts'
import { payoutOperatorRoutes } from './modules/payouts/operator-routes.ts'
import { payeeOperatorRoutes } from './modules/payouts/payee-routes.ts'
import { payoutSettingOperatorRoutes } from './modules/payouts/settings-routes.ts'
import { createRateAdministration } from './modules/rates/index.ts'
import { rateOperatorRoutes } from './modules/rates/operator-routes.ts'
import { createRetentionService, findHorizon } from './modules/retention/index.ts'
import { retentionOperatorRoutes } from './modules/retention/operator-routes.ts'
import { reviewOperatorRoutes } from './modules/reviews/operator-routes.ts'
import { createConverter, createSettlementAdministration, runCycles } from './modules/settlements/index.ts'
import { settlementOperatorRoutes } from './modules/settlements/operator-routes.ts'
import { findSuspense } from './modules/statements/index.ts'
import { statementOperatorRoutes } from './modules/statements/operator-routes.ts'
import { createTokenAdministration } from './modules/tokens/index.ts'
import { tokenOperatorRoutes } from './modules/tokens/operator-routes.ts'
import { readAttention } from './rooms/attention.ts'
import { advancesOf, buildClocks } from './rooms/clocks.ts'
import type { Confirmations } from './rooms/confirmations.ts'
import { buildHealthService } from './rooms/health.ts'
import type { Identity } from './rooms/identity.ts'
import { MEMBER_ACCESS } from './rooms/member-access.ts'
import { decimalsBy, type Parts, retentionDays } from './rooms/parts.ts'
import { readHistory } from './rooms/payment-history.ts'
import type { Payments } from './rooms/payments.ts'
import { buildRestoreGap, FILE_RAILS } from './rooms/restore-gap.ts'
import { expiringIn } from './rooms/retention.ts'
import type { Statements } from './rooms/statements.ts'
import { readSystemHealth } from './rooms/system-health.ts'

/** Everything that operators look at and change. */
type GivenRooms = Parts &
  Omit<Identity, 'authenticator'> &
  Payments & {
    readonly statements: Statements
    readonly payoutFiles: PayoutFileRouteDeps
    readonly bankChannels: { readonly service: BankChannelService }
    readonly chains: { readonly service: ChainService }
    readonly confirmations: Confirmations
  }

type OperatorRooms = GivenRooms & { readonly merchantCodeOf: MerchantCodeOf }

/**
 * The console beside us passes on the addresses of its visitors, so that strangers at its sign-in use up no operator's share. Other
 * processes of this machine gain nothing: they may come from any address of 127.0.0.0/8 as it is.
 */
const trustedHere = (proxies: readonly string[]): readonly string[] =>
  proxies.length === 0 ? proxies : [...proxies, 'loopback']

/** The operator API, apart from the merchants' one: a room's operator routes are registered here. */
export async function buildOperatorApi(
  given: GivenRooms,
  edge: Pick<OperatorServerDeps, 'limiter' | 'draining'>,
): Promise<App> {
  const rooms = { ...given, merchantCodeOf: createMerchantCodes(given.db) }
  const { config, db } = rooms
  const people = buildPeople(rooms)
  const app = await createOperatorServer({
    ...rooms,
    ...edge,
    ...people,
    mayDo,
    publicUrl: config.publicOperatorUrl,
    trustProxy: trustedHere(config.trustProxy),
    isLive: config.isLive,
    addressRatePerSecond: config.TOLLGATE_ADDRESS_RATE_PER_SECOND,
  })
  operatorRoutes(app, {
    listUnmaskings: (page) => listUnmaskings(db, page),
    listRequests: (page) => listOperatorRequests(db, page),
  })
  auditOperatorRoutes(app, createAuditLog(rooms))
  operatorAccountRoutes(app, createOperatorService(rooms))
  operatorSessionRoutes(app, createSessionService(people.deps))
  signInRooms(app, rooms, people)
  identityRooms(app, rooms, people)
  merchantRooms(app, rooms)
  paymentRooms(app, rooms)
  bookRooms(app, rooms)
  return app
}

/** How operators prove who they are, and what is noted of what they ask for. */
function buildPeople(rooms: OperatorRooms) {
  const { config, db } = rooms
  const url = config.publicConsoleUrl
  const limits = {
    idleMinutes: config.TOLLGATE_OPERATOR_SESSION_IDLE_MINUTES,
    hours: config.TOLLGATE_OPERATOR_SESSION_HOURS,
  }
  const relyingParty = url === undefined ? undefined : relyingPartyOf(url)
  const deps = { ...rooms, limits, needsSecondPerson: rooms.config.needsSecondPerson }
  const requests: OperatorGateDeps['requests'] = {
    note: (request) =>
      insertOperatorRequest(db, {
        ...request,
        merchantCode: merchantInCode(request.operatorCode) ?? request.merchantCode,
      }),
    answered: (requestNo, status) => updateOperatorRequestAnswered(db, requestNo, status),
  }
  const stepUps = relyingParty && createStepUpService({ ...deps, relyingParty })
  return {
    deps,
    relyingParty,
    requests,
    consoleUrl: url,
    touches: stepUps,
    members: memberGate(rooms),
    authenticator: createOperatorAuthenticator({ ...rooms, sessionIdleMinutes: limits.idleMinutes }),
    throttle: createFailureThrottle(rooms.clock),
    stepUps: stepUps ?? { take: () => Promise.resolve(false) },
  }
}

/** Asks the database: whoever belongs to a merchant that was closed must not work for a second more. */
const memberGate = ({ merchants }: OperatorRooms): OperatorGateDeps['members'] => ({
  table: MEMBER_ACCESS,
  isOpen: async (merchantCode) => (await merchants.lookUp(merchantCode))?.status === 'ACTIVE',
})

/** Passkeys are bound to the console's address: where there is none, keys are all there is. */
function signInRooms(app: App, rooms: OperatorRooms, people: ReturnType<typeof buildPeople>): void {
  const { relyingParty, consoleUrl, touches, deps } = people
  if (relyingParty === undefined || consoleUrl === undefined || touches === undefined) return
  invitationRoutes(app, { invite: (invited) => invite(rooms, invited), consoleUrl })
  passkeyRoutes(app, {
    ...rooms,
    ...people,
    relyingParty,
    passkeys: createPasskeyService({ ...deps, relyingParty }),
  })
  stepUpRoutes(app, { stepUps: touches, relyingParty })
  memberRoutes(app, { ...naming(rooms), members: createMemberService(rooms), consoleUrl })
}

/** The provider of identities, where there is one; links can be looked after without it. */
function identityRooms(app: App, rooms: OperatorRooms, people: ReturnType<typeof buildPeople>): void {
  const { deps, consoleUrl, relyingParty } = people
  const { oidc } = rooms.config
  identityDeskRoutes(app, createIdentityDesk(rooms))
  signInWaysRoute(app, {
    passkeys: relyingParty !== undefined,
    oidc: oidc && { name: oidc.name },
  })
  const provider =
    oidc &&
    consoleUrl &&
    createProvider({
      settings: oidc,
      redirectUri: redirectUriOf(consoleUrl),
      nowMs: () => rooms.clock.monotonicMs(),
    })
  const identities = provider ? createIdentityService({ ...deps, provider }) : undefined
  identityRoutes(app, { ...rooms, ...people, identities })
}

/** Merchants are named by their codes. */
const naming = ({ merchants, merchantCodeOf }: OperatorRooms) => ({
  merchantIdOf: (merchantCode: string) => requireMerchantId(merchants, merchantCode),
  merchantCodeOf,
})

function merchantRooms(app: App, rooms: OperatorRooms): void {
  const { config, db, catalogue } = rooms
  const directions = new Map(
    [...rooms.rails].map(([code, { capabilities }]) => [code, capabilities.directions] as const),
  )
  merchantOperatorRoutes(app, {
    merchants: createMerchantService(rooms),
    logos: createLogoService(rooms),
    signer: rooms.signer,
    methodsOf: async (merchantId) => presentMethods(await findTerms(db, merchantId)),
    afterDisabling: (merchantCode) => createMemberService(rooms).endSessions(merchantCode),
    needsSecondPerson: config.needsSecondPerson,
    isNarrow: config.isLive,
    publicApiUrl: config.publicApiUrl,
  })
  tokenOperatorRoutes(app, {
    ...rooms,
    tokens: createTokenAdministration(rooms),
    merchants: createMerchantService(rooms),
  })
  termsOperatorRoutes(app, {
    ...naming(rooms),
    settings: createCatalogueSettings({ db, rails: directions }),
    findTerms: (merchantId) => findTerms(db, merchantId),
    findTermsRows: (merchantId) => findTermsRows(db, merchantId),
    methodsFor: (direction) =>
      [...catalogue.current().methods.values()]
        .filter(({ sides }) => sides.has(direction))
        .map(({ code }) => code),
  })
  catalogueDocumentRoutes(app, createCatalogueDocuments({ db, rails: directions }))
  bankAccountOperatorRoutes(app, createBankAccountAdministration(rooms))
}

function paymentRooms(app: App, rooms: OperatorRooms): void {
  const { clock, db, patientDb, approvals, config } = rooms
  const callbacks = createCallbackService(rooms)
  const findRemovedUntil = () => findHorizon(db, 'DELIVERIES')
  paymentOperatorRoutes(
    app,
    createPaymentDesk({
      ...naming(rooms),
      callbacks,
      findRemovedUntil,
      payments: rooms.stored,
      readHistory: (key) => readHistory(db, key),
      trigger: config.isLive
        ? undefined
        : (payment, outcome) => triggerOutcome({ ...rooms, payments: rooms.stored }, payment, outcome),
    }),
  )
  if (!config.isLive) clockOperatorRoutes(app, { ...naming(rooms), clocks: buildClocks(rooms) })
  explainRoutes(app, { ...rooms, ...naming(rooms), payments: rooms.stored })
  paymentSearchRoutes(app, { ...naming(rooms), payments: createPaymentSearch(db) })
  volumeRoutes(app, {
    ...naming(rooms),
    clock,
    volumes: createVolumeReader(db),
    // Years of figures take longer than a request is given.
    recount: (day) => patientDb.transaction((tx) => recountVolumes(tx, day)),
  })
  payoutOperatorRoutes(app, approvals)
  holdOperatorRoutes(app, approvals)
  payeeOperatorRoutes(app, approvals)
  payoutSettingOperatorRoutes(app, { ...naming(rooms), settings: createPayoutSettings(rooms) })
  gapOperatorRoutes(app, {
    ...naming(rooms),
    clock: rooms.clock,
    gap: buildRestoreGap(rooms),
    fileRails: FILE_RAILS,
  })
  payoutFileOperatorRoutes(app, rooms.payoutFiles)
  notificationOperatorRoutes(app, rooms.notifications.service)
  reviewOperatorRoutes(app, rooms.reviews)
  statementOperatorRoutes(app, rooms.statements)
  failedDocumentOperatorRoutes(app, createFailedDocuments(rooms))
  bankChannelOperatorRoutes(app, rooms.bankChannels.service)
  chainOperatorRoutes(app, rooms.chains.service)
  confirmationOperatorRoutes(app, rooms.confirmations)
  callbackOperatorRoutes(app, {
    ...naming(rooms),
    callbacks,
    findRemovedUntil,
  })
  healthOperatorRoutes(app, { health: buildHealthService(rooms), rails: rooms.rails })
  systemHealthRoutes(app, () => readSystemHealth(rooms))
  attentionRoutes(app, (operator) => readAttention(rooms, operator))
}

function bookRooms(app: App, rooms: OperatorRooms): void {
  const { config, patientDb } = rooms
  const named = naming(rooms)
  const advancedMs = advancesOf(rooms, patientDb)
  rateOperatorRoutes(app, { ...rooms, administration: createRateAdministration(rooms) })
  settlementOperatorRoutes(app, {
    ...named,
    administration: createSettlementAdministration({ ...rooms, advancedMs }),
    run: (order) =>
      runCycles(
        {
          ...rooms,
          // What is due of all merchants may take longer than a request is given.
          db: patientDb,
          advancedMs,
          convert: createConverter({ ...rooms, minorUnitsOf: decimalsBy(rooms.catalogue) }),
        },
        order,
      ),
    isLive: config.isLive,
  })
  customerOperatorRoutes(app, { ...rooms, ...named })
  balanceOperatorRoutes(app, {
    ...named,
    balances: createBalanceReader(rooms),
    findSuspense: () => findSuspense(rooms.db),
  })
  journalOperatorRoutes(app, createJournalReader({ ...rooms, ...named }))
  // Counting all that is over may take longer than a request is given.
  retentionOperatorRoutes(
    app,
    createRetentionService({
      db: patientDb,
      expiring: expiringIn(config),
      days: retentionDays(config),
      documentDays: config.TOLLGATE_RETENTION_DOCUMENTS_DAYS,
    }),
  )
}
