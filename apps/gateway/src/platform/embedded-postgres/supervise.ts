import { EmbeddedPostgresFailure } from './failure.ts'
import type { Postmaster, PostmasterExit } from './postmaster.ts'

interface Supervision {
  /** The running server to begin with. */
  readonly postmaster: Postmaster
  readonly start: () => Promise<Postmaster>
  readonly onExit: (exit: PostmasterExit) => void
  /** Called once, after `stop` has done its work or failed at it. */
  readonly onStopped: () => void
}

interface Supervised {
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Keeps order between restarts, the stop, and servers that end by themselves: only the last kind is reported. */
export function supervise(supervision: Supervision): Supervised {
  let current: Postmaster | undefined
  let restarting: Promise<void> | undefined
  let stopping: Promise<void> | undefined

  const watch = (postmaster: Postmaster): void => {
    current = postmaster
    void postmaster.exited.then((exit) => {
      if (current !== postmaster) return
      current = undefined
      supervision.onExit(exit)
    })
  }
  const stopCurrent = async (): Promise<void> => {
    const postmaster = current
    current = undefined
    await postmaster?.stop()
  }
  const restartNow = async (): Promise<void> => {
    await stopCurrent()
    watch(await supervision.start())
  }
  const stopNow = async (): Promise<void> => {
    try {
      await restarting?.catch(() => undefined)
      await stopCurrent()
    } finally {
      supervision.onStopped()
    }
  }

  watch(supervision.postmaster)
  return {
    restart: async () => {
      if (stopping !== undefined) throw new EmbeddedPostgresFailure('The embedded database has been stopped.')
      restarting ??= restartNow().finally(() => {
        restarting = undefined
      })
      await restarting
    },
    stop: () => {
      stopping ??= stopNow()
      return stopping
    },
  }
}
