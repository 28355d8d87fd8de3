import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPERATOR_PERMISSIONS, OPERATOR_ROLES } from '@tollgate/contract/words'
import { mayDo, PERMISSIONS, permissionsOf, problemOfRoles } from '../model.ts'

// Who may do what, as somebody who decides about it would write it down. A change of the model has to be a change here.
const MATRIX = `
                     AUDITOR  SUPPORT  FINANCE  APPROVER  CATALOGUE  ADMIN
  self.read             x        x        x        x          x        x
  payins.read           x        x        x        x          -        -
  payouts.read          x        x        x        x          -        -
  payouts.approve       -        -        -        x          -        -
  payouts.unmask        -        -        -        x          -        -
  payments.hold         -        x        x        x          -        -
  payments.release      -        -        -        x          -        -
  payments.trigger      -        x        -        -          -        -
  topups.read           x        x        x        x          -        -
  payout-files.read     x        x        x        x          -        -
  payout-files.change   -        -        x        -          -        -
  reviews.read          x        x        x        x          -        -
  reviews.decide        -        -        -        x          -        -
  callbacks.read        x        x        x        x          -        -
  callbacks.resend      -        x        -        -          -        -
  ledger.read           x        x        x        x          -        -
  volumes.recount       -        -        x        -          -        -
  settlements.read      x        x        x        x          -        -
  settlements.run       -        -        x        -          -        -
  statements.read       x        x        x        x          -        -
  statements.unmask     -        -        x        x          -        -
  statements.take       -        -        x        -          -        -
  statements.decide     -        -        x        -          -        -
  confirmations.read    x        x        x        x          -        -
  confirmations.decide  -        -        -        x          -        -
  confirmations.withdraw -        -        x        -          -        -
  rates.read            x        x        x        x          -        -
  rates.change          -        -        x        -          -        -
  retention.read        x        x        x        x          -        -
  customers.read        x        x        x        x          -        x
  customers.change      -        -        -        -          -        x
  catalogue.read        x        x        x        x          x        -
  catalogue.change      -        -        -        -          x        -
  catalogue.apply       -        -        -        -          x        -
  bank-accounts.read    x        x        x        x          -        x
  bank-accounts.change  -        -        -        -          -        x
  health.read           x        x        x        x          x        x
  institutions.read     x        x        x        x          x        -
  institutions.change   -        x        -        -          x        -
  institutions.unmask   -        -        x        x          -        -
  merchants.read        x        x        x        x          x        x
  merchants.change      -        -        -        -          -        x
  merchant-keys.change  -        -        -        -          -        x
  people.read           x        -        -        -          -        x
  people.change         -        -        -        -          -        x
  operators.read        x        -        -        -          -        x
  unmaskings.read       x        -        -        -          -        -
  operators.change      -        -        -        -          -        x
`

test('K2 each role may do exactly what the matrix says', () => {
  const [head = [], ...rows] = MATRIX.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  assert.deepEqual(head, OPERATOR_ROLES)
  assert.deepEqual(
    rows.map(([permission]) => permission),
    OPERATOR_PERMISSIONS,
  )
  const actual = OPERATOR_PERMISSIONS.map((permission) => [
    permission,
    ...OPERATOR_ROLES.map((role) => (mayDo({ roles: [role] }, permission) ? 'x' : '-')),
  ])
  assert.deepEqual(actual, rows)
})

test('K75 a merchant’s person may what the role at the merchant permits, whatever else the row says', () => {
  const person = (role: 'ADMIN' | 'STAFF') => ({
    roles: ['ADMIN' as const, 'APPROVER' as const],
    member: { merchantCode: 'SHOP', role },
  })
  assert.deepEqual(permissionsOf(person('STAFF')), [
    'self.read',
    'payins.read',
    'payouts.read',
    'topups.read',
    'callbacks.read',
    'callbacks.resend',
    'ledger.read',
    'settlements.read',
    'customers.read',
    'merchants.read',
    'people.read',
  ])
  const more = permissionsOf(person('ADMIN')).filter((each) => !mayDo(person('STAFF'), each))
  assert.deepEqual(more, ['merchant-keys.change', 'people.change'])
})

test('no role names a permission twice', () => {
  for (const [role, permissions] of Object.entries(PERMISSIONS))
    assert.equal(new Set(permissions).size, permissions.length, role)
})

test('several roles permit what each of them permits; none permits nothing', () => {
  assert.deepEqual(permissionsOf({ roles: ['ADMIN', 'CATALOGUE'] }), [
    'self.read',
    'customers.read',
    'customers.change',
    'catalogue.read',
    'catalogue.change',
    'catalogue.apply',
    'bank-accounts.read',
    'bank-accounts.change',
    'health.read',
    'institutions.read',
    'institutions.change',
    'merchants.read',
    'merchants.change',
    'merchant-keys.change',
    'people.read',
    'people.change',
    'operators.read',
    'operators.change',
  ])
  assert.deepEqual(permissionsOf({ roles: [] }), [])
})

test('who makes operators does not approve payouts', () => {
  assert.match(problemOfRoles(['ADMIN', 'SUPPORT', 'APPROVER']) ?? '', /different people/)
  assert.match(problemOfRoles([]) ?? '', /at least one role/)
  assert.equal(problemOfRoles(['APPROVER', 'FINANCE', 'SUPPORT']), undefined)
  assert.equal(problemOfRoles(['ADMIN', 'AUDITOR']), undefined)
})
