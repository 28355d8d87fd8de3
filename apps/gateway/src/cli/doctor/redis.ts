import { createLog } from '@tollgate/runtime/log'
import type { Config } from '../../config.ts'
import { createRedisScript } from '../../platform/redis.ts'
import { type Finding, ok, warn } from './finding.ts'

const WRITES = `return redis.call('SET', KEYS[1], ARGV[1], 'PX', 1000)`

/** The Redis that the processes count the rate limit in, where there is one: reached, and writable. */
export async function examineRedis(config: Config): Promise<readonly Finding[]> {
  const { TOLLGATE_REDIS_URL: url } = config
  if (url === undefined) return []
  const script = createRedisScript({
    url,
    lua: WRITES,
    proof: { keys: ['tollgate:doctor'], args: [1] },
    log: createLog({ level: 'silent' }),
    consequence: '',
  })
  await script.start()
  const isThere = script.isThere()
  script.stop()
  return [
    isThere
      ? ok('redis', 'All processes share the rate limit.')
      : warn(
          'redis',
          'Redis does not answer, or cannot be written: each process counts the rate limit alone.',
          'Start it, or correct TOLLGATE_REDIS_URL; it must be a primary, 6.2 or newer.',
        ),
  ]
}
