// What `tollgate serve --workers` and its processes say to each other, by the channel between parent and child.

/** Asks a process to finish what is under way and to end. */
export const STOP = 'stop'

/** A question for the metrics of a process, and its answer under the same number. */
export interface MetricsQuestion {
  readonly metricsQuestion: number
}

export interface MetricsAnswer {
  readonly metricsAnswer: number
  /** In the text format of Prometheus. */
  readonly text: string
}

export function isMetricsQuestion(message: unknown): message is MetricsQuestion {
  return typeof message === 'object' && message !== null && 'metricsQuestion' in message
}

export function isMetricsAnswer(message: unknown): message is MetricsAnswer {
  return typeof message === 'object' && message !== null && 'metricsAnswer' in message && 'text' in message
}
