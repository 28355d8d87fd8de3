import { isRecord } from './values.ts'

/** What an audit comes to. Lines that begin with `note: ` are shown although the check passes. */
interface Verdict {
  readonly isFault: boolean
  readonly lines: readonly string[]
}

const SEVERE = ['high', 'critical']

/** Reads what `npm audit --json` said. An answer without a report means that the registry was not reached. */
export function judge(text: string): Verdict {
  const report = parse(text)
  const vulnerabilities = isRecord(report) ? report['vulnerabilities'] : undefined
  if (!isRecord(vulnerabilities))
    return {
      isFault: false,
      lines: [`note: the registry gave no advisories, so none were looked at${reasonIn(report)}`],
    }
  const severe = Object.entries(vulnerabilities).flatMap(([name, found]) => {
    const severity = isRecord(found) ? String(found['severity']) : ''
    return SEVERE.includes(severity)
      ? [`${name}: ${severity}, versions ${rangeIn(found)}. See \`npm audit\`.`]
      : []
  })
  return { isFault: severe.length > 0, lines: severe }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const reasonIn = (report: unknown): string =>
  isRecord(report) && typeof report['message'] === 'string' ? `: ${report['message']}` : ''

const rangeIn = (found: unknown): string => (isRecord(found) ? String(found['range']) : '')
