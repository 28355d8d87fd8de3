export { type ClockService, createClockService } from './service.ts'
export { findClock } from './store.ts'
export { onClockAdvance } from './wakes.ts'
