export { drawBytes } from './chance.ts'
export { type Clock, systemClock, type WallClock } from './clock.ts'
export { type Ids, randomIds, readableFrom } from './ids.ts'
export type { Log } from './log.ts'
