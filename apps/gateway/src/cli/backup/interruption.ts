import { CommandFailure } from '../failure.ts'

/**
 * Runs work that the first SIGINT or SIGTERM asks to give up, by its signal. Throws the sentence then, once the work has
 * cleared up after itself.
 */
export async function untilInterrupted<Result>(
  sentence: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const onSignal = (): void => controller.abort()
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  try {
    return await work(controller.signal)
  } catch (error) {
    if (controller.signal.aborted) throw new CommandFailure('INTERRUPTED', sentence)
    throw error
  } finally {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
}
