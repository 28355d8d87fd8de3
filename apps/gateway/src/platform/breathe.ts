import { setImmediate as nextTurn } from 'node:timers/promises'

/** Lets everybody else have a turn of the event loop; for work that is done in small pieces. */
export const breathe = (): Promise<void> => nextTurn()
