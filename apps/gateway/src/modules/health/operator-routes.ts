import {
  answers,
  InstitutionListSchema,
  InstitutionParams,
  InstitutionSaySchema,
  InstitutionSchema,
  RailListSchema,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import type { Rail } from '../../rails/rail.ts'
import type { HealthService, InstitutionHealth } from './service.ts'

const operation = operatorOperationsOf('Institutions')
const NO_CONTENT = { type: 'null', description: 'Cleared.' }
const SECONDS_IN_MINUTE = 60

interface HealthOperatorDeps {
  readonly health: HealthService
  readonly rails: ReadonlyMap<string, Rail>
}

/** Rails, and whether banks, wallets and rails are there. */
export function healthOperatorRoutes(app: App, { health, rails }: HealthOperatorDeps): void {
  app.get(
    '/operator/rails',
    operation('listRails', 'institutions.read', {
      summary: 'List the rails and what each can do',
      response: { 200: RailListSchema },
    }),
    () => Promise.resolve({ data: [...rails.values()].map(presentRail) }),
  )
  app.get(
    '/operator/institutions',
    operation('listInstitutions', 'institutions.read', {
      summary:
        'List institutions that are, or were, anything but operational, and what operators say of them',
      response: { 200: InstitutionListSchema },
    }),
    async () => ({ data: (await health.list()).map(present) }),
  )
  sayRoutes(app, health)
}

function sayRoutes(app: App, health: HealthService): void {
  const path = '/operator/institutions/:type/:code/:direction'
  app.put(
    path,
    operation('setInstitution', 'institutions.change', {
      summary: 'Say what an institution is, whatever the workers see; closed ones take no payment',
      params: InstitutionParams,
      body: InstitutionSaySchema,
      response: answers({ 200: InstitutionSchema }, 410),
    }),
    async (request) => {
      const { availability, reason, minutes } = request.body
      const set = await health.set(request.params, {
        availability,
        reason,
        operatorCode: operatorOf(request).code,
        forSeconds: minutes === undefined ? undefined : minutes * SECONDS_IN_MINUTE,
      })
      return present(set)
    },
  )
  app.delete(
    path,
    operation('clearInstitution', 'institutions.change', {
      summary: 'Let the workers see for themselves again',
      params: InstitutionParams,
      response: answers({ 204: NO_CONTENT }, 410),
    }),
    async ({ params }, reply) => {
      await health.clear(params)
      return reply.code(204).send()
    },
  )
}

function presentRail(rail: Rail) {
  const { directions, flows, cancels, handsOverByFile } = rail.capabilities
  return {
    railCode: rail.code,
    directions,
    flows,
    cancels,
    notifies: rail.readNotification !== undefined,
    handsOverByFile: handsOverByFile === true,
  }
}

function present({ institution, observed, observedSince, results, byHand }: InstitutionHealth) {
  return {
    ...institution,
    availability: byHand?.availability ?? observed,
    observed,
    observedSince: observedSince.toISOString(),
    ...results,
    ...(byHand !== undefined && {
      said: {
        availability: byHand.availability,
        reason: byHand.reason,
        operatorCode: byHand.operatorCode,
        since: byHand.since.toISOString(),
        ...(byHand.until !== undefined && { until: byHand.until.toISOString() }),
      },
    }),
  }
}
