import { randomInt } from 'node:crypto'

/** Source of ids, handed in so that tests can predict them. */
export interface Ids {
  /** A short code by which a customer and the log name the same incident, such as `PG-7F3KQ2`. */
  incident(): string
}

/** Without letters and digits that look like others. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const INCIDENT_LENGTH = 6

export const randomIds: Ids = {
  incident: () =>
    `PG-${Array.from({ length: INCIDENT_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')}`,
}
