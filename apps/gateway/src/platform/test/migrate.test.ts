import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate, pendingMigrations } from '../migrate.ts'
import { testPostgres } from './postgres.ts'

test('a database with the current schema has nothing to run', async (t) => {
  const { url, db } = await testPostgres(t)
  assert.deepEqual(await pendingMigrations(db), [])
  assert.deepEqual(await migrate({ url }), [])
})

test('several processes that start at once make the schema once', async (t) => {
  const { url, db, outside } = await testPostgres(t)
  await outside.query('drop schema public cascade')
  await outside.query('create schema public')
  const ran = await Promise.all([migrate({ url }), migrate({ url }), migrate({ url })])
  assert.equal(ran.filter((names) => names.length > 0).length, 1)
  assert.deepEqual(await pendingMigrations(db), [])
})

test('a migration that has not run is pending', async (t) => {
  const { db, outside } = await testPostgres(t)
  await outside.query(`delete from schema_migrations where name like '0002%'`)
  assert.deepEqual(await pendingMigrations(db), ['0002_merchants_create'])
})
