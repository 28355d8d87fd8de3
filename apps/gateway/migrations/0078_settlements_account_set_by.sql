-- Who set the account by the operator API: settlements to an account that one operator set wait for approval until one to it was approved.
-- Null for the command line, and for what is there already: those do not wait.
alter table settlement_accounts add column set_by text;

drop trigger settlement_accounts_audited on settlement_accounts;
create trigger settlement_accounts_audited after insert or update or delete on settlement_accounts
  for each row execute function audit_change('method_code operator_code masked_number set_by', 'sealed', 'currency_code');
