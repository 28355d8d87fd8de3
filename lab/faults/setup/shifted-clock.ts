// Loaded before a program (`node --import`): its wall clock is off by as many milliseconds as CLOCK_AHEAD_MS says.

const aheadMs = Number(process.env['CLOCK_AHEAD_MS'])
const TrueDate = Date
const now = (): number => TrueDate.now() + aheadMs

globalThis.Date = new Proxy(TrueDate, {
  construct(target, given: readonly unknown[], called) {
    const made: unknown = Reflect.construct(target, given.length === 0 ? [now()] : given, called)
    if (made instanceof TrueDate) return made
    throw new TypeError('not a date')
  },
  get(target, name) {
    const own: unknown = Reflect.get(target, name)
    return name === 'now' ? now : own
  },
})
