import { runSql } from '@tollgate/testkit'

// In place of pg_restore: the database that `--dbname` names becomes a copy of PRETEND_ORIGINAL_URL.

const PREFIX = '--dbname='
const target = new URL(process.argv.find((arg) => arg.startsWith(PREFIX))?.slice(PREFIX.length) ?? '')
const original = new URL(process.env['PRETEND_ORIGINAL_URL'] ?? '')

const nameOf = ({ pathname }: URL): string => pathname.slice(1)
const server = new URL(original)
server.pathname = 'postgres'

await runSql(server.href, `drop database ${nameOf(target)} with (force)`)
await runSql(server.href, `create database ${nameOf(target)} template ${nameOf(original)} strategy file_copy`)
