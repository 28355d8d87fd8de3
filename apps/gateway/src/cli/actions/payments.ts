import { randomIds } from '@tollgate/runtime'
import { createPaymentService, type PaymentService } from '../../modules/payments/index.ts'
import { createMetrics } from '../../platform/metrics.ts'
import type { House } from '../house.ts'
import type { Shell } from '../shell.ts'

/** A single look takes no batches. */
export function servicePayments(shell: Shell, house: House): PaymentService {
  return createPaymentService({
    ...house,
    clock: shell.clock,
    ids: randomIds,
    metrics: createMetrics(),
    batchRowsMax: 1,
    batchesInFlightMax: 1,
  })
}
