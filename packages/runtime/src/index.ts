export { type Clock, systemClock, type WallClock } from './clock.ts'
export { drawBytes, type Ids, randomIds, readableFrom } from './ids.ts'
export type { Log } from './log.ts'
