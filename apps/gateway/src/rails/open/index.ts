export { createOpenRail, type OpenRailOptions } from './rail.ts'
