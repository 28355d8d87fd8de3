import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { updatePage, updateResults } from '../../rig/page.ts'
import { ROOT } from '../../rig/programs.ts'
import { figure, markdownTable } from '../../rig/table.ts'
import type { Growth } from '../growth.ts'
import { statementTable, tableTable } from '../parts/life-profile.ts'
import { askedRow, HOME_P95_MAX_MS, P95_MAX_MS, SEARCH_HEAD, type SearchFigures } from '../search/search.ts'
import type { Soak } from '../soak.ts'
import { RATIO_NAMES, RATIO_SOURCES, type Results } from './results.ts'
import { barChart, latencyChart, lineChart } from './svg.ts'
import { ABSOLUTE_HEAD, absoluteRows, RATIO_HEAD, ratioFigure, ratioRows } from './table.ts'

const JSON_FILE = 'performance.json'
const PAGE = join(ROOT, 'docs/performance.md')
const PLOTS = join(ROOT, 'docs/performance')

/** Writes the figures of a run into docs/: the JSON, the plots, and their part of the page. */
export function writeResults(results: Results): void {
  updateResults(JSON_FILE, { ...results })
  writePlot('ratios.svg', ratioPlot(results))
  writePlot('latencies.svg', latencyPlot(results))
  updatePage(PAGE, 'run', runSection(results))
}

export function writeGrowth(growth: Growth): void {
  updateResults(JSON_FILE, { growth })
  writePlot(
    'growth.svg',
    lineChart({
      title: 'Cost of a payment as payments pile up',
      xLabel: 'payments stored',
      yLabel: 'CPU µs per payment',
      isLogarithmic: true,
      lines: [
        {
          label: 'in all',
          points: growth.sizes.map(({ payments, cpuMicroseconds }) => [payments, cpuMicroseconds] as const),
        },
        {
          label: 'PostgreSQL',
          points: growth.sizes.map(
            ({ payments, summary }) => [payments, summary.cpuMicroseconds.postgres] as const,
          ),
        },
      ],
    }),
  )
  updatePage(PAGE, 'growth', growthSection(growth))
}

export function writeSoak(soak: Soak): void {
  updateResults(JSON_FILE, { soak })
  writePlot(
    'soak.svg',
    lineChart({
      title: `Memory at ${figure(soak.ratePerSecond)} payments a second`,
      xLabel: 'minutes',
      yLabel: 'MiB',
      lines: [
        { label: 'API process', points: soak.samples.map(({ minute, apiMib }) => [minute, apiMib] as const) },
        {
          label: 'worker',
          points: soak.samples.map(({ minute, workerMib }) => [minute, workerMib] as const),
        },
      ],
    }),
  )
  updatePage(PAGE, 'soak', soakSection(soak))
}

export function writeSearch(search: SearchFigures): void {
  updateResults(JSON_FILE, { search })
  updatePage(PAGE, 'search', searchSection(search))
}

function writePlot(name: string, svg: string): void {
  mkdirSync(PLOTS, { recursive: true })
  writeFileSync(join(PLOTS, name), svg)
}

function ratioPlot({ ratioSpreads }: Results): string {
  const bars = RATIO_NAMES.flatMap((name) => {
    const spread = ratioSpreads[name]
    if (spread === undefined) return []
    const { median, min, max } = spread
    return [{ label: RATIO_SOURCES[name].short, value: median, min, max, shown: ratioFigure(median) }]
  })
  return barChart('Ratios: median of the rounds, and what they lay between', bars)
}

function latencyPlot({ contenders }: Results): string {
  const groups = contenders.flatMap(({ title, summary }) => {
    const latencyMs = summary?.latencyMs
    if (latencyMs === null || latencyMs === undefined) return []
    const { p50, p99, p999 } = latencyMs
    return [
      { label: title, values: [['p50', p50] as const, ['p99', p99] as const, ['p99.9', p999] as const] },
    ]
  })
  return latencyChart('Latencies in milliseconds, logarithmic', groups)
}

function runSection(results: Results): string {
  const { machine, options, database, versions, startSeconds, life } = results
  const list = (values: Readonly<Record<string, string | number>>): string =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')
  return [
    `Taken on ${results.takenOn}: ${machine.processor}, ${machine.cores} cores for everybody, ${machine.memoryGib} GiB, ${machine.system}; one fdatasync takes ${figure(machine.fdatasyncMs)} ms.`,
    `Versions: ${list(versions)}. PostgreSQL: ${list(database)}. Run: ${list(options)}.`,
    markdownTable(RATIO_HEAD, ratioRows(results)),
    '![Ratios](performance/ratios.svg)',
    markdownTable(ABSOLUTE_HEAD, absoluteRows(results)),
    '![Latencies](performance/latencies.svg)',
    ...(life === null
      ? []
      : [
          `Of a whole life, ${figure(life.walBytes - life.fullPageBytes)} bytes of log without full-page images:`,
          markdownTable(...statementTable(life)),
          markdownTable(...tableTable(life)),
        ]),
    ...(startSeconds === null
      ? []
      : [
          `The API process gives its first good answer ${figure(startSeconds.median)} s after its start (${figure(startSeconds.min)}–${figure(startSeconds.max)} s).`,
        ]),
  ].join('\n\n')
}

function growthSection({ takenOn, sizes, merchants }: Growth): string {
  const [smallest] = sizes
  const rows = sizes.map(({ payments, summary, cpuMicroseconds, databaseGib }) => [
    figure(payments),
    figure(summary.perSecond),
    ratioFigure((smallest?.summary.perSecond ?? 0) / summary.perSecond),
    figure(cpuMicroseconds),
    ratioFigure(cpuMicroseconds / (smallest?.cpuMicroseconds ?? 1)),
    figure(databaseGib),
  ])
  const head = ['payments stored', 'creates/s', 'time, relative', 'CPU µs', 'CPU, relative', 'database GiB']
  return [
    `Taken on ${takenOn}, with payments of ${figure(merchants)} merchants.`,
    markdownTable(head, rows),
    '![Growth](performance/growth.svg)',
  ].join('\n\n')
}

function soakSection({ takenOn, minutes, ratePerSecond, samples, latencyMs }: Soak): string {
  const [first] = samples
  const secondHalf = samples.slice(Math.floor(samples.length / 2))
  const p99 = latencyMs === null ? '' : `, p99 ${figure(latencyMs.p99)} ms`
  return [
    `Taken on ${takenOn}: ${figure(minutes)} minutes at ${figure(ratePerSecond)} payments a second, each paid and told by a worker${p99}. ` +
      `The API process began with ${figure(first?.apiMib ?? 0)} MiB and held ${span(secondHalf.map(({ apiMib }) => apiMib))} in the second half; ` +
      `the worker began with ${figure(first?.workerMib ?? 0)} and held ${span(secondHalf.map(({ workerMib }) => workerMib))}.`,
    '![Memory](performance/soak.svg)',
  ].join('\n\n')
}

const SHOWN_MAX = 12

/** All leads and filters would be a page of their own: the file of figures has them. */
function searchSection(found: SearchFigures): string {
  const { takenOn, machine, loads, payments, merchants, searches, all, home, exported } = found
  const slowest = searches.toSorted((one, other) => other.p95 - one.p95).slice(0, SHOWN_MAX)
  const { rows, seconds, firstThirdMib, lastThirdMib } = exported
  return [
    `Taken on ${takenOn}: ${machine.processor}, ${machine.cores} cores for everybody, ${machine.memoryGib} GiB, with ${figure(payments)} payments of ${figure(merchants)} merchants over two years. ${busyText(loads)}`,
    goalsText(found),
    `The slowest of ${searches.length} filters and pairs of filters:`,
    markdownTable([...SEARCH_HEAD], [...slowest, all, home].map(askedRow)),
    `Exports of ${figure(rows)} payments in all took ${figure(seconds)} s; the gateway held ${figure(firstThirdMib)} MiB in the first third of it and ${figure(lastThirdMib)} in the last.`,
  ].join('\n\n')
}

/** Less is what a machine has without anybody's work. */
const BUSY_LOAD = 0.5

function busyText([before, last]: SearchFigures['loads']): string {
  const says = `The machine's load was ${figure(before)} before the run and ${figure(last)} at its end`
  return before < BUSY_LOAD
    ? `${says}, of which most is its own.`
    : `${says}: others worked on it, too, so times are longer than they need be.`
}

function goalsText({ searches, home }: SearchFigures): string {
  const slow = searches.filter(({ p95 }) => p95 >= P95_MAX_MS).length
  const searched = slow === 0 ? 'all reached it' : `${slow} of ${searches.length} missed it`
  const shown = home.p95 < HOME_P95_MAX_MS ? 'which it reached' : 'which it missed'
  return `The goal was a p95 below ${P95_MAX_MS} ms for each filter and pair: ${searched}. For the home page it was ${HOME_P95_MAX_MS} ms, ${shown}.`
}

const span = (values: readonly number[]): string =>
  `${figure(Math.min(...values))} to ${figure(Math.max(...values))}`
