import { openPaymentsJob } from '@tollgate/medusa-provider'
import { tollgate } from '../tollgate.js'

// A shop runs it each minute. The lab has less patience.

export default openPaymentsJob({ ...tollgate, refundAgeSeconds: 10 })
export const config = { name: 'tollgate-open-payments', schedule: { interval: 5_000 } }
