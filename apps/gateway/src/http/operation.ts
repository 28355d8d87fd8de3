import { answers } from '@tollgate/contract'
import type { OperatorPermission } from '@tollgate/contract/words'
import type { FastifyContextConfig } from 'fastify'
import type { TSchema } from 'typebox'

/** What a route takes and answers, by its schemas. */
interface Described {
  readonly summary: string
  readonly description?: string
  readonly params?: TSchema
  readonly querystring?: TSchema
  readonly body?: TSchema
  /** Of its errors only its own: those that every route can answer are added. */
  readonly response: Readonly<Record<number, TSchema>>
}

type Documented<Schema> = Schema & { operationId: string; tags: string[] }

/** Gives what makes the options of a merchant's route of its tag. Each one can answer 400, 401, 403, 404, 429 and 500. */
export const operationsOf =
  (tag: string) =>
  <const Schema extends Described>(operationId: string, schema: Schema): { schema: Documented<Schema> } => ({
    schema: {
      ...schema,
      operationId,
      tags: [tag],
      response: answers(schema.response, 400, 401, 403, 404, 429, 500),
    },
  })

const INPUTS = ['params', 'querystring', 'body'] as const

/**
 * Gives what makes the options of an operator's route of its tag: who may call it, and how it is documented. Each one can answer
 * 401, 403, 429 and 500, and 400 where there is something to give it.
 */
export const operatorOperationsOf =
  (tag: string) =>
  <const Schema extends Described>(
    operationId: string,
    permission: OperatorPermission,
    schema: Schema,
    config: FastifyContextConfig = {},
  ): { config: FastifyContextConfig; schema: Documented<Schema> } => {
    const refusals = INPUTS.some((part) => schema[part] !== undefined) ? [400] : []
    const described = config.stepUp === true ? { description: withTouch(schema.description) } : {}
    const response = answers(schema.response, ...refusals, 401, 403, 429, 500)
    return {
      config: { ...config, permission },
      schema: { ...schema, ...described, operationId, tags: [tag], response },
    }
  }

const TOUCH =
  'A session of a passkey needs a fresh touch for this: the header X-Step-Up with a secret of POST /operator/step-ups/!finish.'
const withTouch = (description: string | undefined): string =>
  description === undefined ? TOUCH : `${description} ${TOUCH}`

/** The same for routes by which an operator signs in, who is nobody yet. */
export const signInOperationsOf =
  (tag: string) =>
  <const Schema extends Described>(
    operationId: string,
    schema: Schema,
  ): { config: FastifyContextConfig; schema: Documented<Schema> & { security: [] } } => ({
    config: { access: 'sign-in' },
    schema: {
      ...schema,
      operationId,
      tags: [tag],
      security: [],
      response: answers(schema.response, ...(schema.body === undefined ? [] : [400]), 429, 500),
    },
  })
