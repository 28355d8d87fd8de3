export { type BoundedMap, createBoundedMap } from './bounded-map.ts'
export {
  type Clock,
  drawBytes,
  type Ids,
  randomIds,
  randomIdsIn,
  readableFrom,
  stopwatch,
  systemClock,
  type WallClock,
} from './clock-and-ids.ts'
export type { Log } from './log.ts'
export { endUnread, STILL_MS } from './unread-answers.ts'
