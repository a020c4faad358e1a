-- Where a customer wants events sent. Address, credentials and secrets are sealed together; the two ids
-- are the two forms in which clients name an endpoint.
create table webhook_endpoints (
  id int generated always as identity primary key,
  public_id uuid not null unique,
  customer_id int not null references customers (id),
  events text[] not null,
  active boolean not null,
  ordered boolean not null,
  failing_since timestamptz,
  last_sequence bigint not null default 0,
  url_index bytea not null,
  sealed bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  unique (customer_id, id)
);
create unique index webhook_endpoints_url on webhook_endpoints (customer_id, url_index) where deleted_at is null;
call carepost_protect('webhook_endpoints');
create policy queue on webhook_endpoints to carepost_worker using (true) with check (true);
create policy finder on webhook_endpoints for select to carepost_finder using (true);
grant select, insert, update on webhook_endpoints to carepost_app;
grant select, update on webhook_endpoints to carepost_worker;
grant select (id, public_id, customer_id, deleted_at) on webhook_endpoints to carepost_finder;

-- One event on its way to one endpoint: the row is the queue. `facts` holds ids only; the body is built
-- from them and from sealed data at each attempt. `sequence` counts per endpoint without gaps.
create table webhook_deliveries (
  id uuid not null primary key,
  customer_id int not null,
  endpoint_id int not null,
  sequence bigint not null,
  event_name text not null,
  facts jsonb not null,
  state text not null,
  attempts smallint not null default 0,
  attempts_before smallint not null default 0, -- those before it was last sent again
  due_at timestamptz,
  created_at timestamptz not null,
  settled_at timestamptz
) partition by range (id);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where due_at is not null;
create index webhook_deliveries_sequence on webhook_deliveries (endpoint_id, sequence);
create index webhook_deliveries_waiting on webhook_deliveries (endpoint_id, sequence) where due_at is not null;
call carepost_protect('webhook_deliveries');
create policy queue on webhook_deliveries to carepost_worker using (true) with check (true);
create policy finder on webhook_deliveries for select to carepost_finder using (true);
grant select, insert, update on webhook_deliveries to carepost_app, carepost_worker;
grant select (id, customer_id) on webhook_deliveries to carepost_finder;

create table webhook_attempts (
  delivery_id uuid not null,
  attempt smallint not null,
  customer_id int not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  outcome text,
  status smallint,
  primary key (delivery_id, attempt)
) partition by range (delivery_id);
call carepost_protect('webhook_attempts');
create policy queue on webhook_attempts to carepost_worker using (true) with check (true);
grant select on webhook_attempts to carepost_app;
grant select, insert, update on webhook_attempts to carepost_worker;

create function find_webhook_endpoint_customer(wanted int) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from webhook_endpoints where id = wanted and deleted_at is null $$;
create function find_webhook_endpoint(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from webhook_endpoints where public_id = wanted and deleted_at is null $$;
create function find_webhook_delivery_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from webhook_deliveries where id = wanted $$;
call carepost_hand_over('find_webhook_endpoint_customer(int)', 'carepost_finder', 'carepost_app');
call carepost_hand_over('find_webhook_endpoint(uuid)', 'carepost_finder', 'carepost_app');
call carepost_hand_over('find_webhook_delivery_customer(uuid)', 'carepost_finder', 'carepost_app');

-- Who is told when an endpoint fails for good.
grant select (customer_id, email, role, disabled_at) on users to carepost_worker;
