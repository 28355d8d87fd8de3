-- A file is released a second time after an answer that was lost: that is noted first, so that nobody takes it by hand meanwhile.
drop trigger payout_file_puts_forward on payout_file_puts;
create trigger payout_file_puts_forward before update on payout_file_puts for each row when (not (
  (old.state, new.state) in (
    ('WAITING', 'STAGING'), ('WAITING', 'BY_HAND'), ('WAITING', 'UNCLEAR'), ('STAGING', 'UNCLEAR'), ('STAGING', 'STAGING'), ('STAGING', 'RELEASING'), ('STAGING', 'BY_HAND'),
    ('RELEASING', 'RELEASING'), ('RELEASING', 'PUT'), ('RELEASING', 'UNCLEAR'), ('RELEASING', 'BY_HAND'), ('UNCLEAR', 'PUT'), ('UNCLEAR', 'BY_HAND'))
  and new.file_id = old.file_id and new.channel_code = old.channel_code
  and new.attempt = old.attempt + (new.state = 'STAGING')::int))
  execute function payout_file_puts_go_forward();
