import { existsSync } from 'node:fs'

// Loaded into a gateway before all else: once the file is there, its clock is an hour ahead, then an hour behind, and so
// on. What is measured, as timers do it, goes on as ever.

const HOUR_MS = 3_600_000
const JUMP_EVERY_MS = 300

const file = process.env['TOLLGATE_TEST_CLOCK_JUMPS_FILE'] ?? ''
const trueNow = Date.now
let shiftMs = 0

Date.now = () => trueNow() + shiftMs
globalThis.Date = new Proxy(Date, {
  construct: (target, given: unknown[]) =>
    Reflect.construct(target, given.length === 0 ? [Date.now()] : given),
})

setInterval(() => {
  if (existsSync(file)) shiftMs = shiftMs === HOUR_MS ? -HOUR_MS : HOUR_MS
}, JUMP_EVERY_MS).unref()
