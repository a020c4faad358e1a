-- Work on many people at once, with its progress. What was asked for is sealed: it may hold names and addresses.
create table bulk_jobs (
  id uuid primary key,
  customer_id int not null references customers (id),
  kind text not null,
  state text not null,
  total bigint not null default 0,
  done bigint not null default 0,
  failures bigint not null default 0,
  sealed bytea not null,
  place uuid,
  blob_id uuid references blobs (id),
  file_name text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz
);
create index bulk_jobs_newest on bulk_jobs (customer_id, id desc);
call carepost_protect('bulk_jobs');
create policy finder on bulk_jobs for select to carepost_finder using (true);
grant select, insert, update on bulk_jobs to carepost_app, carepost_worker;
grant select (id, customer_id, state, blob_id, updated_at, finished_at) on bulk_jobs to carepost_finder;
create function find_bulk_job_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from bulk_jobs where id = wanted $$;
call carepost_hand_over('find_bulk_job_customer(uuid)', 'carepost_finder', 'carepost_app, carepost_worker');
create index bulk_jobs_unfinished on bulk_jobs (updated_at) where state in ('waiting', 'running');
create function find_stalled_bulk_jobs(since timestamptz, out customer_id int, out id uuid) returns setof record
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select b.customer_id, b.id from bulk_jobs b
    where b.state in ('waiting', 'running') and b.updated_at < since order by b.updated_at limit 100
  $$;
call carepost_hand_over('find_stalled_bulk_jobs(timestamptz)', 'carepost_finder', 'carepost_worker');
create index bulk_jobs_with_file on bulk_jobs (finished_at) where blob_id is not null;
create function find_expired_exports(before timestamptz, out customer_id int, out id uuid) returns setof record
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select b.customer_id, b.id from bulk_jobs b
    where b.blob_id is not null and b.finished_at < before order by b.finished_at limit 100
  $$;
call carepost_hand_over('find_expired_exports(timestamptz)', 'carepost_finder', 'carepost_worker');

-- An import: its file in the blob store, how it is read, how far it has come and what came of it. Everybody it makes
-- carries started_at, so that whom somebody else has changed since is told apart. The file goes once it is not needed.
create table imports (
  id uuid primary key,
  customer_id int not null references customers (id),
  state text not null,
  dry_run boolean not null,
  blob_id uuid references blobs (id),
  settings jsonb not null,
  subscription_list_id bigint,
  bytes bigint not null,
  bytes_done bigint not null default 0,
  lines_done bigint not null default 0,
  rows_done bigint not null default 0,
  created bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  skipped bigint not null default 0,
  opted_out bigint not null default 0,
  removed bigint not null default 0,
  restored bigint not null default 0,
  kept bigint not null default 0,
  undo_step text,
  undo_place uuid,
  attempts smallint not null default 0,
  failure text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  undone_at timestamptz
);
create index imports_newest on imports (customer_id, id desc);
call carepost_protect('imports');
create policy finder on imports for select to carepost_finder using (true);
grant select, insert, update on imports to carepost_app, carepost_worker;
create index imports_unfinished on imports (updated_at) where state in ('waiting', 'running', 'undoing');
grant select (id, customer_id, state, updated_at) on imports to carepost_finder;
create function find_stalled_imports(since timestamptz, out customer_id int, out id uuid) returns setof record
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select i.customer_id, i.id from imports i
    where i.state in ('waiting', 'running', 'undoing') and i.updated_at < since order by i.updated_at limit 100
  $$;
call carepost_hand_over('find_stalled_imports(timestamptz)', 'carepost_finder', 'carepost_app, carepost_worker');
create function find_import_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from imports where id = wanted $$;
call carepost_hand_over('find_import_customer(uuid)', 'carepost_finder', 'carepost_app, carepost_worker');

-- Whom rows of an import are about, by address, else by number. Row-level security keeps everybody but the owner of a
-- policy without conditions from using an index over lower(), so this runs as the finder and checks for whom by itself.
grant select (email, phone_number, unsubscribed_at) on subscribers to carepost_finder;
create function find_people(of_customer int, numbers int[], emails text[], phones text[])
  returns table (number int, id uuid, opted_out boolean)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select w.number, s.id, s.unsubscribed_at is not null from unnest(numbers, emails) as w (number, email)
    join subscribers s on s.customer_id = of_customer and lower(s.email) = lower(w.email)
    where of_customer = any(nullif(current_setting('carepost.customers', true), '')::int[])
    union all
    select w.number, s.id, s.unsubscribed_at is not null from unnest(numbers, emails, phones) as w (number, email, phone)
    join subscribers s on s.customer_id = of_customer and s.phone_number = w.phone and s.email is null
    where w.email is null and of_customer = any(nullif(current_setting('carepost.customers', true), '')::int[])
  $$;
call carepost_hand_over('find_people(int, int[], text[], text[])', 'carepost_finder', 'carepost_app, carepost_worker');

-- What people were before an import changed them and what it made of them, so that it can be undone.
create table import_changes (
  import_id uuid not null,
  customer_id int not null,
  subscriber_id uuid not null,
  before jsonb not null,
  after jsonb not null,
  sealed_before bytea,
  sealed_after bytea,
  primary key (import_id, subscriber_id)
);
call carepost_protect('import_changes');
grant select, insert, update, delete on import_changes to carepost_app, carepost_worker;

-- Rows of a file that were not taken: where they stand and why, never what they hold.
create table import_rejects (
  import_id uuid not null,
  customer_id int not null,
  line bigint not null,
  reasons text[] not null,
  primary key (import_id, line)
);
call carepost_protect('import_rejects');
grant select, insert, delete on import_rejects to carepost_app, carepost_worker;
