import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openedRoutes, readRoutes } from '../token-routes.ts'

const ROUTES = readRoutes() ?? []

/** `METHOD path: ids` for each route that the entry opens. */
function opened(entry: string): readonly string[] {
  return openedRoutes(entry, ROUTES).openings.map(({ route, ids, isComplete }) => {
    const which = ids === 'ANY' ? '' : `: ${ids.join(' ')}${isComplete ? '' : ' …'}`
    return `${route.method} ${route.path}${which}`
  })
}

test('the routes are those of the API description, without those that give tokens', () => {
  assert.ok(
    ROUTES.some(({ method, path, summary }) => method === 'GET' && path === '/balances' && summary !== ''),
  )
  assert.ok(ROUTES.every(({ path }) => !path.startsWith('/auth-tokens')))
})

test('a literal entry opens its one payment only', () => {
  assert.deepEqual(opened('GET /payins/ORD-1'), ['GET /payins/{idPayin}: ORD-1'])
  assert.deepEqual(opened('GET /payins/ORD\\-1'), ['GET /payins/{idPayin}: ORD-1'])
})

test('a pattern opens any id where it takes strangers, and some where it does not', () => {
  assert.deepEqual(opened('GET /payins/[^/]+'), ['GET /payins/{idPayin}'])
  assert.deepEqual(opened('GET /payins/(A|B)'), ['GET /payins/{idPayin}: A B …'])
  assert.deepEqual(opened('GET /payins/ORD-[0-9]+'), ['GET /payins/{idPayin}: ORD-1 …'])
})

test('.* crosses slashes, so it opens what lies below, too', () => {
  assert.deepEqual(opened('GET /payins/.*').toSorted(), [
    'GET /payins/{idPayin}',
    'GET /payins/{idPayin}/accounts',
    'GET /payins/{idPayin}/refunds',
    'GET /payins/{idPayin}/refunds/{idRefund}',
  ])
  assert.deepEqual(opened('GET /payins.*').toSorted(), opened('GET /payins/.*').toSorted())
})

test('an entry that opens nothing, or is none, says so', () => {
  assert.deepEqual(opened('DELETE /payins/.*'), [])
  assert.deepEqual(opened('GET /nothing'), [])
  assert.match(openedRoutes('GET /a{2}', ROUTES).problem ?? '', /Repetition by count/)
})
