/** Wakes one sleeper. A ring that comes while nobody sleeps is kept until `reset`. */
export interface Alarm {
  ring(): void
  reset(): void
  /** Sleeps for at least so many milliseconds, or until a ring. */
  wait(ms: number): Promise<void>
}

export function createAlarm(): Alarm {
  let isRung = false
  let wakeUp = (): void => undefined
  return {
    ring() {
      isRung = true
      wakeUp()
    },
    reset() {
      isRung = false
    },
    async wait(ms) {
      if (isRung) return
      await new Promise<void>((resolve) => {
        // A timer may fire up to a millisecond early.
        const timer = setTimeout(resolve, Math.ceil(ms) + 1)
        wakeUp = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
  }
}
