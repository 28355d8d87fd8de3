import { randomUUID } from 'node:crypto'

/** Source of ids, handed in so that tests can predict them. */
export interface Ids {
  uuid(): string
}

export const randomIds: Ids = { uuid: () => randomUUID() }
