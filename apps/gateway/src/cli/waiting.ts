import { type Act, presentWaiting } from '../modules/confirmations/index.ts'
import type { Report } from './shell.ts'
import { moment } from './text.ts'

/** What a command says of an act that waits now. */
export const waitingReport = (act: Act): Report => ({
  json: presentWaiting(act),
  text: `Waits for a second operator as confirmation ${act.confirmationId}; nothing has followed.\nDigest ${act.digest}, until ${moment(act.expireAt)}.`,
})
