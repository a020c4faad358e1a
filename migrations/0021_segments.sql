-- People by rule rather than by name. The count is what it was at counted_at.
create table segments (
  id uuid primary key,
  customer_id int not null references customers (id),
  name text not null,
  filters jsonb not null,
  subscriber_count bigint,
  counted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (customer_id, id)
);
call carepost_protect('segments');
create policy finder on segments for select to carepost_finder using (true);
grant select, insert, update, delete on segments to carepost_app;
grant select, update on segments to carepost_worker;
grant select (id, customer_id) on segments to carepost_finder;
create function find_segment_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from segments where id = wanted $$;
call carepost_hand_over('find_segment_customer(uuid)', 'carepost_finder', 'carepost_app, carepost_worker');

-- What somebody typed as a number or a date, or null: a value of another kind fits no comparison rather than failing it.
create function number_in(value text) returns numeric language sql immutable parallel safe
  as $$ select case when value ~ '^[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})$' then value::numeric end $$;
create function date_in(value text) returns date language plpgsql immutable parallel safe
  as $$
begin
  if value !~ '^\d{4}-\d\d-\d\d' then return null; end if;
  return make_date(substr(value, 1, 4)::int, substr(value, 6, 2)::int, substr(value, 9, 2)::int);
exception when others then return null;
end $$;
