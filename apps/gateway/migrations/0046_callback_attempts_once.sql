-- An attempt's row is written with its result; until then the event says that it is under way. The version before writes the row
-- with the claim. Where it takes up an attempt again whose process was of this version, there is no row to count the new start
-- in: this does. It fires for rows without a result alone, and can go when no such version runs any more.
-- Stable, so that it sees the event as it was before the claim, which is the same statement.
create function count_start_without_row() returns trigger language plpgsql stable as $$
begin
  if exists (select from callback_events e where e.event_id = new.event_id and e.attempts_started = new.attempt_no
      and e.lease_token is not null and e.last_started_at < new.started_at) then
    new.starts := 2;
  end if;
  return new;
end $$;
create trigger callback_attempts_started_again before insert on callback_attempts
  for each row when (new.finished_at is null and new.starts = 1) execute function count_start_without_row();
