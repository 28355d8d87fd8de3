import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readJson, replaceSection, updateJson, withoutDetails } from '../../rig/page.ts'
import { figure, markdownTable, terminalTable } from '../../rig/table.ts'
import type { Measured } from '../contenders/contender.ts'
import type { Round } from '../measure/round.ts'
import { RATIO_NAMES, type Run, resultsOf } from '../report/results.ts'
import { barChart, latencyChart, lineChart, shortNumber } from '../report/svg.ts'
import { absoluteRows, ratioRows } from '../report/table.ts'

const round = (perSecond: number): Round => ({
  perSecond,
  requests: perSecond,
  latencyMs: { p50: 1, p99: 2, p999: 3, max: 4 },
  cpuMicroseconds: { contender: 100, postgres: 50, generator: 10 },
  residentMib: 200,
  walBytesPerRequest: 2_000,
  fullPageBytesPerRequest: 500,
  fsyncsPerRequest: 0.03,
  idleShare: 0.04,
})

const measured = (name: string, ...speeds: readonly number[]): Measured => ({
  name,
  title: `the title of ${name}`,
  rounds: speeds.map(round),
})

const run: Run = {
  takenOn: '2026-01-02',
  machine: { processor: 'Some <CPU>', cores: 2, memoryGib: 8, system: 'Linux 6.1', fdatasyncMs: 0.1 },
  versions: { node: '24' },
  database: { fsync: 'on' },
  options: { rounds: 3 },
  startSeconds: null,
  life: null,
  measured: [
    measured('wholeLife', 400, 500, 600),
    measured('pgbenchLife', 1000, 1000, 1000),
    measured('createPayin', 1000, 2000, 3000),
    measured('pgbenchPayin', 1000, 1000, 1000),
    measured('bareRoute', 4000, 4000, 4000),
    measured('createPayinBatchOfOne', 500, 500, 500),
    { name: 'peer', title: 'a peer', rounds: [], missing: 'not installed: npm i it' },
  ],
}

test('every ratio is there: the median of the rounds, or null and why', () => {
  const results = resultsOf(run)
  assert.deepEqual(Object.keys(results.ratios), [...RATIO_NAMES])
  assert.deepEqual(results.ratios, {
    wholeLifeVsPgbench: 0.5,
    createVsPgbench: 2,
    createVsBareRoute: 0.5,
    createVsBatchOfOne: 4,
    hotPayoutVsPgbench: null,
    createVsPeer: null,
  })
  assert.deepEqual(results.ratioSpreads.createVsPgbench, { median: 2, min: 1, max: 3 })
  assert.deepEqual(results.reasons, {
    hotPayoutVsPgbench: 'createPayoutHot was not measured',
    createVsPeer: 'a peer: not installed: npm i it',
  })
})

test('all raw rounds are kept, with their medians', () => {
  const { contenders } = resultsOf(run)
  assert.equal(contenders[2]?.rounds.length, 3)
  assert.equal(contenders[2].summary?.perSecond, 2000)
  assert.deepEqual(contenders[2].summary.latencyMs, { p50: 1, p99: 2, p999: 3, max: 4 })
  assert.equal(contenders[6]?.summary, null)
})

test('the tables say what is missing, and why', () => {
  const results = resultsOf(run)
  assert.deepEqual(ratioRows(results).at(-1), [
    'create payin / stripe-stateful-mock (in memory)',
    '–',
    'a peer: not installed: npm i it',
  ])
  assert.deepEqual(absoluteRows(results).at(-1), ['a peer', 'not installed: npm i it'])
  assert.equal(absoluteRows(results)[2]?.[1], '2,000')
})

test('tables line up on a terminal and are tables in Markdown', () => {
  const rows = [
    ['a', '1'],
    ['long name', '1,000'],
  ]
  assert.equal(
    terminalTable(['what', 'n'], rows),
    ['what           n', '─────────  ─────', 'a              1', 'long name  1,000'].join('\n'),
  )
  assert.equal(
    markdownTable(['what', 'n'], rows),
    '| what | n |\n| --- | ---: |\n| a | 1 |\n| long name | 1,000 |',
  )
})

test('figures have the digits that are worth reading', () => {
  assert.deepEqual([12_345.6, 45.67, 1.234, 0.0456].map(figure), ['12,346', '45.7', '1.23', '0.046'])
  assert.deepEqual([5_000_000, 12_345, 999.4, 0.125].map(shortNumber), ['5 M', '12.3 k', '999', '0.125'])
})

const isSvg = (svg: string): void => {
  assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 760 \d+"/)
  assert.doesNotMatch(svg, /NaN|Infinity|undefined/)
  const opened = [...svg.matchAll(/<([a-z]+)[^>]*[^/]>/g)].length
  assert.equal(opened, [...svg.matchAll(/<\/[a-z]+>/g)].length)
}

test('plots are well-formed and carry their words escaped', () => {
  const bars = barChart('a < b & c', [
    { label: 'one', value: 1, min: 0.5, max: 2, shown: '1.00' },
    { label: 'two', value: 0, min: 0, max: 0, shown: '0' },
  ])
  isSvg(bars)
  assert.match(bars, /<title>a &lt; b &amp; c<\/title>/)
  isSvg(
    latencyChart('latencies', [
      {
        label: 'create',
        values: [
          ['p50', 0.04],
          ['p99', 120],
        ],
      },
    ]),
  )
  isSvg(latencyChart('none', []))
  isSvg(
    lineChart({
      title: 'growth',
      xLabel: 'payments',
      yLabel: 'µs',
      isLogarithmic: true,
      lines: [
        {
          label: 'in all',
          points: [
            [10_000, 300],
            [1_000_000, 350],
          ],
        },
      ],
    }),
  )
})

test('a longer bar stands for a larger number', () => {
  const svg = barChart('bars', [
    { label: 'one', value: 1, min: 1, max: 1, shown: '1' },
    { label: 'three', value: 3, min: 3, max: 3, shown: '3' },
  ])
  const [one, three] = [...svg.matchAll(/<rect x="330" y="[\d.]+" width="([\d.]+)"/g)].map(([, width]) =>
    Number(width),
  )
  assert.ok(one !== undefined && three !== undefined)
  assert.ok(Math.abs(three - 3 * one) < 1)
})

test('only the section between its markers is written anew', () => {
  const page = 'By hand.\n<!-- run: figures of the last run -->\nold\n<!-- run: end -->\nMore by hand.\n'
  const once = replaceSection(page, 'run', 'new figures')
  assert.equal(
    once,
    'By hand.\n<!-- run: figures of the last run -->\n\nnew figures\n\n<!-- run: end -->\nMore by hand.\n',
  )
  assert.equal(replaceSection(once, 'run', 'new figures'), once)
  assert.throws(() => replaceSection(page, 'soak', 'x'), /no section/)
})

test('a file of figures keeps what others wrote, whole numbers to the last digit, and six digits of the rest', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-report-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'figures.json')
  assert.deepEqual(readJson(file), {})
  updateJson(file, { seed: 4_294_967_295 })
  updateJson(file, { share: 0.123456789 })
  assert.deepEqual(readJson(file), { seed: 4_294_967_295, share: 0.123457 })
  assert.ok(readFileSync(file, 'utf8').endsWith('}\n'))
})

test('the summary of a run leaves out the lists of single rounds, and keeps their number and their medians', () => {
  const contenders = [
    { name: 'createPayin', rounds: [{ perSecond: 1 }, { perSecond: 3 }], summary: { perSecond: 2 } },
  ]
  assert.deepEqual(
    withoutDetails({ options: { rounds: 2 }, contenders, soak: { minutes: 10, samples: [1] } }),
    {
      options: { rounds: 2 },
      contenders: [{ name: 'createPayin', summary: { perSecond: 2 } }],
      soak: { minutes: 10 },
    },
  )
})
