import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Counter, Histogram, Registry } from 'prom-client'
import { mergeExpositions } from '../programs/processes.ts'

async function expositionOf(process: string, requests: number): Promise<string> {
  const registry = new Registry()
  registry.setDefaultLabels({ process })
  const answers = new Counter({
    name: 'answers_total',
    help: 'A\nB',
    labelNames: ['status'],
    registers: [registry],
  })
  answers.inc({ status: '200' }, requests)
  const took = new Histogram({ name: 'took_seconds', help: 'Time.', buckets: [1], registers: [registry] })
  took.observe(2)
  return registry.metrics()
}

test('the metrics of several processes stand under one head, each series with its process', async () => {
  const merged = mergeExpositions([await expositionOf('1', 3), '', await expositionOf('2', 4)])
  assert.deepEqual(merged.split('\n'), [
    '# HELP answers_total A\\nB',
    '# TYPE answers_total counter',
    'answers_total{status="200",process="1"} 3',
    'answers_total{status="200",process="2"} 4',
    '',
    '# HELP took_seconds Time.',
    '# TYPE took_seconds histogram',
    'took_seconds_bucket{le="1",process="1"} 0',
    'took_seconds_bucket{le="+Inf",process="1"} 1',
    'took_seconds_sum{process="1"} 2',
    'took_seconds_count{process="1"} 1',
    'took_seconds_bucket{le="1",process="2"} 0',
    'took_seconds_bucket{le="+Inf",process="2"} 1',
    'took_seconds_sum{process="2"} 2',
    'took_seconds_count{process="2"} 1',
    '',
  ])
})
