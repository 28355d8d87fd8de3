import { RATIO_NAMES, RATIO_SOURCES, type Results } from './results.ts'

/** A number with as many digits as are worth reading. */
export function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US')
  if (value >= 10) return value.toFixed(1)
  return value.toFixed(value >= 1 ? 2 : 3)
}

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
  'fsyncs',
] as const

export type Row = readonly string[]

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
      optional(summary.fsyncsPerRequest),
    ]
  })
}

export const ABSOLUTE_HEAD: Row = COLUMNS

/** A table for a terminal: the first column to the left, figures to the right. */
export function terminalTable(head: Row, rows: readonly Row[]): string {
  const widths = head.map((_, column) =>
    Math.max(
      ...[head, ...rows]
        .filter((row) => column === 0 || row.length === head.length)
        .map((row) => (row[column] ?? '').length),
    ),
  )
  const line = (row: Row): string =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return [head, widths.map((width) => '─'.repeat(width)), ...rows].map(line).join('\n')
}

/** The same in Markdown. */
export function markdownTable(head: Row, rows: readonly Row[]): string {
  const line = (row: Row): string => `| ${head.map((_, column) => row[column] ?? '').join(' | ')} |`
  const rule = `| ${head.map((_, column) => (column === 0 ? '---' : '---:')).join(' | ')} |`
  return [line(head), rule, ...rows.map(line)].join('\n')
}
