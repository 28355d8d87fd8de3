export type Row = readonly string[]

/** A number with as many digits as are worth reading. */
export function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US')
  if (value >= 10) return value.toFixed(1)
  return value.toFixed(value >= 1 ? 2 : 3)
}

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
