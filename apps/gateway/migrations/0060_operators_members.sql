-- People of merchants: they belong to one merchant for good, have a role there, and none of the house's.
-- Their code ends in the merchant's: lea@SHOP. So no record of what they did can be read as the house's.
alter table operators
  add column merchant_code text references merchants (merchant_code),
  add column member_role text check (member_role in ('ADMIN', 'STAFF')),
  add constraint operators_member_check check ((merchant_code is null) = (member_role is null)),
  drop constraint operators_operator_code_check,
  add constraint operators_operator_code_check check (
    case when merchant_code is null then operator_code ~ '^[a-z0-9._-]{2,64}$'
      else operator_code ~ '^[a-z0-9._-]{2,64}@' and split_part(operator_code, '@', 2) = merchant_code end),
  drop constraint operators_roles_check,
  add constraint operators_roles_check check (
    case when merchant_code is null then cardinality(roles) between 1 and 6
        and roles <@ array['AUDITOR', 'SUPPORT', 'FINANCE', 'APPROVER', 'CATALOGUE', 'ADMIN'] and not roles @> array['ADMIN', 'APPROVER']
      else roles = '{}' end);
create index operators_by_merchant on operators (merchant_code) where merchant_code is not null;

drop trigger operators_audited on operators;
create trigger operators_audited after insert or update or delete on operators
  for each row execute function audit_change('name roles status merchant_code member_role', '', 'operator_code');
