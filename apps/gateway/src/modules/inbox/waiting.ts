import { type FindWaiting, waitingBy } from '../../platform/waiting.ts'
import { maskReason } from './model.ts'

/** Between two parts of a text, since there was ASCII. */
const SEPARATOR = '\u001f'

const find = waitingBy('failed_documents_count', {
  kind: 'FAILED_DOCUMENTS',
  rows: `select put_aside_at as since, null::text as currency_code, null::numeric as amount,
    file_name || chr(31) || reason as about from failed_documents`,
})

/** Files of watched folders that could not be taken, and why. */
export const findFailedDocuments: FindWaiting = async (tx) => {
  const found = await find(tx)
  return found && { ...found, about: found.about.map(saysOf) }
}

function saysOf(named: string): string {
  const [fileName = '', ...reason] = named.split(SEPARATOR)
  return `${fileName}: ${maskReason(reason.join(' '))}`
}
