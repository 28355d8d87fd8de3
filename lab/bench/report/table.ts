import { figure, type Row } from '../../rig/table.ts'
import { RATIO_NAMES, RATIO_SOURCES, type Results } from './results.ts'

/** A ratio is never shown as a rounded 0 or 1 that it is not. */
export const ratioFigure = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(2))

const COLUMNS = [
  'measured',
  'per second',
  'p50 ms',
  'p99 ms',
  'p99.9 ms',
  'CPU µs: it',
  'PostgreSQL',
  'load',
  'RSS MiB',
  'WAL B',
  'of it pages',
  'fsyncs',
  'idle %',
] as const

/** The rows of the ratios: name, median, and what the rounds lay between. */
export function ratioRows(results: Results): readonly Row[] {
  return RATIO_NAMES.map((name) => {
    const spread = results.ratioSpreads[name]
    const { title } = RATIO_SOURCES[name]
    if (spread === undefined) return [title, '–', results.reasons[name] ?? '']
    return [title, ratioFigure(spread.median), `${ratioFigure(spread.min)}–${ratioFigure(spread.max)}`]
  })
}

export const RATIO_HEAD: Row = ['ratio', 'median', 'rounds']

/** The rows of everyone who took part, and of those who could not. */
export function absoluteRows({ contenders }: Results): readonly Row[] {
  return contenders.map(({ title, summary, missing }) => {
    if (summary === null) return [title, missing ?? 'not measured']
    const { latencyMs, cpuMicroseconds: cpu } = summary
    const optional = (value: number): string => (value === 0 ? '' : figure(value))
    return [
      title,
      figure(summary.perSecond),
      ...(latencyMs === null ? ['', '', ''] : [latencyMs.p50, latencyMs.p99, latencyMs.p999].map(figure)),
      optional(cpu.contender),
      optional(cpu.postgres),
      optional(cpu.generator),
      optional(summary.residentMib),
      optional(summary.walBytesPerRequest),
      optional(summary.fullPageBytesPerRequest),
      optional(summary.fsyncsPerRequest),
      (100 * summary.idleShare).toFixed(0),
    ]
  })
}

export const ABSOLUTE_HEAD: Row = COLUMNS
