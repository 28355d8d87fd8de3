import { runSql } from '@tollgate/testkit'

/** Does the work while nobody who reads a name in full can be noted. */
export async function whileNothingIsNoted(databaseUrl: string, work: () => Promise<void>): Promise<void> {
  await runSql(
    databaseUrl,
    `create function nothing_is_noted() returns trigger language plpgsql as $$ begin raise exception 'nothing is noted'; end $$`,
  )
  await runSql(
    databaseUrl,
    'create trigger nothing_is_noted before insert on unmaskings for each statement execute function nothing_is_noted()',
  )
  try {
    await work()
  } finally {
    await runSql(databaseUrl, 'drop function nothing_is_noted cascade')
  }
}
