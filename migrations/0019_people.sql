-- Custom fields stand in the person's own row: a segment, an import and a mailing read them with the rest of it, and a
-- row per value would cost an import three times as much. Keys are the field's number, so that renaming moves nothing.
alter table custom_field_types
  add column number bigint generated always as identity unique,
  add column kind text not null default 'text',
  add column class text not null default 'personal';
alter table custom_field_types alter column kind drop default, alter column class drop default;

alter table subscribers
  add column fields jsonb not null default '{}',
  add column sealed_fields bytea,
  add column time_zone text,
  add column import_id uuid;

-- Forced policies hide every row from an owner who is no superuser: they are lifted while the values move.
alter table subscribers no force row level security;
alter table custom_field_types no force row level security;
alter table custom_field_values no force row level security;
update subscribers s set fields = v.fields
from (select v.customer_id, v.subscriber_id, jsonb_object_agg(t.number::text, v.value) as fields
  from custom_field_values v join custom_field_types t on t.id = v.custom_field_type_id group by 1, 2) v
where s.customer_id = v.customer_id and s.id = v.subscriber_id;
alter table subscribers force row level security;
alter table custom_field_types force row level security;
drop table custom_field_values;

-- Whether somebody gets what a list sends: on it, confirmed where that is asked for, and not opted out of everything.
-- It is written beside what it follows from, so that counting and sending look at nothing else. Rows that come by the
-- million carry no foreign keys: whoever removes a person removes these in the same transaction.
alter table subscriptions
  add column pending boolean not null default false,
  add column active boolean not null default true,
  add column import_id uuid;
alter table subscribers drop constraint subscribers_customer_id_fkey;
alter table subscriptions drop constraint subscriptions_customer_id_subscriber_id_fkey;
alter table subscriptions drop constraint subscriptions_customer_id_subscription_list_id_fkey;
alter table subscriptions no force row level security;
alter table subscribers no force row level security;
update subscriptions c set active = false from subscribers s
where s.customer_id = c.customer_id and s.id = c.subscriber_id
  and (c.unsubscribed_at is not null or s.unsubscribed_at is not null);
alter table subscriptions force row level security;
alter table subscribers force row level security;
alter table subscriptions alter column active drop default;

alter table subscription_lists
  add column double_opt_in boolean not null default false,
  add column consent_text_id bigint;

-- Counts in shards, so that concurrent writers do not wait for one row.
create table people_counts (
  customer_id int not null references customers (id),
  shard smallint not null,
  people bigint not null,
  opted_out bigint not null,
  primary key (customer_id, shard)
) with (fillfactor = 50);
call carepost_protect('people_counts');
grant select, insert, update on people_counts to carepost_app, carepost_worker;

create table list_counts (
  customer_id int not null references customers (id),
  subscription_list_id bigint not null,
  shard smallint not null,
  active bigint not null,
  primary key (customer_id, subscription_list_id, shard)
) with (fillfactor = 50);
call carepost_protect('list_counts');
grant select, insert, update, delete on list_counts to carepost_app, carepost_worker;

create function count_people() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  own_shard smallint := pg_backend_pid() % 16;
begin
  if tg_op = 'INSERT' then
    insert into people_counts as c (customer_id, shard, people, opted_out)
    select customer_id, own_shard, count(*), count(unsubscribed_at) from added group by customer_id order by customer_id
    on conflict (customer_id, shard) do update set people = c.people + excluded.people,
      opted_out = c.opted_out + excluded.opted_out;
  elsif tg_op = 'DELETE' then
    insert into people_counts as c (customer_id, shard, people, opted_out)
    select customer_id, own_shard, -count(*), -count(unsubscribed_at) from removed group by customer_id order by customer_id
    on conflict (customer_id, shard) do update set people = c.people + excluded.people,
      opted_out = c.opted_out + excluded.opted_out;
  else
    insert into people_counts as c (customer_id, shard, people, opted_out)
    select customer_id, own_shard, 0, sum(opted_out) from (
      select customer_id, count(unsubscribed_at) as opted_out from added group by customer_id
      union all select customer_id, -count(unsubscribed_at) from removed group by customer_id) changed
    group by customer_id having sum(opted_out) <> 0 order by customer_id
    on conflict (customer_id, shard) do update set opted_out = c.opted_out + excluded.opted_out;
  end if;
  return null;
end $$;
create trigger counted_in after insert on subscribers referencing new table as added
  for each statement execute function count_people();
create trigger counted_out after delete on subscribers referencing old table as removed
  for each statement execute function count_people();
create trigger counted_anew after update on subscribers referencing old table as removed new table as added
  for each statement execute function count_people();

create function count_subscriptions() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  own_shard smallint := pg_backend_pid() % 16;
begin
  if tg_op = 'INSERT' then
    insert into list_counts as c (customer_id, subscription_list_id, shard, active)
    select customer_id, subscription_list_id, own_shard, count(*) from added where active
    group by 1, 2 order by 1, 2
    on conflict (customer_id, subscription_list_id, shard) do update set active = c.active + excluded.active;
  elsif tg_op = 'DELETE' then
    insert into list_counts as c (customer_id, subscription_list_id, shard, active)
    select customer_id, subscription_list_id, own_shard, -count(*) from removed where active
    group by 1, 2 order by 1, 2
    on conflict (customer_id, subscription_list_id, shard) do update set active = c.active + excluded.active;
  else
    insert into list_counts as c (customer_id, subscription_list_id, shard, active)
    select customer_id, subscription_list_id, own_shard, sum(active) from (
      select customer_id, subscription_list_id, count(*) as active from added where active group by 1, 2
      union all
      select customer_id, subscription_list_id, -count(*) from removed where active group by 1, 2) changed
    group by 1, 2 having sum(active) <> 0 order by 1, 2
    on conflict (customer_id, subscription_list_id, shard) do update set active = c.active + excluded.active;
  end if;
  return null;
end $$;
create trigger counted_in after insert on subscriptions referencing new table as added
  for each statement execute function count_subscriptions();
create trigger counted_out after delete on subscriptions referencing old table as removed
  for each statement execute function count_subscriptions();
create trigger counted_anew after update on subscriptions referencing old table as removed new table as added
  for each statement execute function count_subscriptions();

alter table subscribers no force row level security;
alter table subscriptions no force row level security;
alter table people_counts no force row level security;
alter table list_counts no force row level security;
insert into people_counts select customer_id, 0, count(*), count(unsubscribed_at) from subscribers group by 1;
insert into list_counts
select customer_id, subscription_list_id, 0, count(*) from subscriptions where active group by 1, 2;
alter table subscribers force row level security;
alter table subscriptions force row level security;
alter table people_counts force row level security;
alter table list_counts force row level security;

grant select, insert, update, delete on subscribers, subscriptions, subscription_lists, custom_field_types to carepost_worker;

create policy finder on subscribers for select to carepost_finder using (true);
grant select (id, number, customer_id) on subscribers to carepost_finder;
create function find_subscriber_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from subscribers where id = wanted $$;
call carepost_hand_over('find_subscriber_customer(uuid)', 'carepost_finder', 'carepost_app, carepost_worker');
create function find_numbered_subscriber_customer(wanted bigint) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from subscribers where number = wanted $$;
call carepost_hand_over('find_numbered_subscriber_customer(bigint)', 'carepost_finder', 'carepost_app, carepost_worker');

-- Under row-level security lower() keeps an index from being used, so the finder looks addresses up; it gives out ids.
grant select (email) on subscribers to carepost_finder;
create function find_subscribers_at(of_customer int, addresses text[]) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select id from subscribers where customer_id = of_customer and lower(email) = any(addresses)
      and of_customer = any(nullif(current_setting('carepost.customers', true), '')::int[])
  $$;
call carepost_hand_over('find_subscribers_at(int, text[])', 'carepost_finder', 'carepost_app, carepost_worker');

create policy finder on subscriptions for select to carepost_finder using (true);
grant select (id, customer_id) on subscriptions to carepost_finder;
create function find_subscription_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from subscriptions where id = wanted $$;
call carepost_hand_over('find_subscription_customer(uuid)', 'carepost_finder', 'carepost_app, carepost_worker');

create policy finder on custom_field_types for select to carepost_finder using (true);
grant select (id, customer_id) on custom_field_types to carepost_finder;
create function find_custom_field_type_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from custom_field_types where id = wanted $$;
call carepost_hand_over('find_custom_field_type_customer(uuid)', 'carepost_finder', 'carepost_app, carepost_worker');

-- The list that a form feeds, for whoever knows nothing but the form.
grant select (subscription_list_id, created_at, deleted) on forms to carepost_finder;
create function find_form_list(wanted uuid, out customer_id int, out subscription_list_id bigint) returns setof record
  language sql stable security definer set search_path = public, pg_temp
  as $$ select f.customer_id, f.subscription_list_id from forms f where f.id = wanted and not f.deleted $$;
call carepost_hand_over('find_form_list(uuid)', 'carepost_finder', 'carepost_app');
