import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_REDIS, redisServer } from '@tollgate/testkit'
import { readConfig } from '../../config.ts'
import { examineRedis } from '../doctor/examine.ts'

const statusesFor = async (environment: Readonly<Record<string, string>>): Promise<readonly string[]> =>
  (await examineRedis(readConfig(environment))).map(({ status }) => status)

test('the doctor looks at Redis where one is set, and warns when it is not there', async () => {
  assert.deepEqual(await statusesFor({}), [])
  assert.deepEqual(await statusesFor({ TOLLGATE_REDIS_URL: 'redis://127.0.0.1:1' }), ['WARN'])
})

test('the doctor finds a Redis that answers well', { skip: NO_REDIS }, async (t) => {
  const { url } = await redisServer(t)
  assert.deepEqual(await statusesFor({ TOLLGATE_REDIS_URL: url }), ['OK'])
})
