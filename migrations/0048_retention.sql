-- beside: yes
-- What nobody may remove, whatever its age: everything of a customer, what is about a person, or one object. A person is
-- known by blind indexes of the address alone; why, and who it is, is sealed.
create table legal_holds (
  id uuid primary key,
  customer_id int not null references customers (id),
  kind text not null check (kind in ('customer', 'person', 'form', 'submission', 'message')),
  target uuid check ((target is not null) = (kind in ('form', 'submission', 'message'))),
  person_indexes bytea[] check ((person_indexes is not null) = (kind = 'person')),
  sealed bytea not null,
  set_by_kind text not null,
  set_by text not null,
  set_at timestamptz not null,
  release bytea,
  released_by_kind text,
  released_by text,
  released_at timestamptz check ((released_at is null) = (release is null))
);
create index legal_holds_standing on legal_holds (customer_id, id) where released_at is null;
create index legal_holds_newest on legal_holds (customer_id, id);
call carepost_protect('legal_holds');
create policy finder on legal_holds for select to carepost_finder using (true);
grant select, insert on legal_holds to carepost_app;
grant update (release, released_by_kind, released_by, released_at) on legal_holds to carepost_app;
grant select on legal_holds to carepost_worker;
grant update (sealed, release) on legal_holds to carepost_worker;
grant select (id, customer_id, released_at) on legal_holds to carepost_finder;
create function find_hold_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from legal_holds where id = wanted $$;
call carepost_hand_over('find_hold_customer(uuid)', 'carepost_finder', 'carepost_app');

-- Whether a hold keeps something that is one of these objects, or is about one of these people.
create function is_held(of_customer int, objects uuid[], people bytea[]) returns boolean
  language sql stable set search_path = public, pg_temp
  as $$
    select exists (select from legal_holds h
      where h.customer_id = of_customer and h.released_at is null
        and (h.kind = 'customer' or h.target = any(objects) or h.person_indexes && people))
  $$;

-- How long a customer keeps what, where it chose otherwise than the operator. The audit log goes below six years
-- (45 CFR 164.316(b)(2)(i)) only with a reason.
create table retention_settings (
  customer_id int primary key references customers (id),
  content_days int check (content_days > 0),
  sandbox_days int check (sandbox_days > 0),
  log_days int check (log_days > 0),
  webhook_days int check (webhook_days > 0),
  work_days int check (work_days > 0),
  marketing_days int check (marketing_days > 0),
  audit_years int check (audit_years > 0),
  audit_reason text,
  updated_at timestamptz not null,
  check (audit_years >= 6 or audit_reason is not null)
);
call carepost_protect('retention_settings');
create policy finder on retention_settings for select to carepost_finder using (true);
grant select, insert, update on retention_settings to carepost_app;
grant select on retention_settings to carepost_worker;
grant select on retention_settings to carepost_finder;

-- Where a customer's audit log begins, once what was older is gone: the hash that the first row left goes on from, signed
-- by the installation.
create table audit_cuts (
  customer_id int primary key,
  seq bigint not null,
  hash bytea not null,
  years int not null,
  at text not null,
  signature text not null
);
call carepost_protect('audit_cuts');
create policy finder on audit_cuts to carepost_finder using (true) with check (true);
create policy sealer on audit_cuts for select to carepost_sealer using (true);
grant select on audit_cuts to carepost_app, carepost_sealer, carepost_worker;
grant select, insert, update on audit_cuts to carepost_finder;

create function refuse_change_but_removal() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_user = 'carepost_finder' then return old; end if;
  raise exception '% is insert-only', tg_table_name;
end $$;
-- safe beside: another that refuses no less stands in its place at once
drop trigger insert_only on audit_log;
-- safe beside: the version before changes and removes nothing there
create trigger insert_only before update or delete on audit_log for each row execute function refuse_change_but_removal();
-- safe beside: another that refuses no less stands in its place at once
drop trigger insert_only on audit_chain;
-- safe beside: the version before changes and removes nothing there
create trigger insert_only before update or delete on audit_chain for each row execute function refuse_change_but_removal();
create policy remover on audit_log to carepost_finder using (true);
create policy remover on audit_chain to carepost_finder using (true);
create policy finder on audit_signed_heads for select to carepost_finder using (true);
grant select (id, customer_id, at), delete on audit_log to carepost_finder;
grant select (customer_id, seq, audit_id), delete on audit_chain to carepost_finder;
grant select (customer_id, seq, hash) on audit_signed_heads to carepost_finder;
grant select on audit_chain, audit_signed_heads to carepost_worker;
grant select (id, at, customer_id) on audit_log to carepost_worker;

-- Removes the beginning of a customer's audit log, up to a head that was signed. Nobody has another way to remove a row,
-- and this one looks for itself whether all of it is old enough and nothing of the customer is held.
create function remove_audit(of_customer int, up_to bigint, kept_years int, moment timestamptz, cut_at text, cut_signature text)
  returns bigint
  language plpgsql security definer set search_path = public, pg_temp
  as $$
declare
  head_hash bytea;
  removed bigint;
begin
  if of_customer <> all(coalesce(nullif(current_setting('carepost.customers', true), '')::int[], '{}')) then
    raise exception 'the audit log is cut for the customer that is worked on';
  end if;
  select hash into head_hash from audit_signed_heads where customer_id = of_customer and seq = up_to;
  if head_hash is null then raise exception 'the audit log is cut at a signed head only'; end if;
  if kept_years < 6 and not exists (select from retention_settings r where r.customer_id = of_customer
      and r.audit_years = kept_years and r.audit_reason is not null) then
    raise exception 'the audit log is kept for six years';
  end if;
  perform pg_advisory_xact_lock_shared(hashtext('carepost legal hold'), of_customer);
  if exists (select from legal_holds h where h.customer_id = of_customer and h.released_at is null) then
    raise exception 'a legal hold keeps the audit log';
  end if;
  if exists (select from audit_chain c join audit_log l on l.id = c.audit_id
      where c.customer_id = of_customer and c.seq <= up_to and l.at >= (moment at time zone 'UTC' - make_interval(years => kept_years)) at time zone 'UTC') then
    raise exception 'a row of the audit log is not old enough';
  end if;
  insert into audit_cuts (customer_id, seq, hash, years, at, signature)
    values (of_customer, up_to, head_hash, kept_years, cut_at, cut_signature)
    on conflict (customer_id) do update set seq = excluded.seq, hash = excluded.hash, years = excluded.years,
      at = excluded.at, signature = excluded.signature
    where audit_cuts.seq < excluded.seq;
  with gone as (delete from audit_chain where customer_id = of_customer and seq <= up_to returning audit_id)
    delete from audit_log l using gone where l.id = gone.audit_id;
  get diagnostics removed = row_count;
  return removed;
end $$;
call carepost_hand_over('remove_audit(int, bigint, int, timestamptz, text, text)', 'carepost_finder', 'carepost_worker');

-- Customers that are destroyed, or about to be: how far it has come, and in the end the signed certificate.
alter table customers add column destroyed_at timestamptz;
create table customer_destructions (
  customer_id int primary key references customers (id),
  id uuid not null unique,
  began_at timestamptz not null,
  began_by_kind text not null,
  began_by text not null,
  reason text,
  counts jsonb not null default '{}',
  certificate jsonb
);
call carepost_protect('customer_destructions');
grant select, insert, update on customer_destructions to carepost_app;
grant select on customer_destructions to carepost_worker;
grant update (counts) on customer_destructions to carepost_worker;
create function refuse_change_of_certified() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.certificate is not null then raise exception 'a certificate of destruction stays as it is'; end if;
  return new;
end $$;
create trigger certified before update or delete on customer_destructions
  for each row execute function refuse_change_of_certified();

-- Lets the worker remove rows of the customers in its setting: retention does, and the end of a customer. Of tables that
-- it does not read, it sees the keys of rows and no more. Called again before a customer is destroyed, for tables that came
-- later.
create procedure carepost_let_remove() language plpgsql as $$
declare
  each record;
begin
  for each in
    select c.oid::regclass as name, string_agg(distinct quote_ident(a.attname), ', ') as columns
    from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
      join pg_attribute a on a.attrelid = c.oid and (a.attnum = any(i.indkey) or a.attname = 'customer_id')
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'customer_id')
      and c.relname not in ('audit_log', 'audit_chain', 'audit_heads', 'audit_signed_heads', 'audit_cuts', 'destructions',
        'customer_keys', 'key_destructions', 'customer_destructions')
    group by 1
  loop
    execute format('grant delete, select (%s) on %s to carepost_worker', each.columns, each.name);
  end loop;
end $$;
call carepost_let_remove();

-- What else retention looks at.
grant select (ends_on, pdf_blob_id) on agreements to carepost_worker;
grant select (expires_at) on user_setup_links to carepost_worker;
grant select (deleted_at) on dynamic_templates to carepost_worker;

-- What the first page of the dashboard counts.
-- safe beside: what is set aside is taken away within days, the table stays small
create index drip_facts_set_aside on drip_facts (customer_id) where set_aside;
-- safe beside: one row for each sign-in of staff, thousands at most
create index user_sessions_seen on user_sessions (customer_id, seen_at);
