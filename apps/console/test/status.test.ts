import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAYMENT_STATUSES, PROCESSOR_STATUSES } from '@tollgate/contract/words'
import { statusLook } from '../src/status.ts'

const ENDED: Readonly<Record<string, string>> = {
  SUCCESS: 'Succeeded',
  FAILED: 'Failed',
  EXPIRED: 'Expired',
  CANCELLED: 'Cancelled',
  REVERSED: 'Reversed',
}

const OPEN: Readonly<Record<string, string>> = {
  SUBMITTED: 'In progress',
  DETECTED: 'In progress',
  REFERENCE_SUBMITTED: 'In progress',
  AWAITING_APPROVAL: 'Needs approval',
  ON_HOLD: 'On hold',
  UNKNOWN: 'Unknown',
}

const SAID_ALWAYS: Readonly<Record<string, string>> = { IN_REVIEW: 'In review', CONFIRMED_LATE: 'Paid late' }

test('a payment that has ended says how, whatever phase it was in last', () => {
  for (const status of PAYMENT_STATUSES)
    for (const phase of PROCESSOR_STATUSES) {
      const expected = SAID_ALWAYS[phase] ?? ENDED[status] ?? OPEN[phase] ?? 'Waiting'
      assert.equal(statusLook(status, phase)[2], expected, `${status} ${phase}`)
    }
})
