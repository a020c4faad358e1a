create table customers (
  id int generated always as identity primary key,
  name text not null,
  username text not null unique,
  created_at timestamptz not null
);
alter table customers enable row level security;
alter table customers force row level security;
create policy tenant on customers to carepost_app, carepost_worker
  using (id = any(nullif(current_setting('carepost.customers', true), '')::int[]))
  with check (id = any(nullif(current_setting('carepost.customers', true), '')::int[]));
create policy finder on customers for select to carepost_finder using (true);
grant select, insert, update on customers to carepost_app;
grant select (id, username) on customers to carepost_finder;
grant usage on sequence customers_id_seq to carepost_app;

create table users (
  id uuid primary key,
  customer_id int not null references customers (id),
  email text not null,
  role text not null check (role in ('owner', 'admin', 'editor', 'reader')),
  password_hash text,
  created_at timestamptz not null,
  disabled_at timestamptz,
  unique (customer_id, id)
);
create unique index users_email on users (lower(email));
call carepost_protect('users');
grant select, insert, update on users to carepost_app;

create table user_setup_links (
  token_hash bytea primary key,
  customer_id int not null,
  user_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (customer_id, user_id) references users (customer_id, id)
);
call carepost_protect('user_setup_links');
grant select, insert, update on user_setup_links to carepost_app;

create table api_keys (
  id uuid primary key,
  customer_id int not null references customers (id),
  public_id text not null unique,
  secret_hash bytea not null,
  name text not null,
  mode text not null check (mode in ('live', 'test')),
  scopes text[] not null check (scopes <@ array['forms', 'email', 'marketing'] and cardinality(scopes) > 0),
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_customer on api_keys (customer_id, created_at);
call carepost_protect('api_keys');
create policy finder on api_keys for select to carepost_finder using (true);
grant select, insert, update on api_keys to carepost_app;
grant select on api_keys to carepost_finder;

create table blobs (
  id uuid primary key,
  customer_id int not null,
  size bigint not null,
  sha256 bytea not null,
  file_key bytea not null,
  created_at timestamptz not null
);
call carepost_protect('blobs');
create policy finder on blobs for select to carepost_finder using (true);
grant select, insert, update, delete on blobs to carepost_app;
grant select, update on blobs to carepost_worker;
grant select (id) on blobs to carepost_finder;

create function find_blobs(ids uuid[]) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$ select id from blobs where id = any(ids) $$;

create table agreements (
  id uuid primary key,
  customer_id int not null references customers (id),
  version text not null,
  signer text not null,
  signed_on date not null,
  ends_on date,
  pdf_blob_id uuid references blobs (id),
  recorded_at timestamptz not null
);
create index agreements_customer on agreements (customer_id);
call carepost_protect('agreements');
create policy finder on agreements for select to carepost_finder using (true);
grant select, insert, update on agreements to carepost_app;
grant select (customer_id, signed_on, ends_on) on agreements to carepost_finder;

-- The lookups below answer before a customer is known, so they see all rows; they are owned by a
-- role that can read just the columns they need.
create function find_api_keys(wanted text[], today date)
  returns table (
    id uuid, customer_id int, username text, public_id text, secret_hash bytea, mode text, scopes text[],
    expires_at timestamptz, revoked_at timestamptz, agreement_in_force boolean)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select k.id, k.customer_id, c.username, k.public_id, k.secret_hash, k.mode, k.scopes, k.expires_at, k.revoked_at,
      exists (select from agreements a where a.customer_id = k.customer_id
        and a.signed_on <= today and (a.ends_on is null or a.ends_on >= today))
    from api_keys k join customers c on c.id = k.customer_id
    where k.public_id = any(wanted)
  $$;

create function find_customers() returns table (id int, username text)
  language sql stable security definer set search_path = public, pg_temp
  as $$ select id, username from customers order by id $$;

create function find_api_key_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from api_keys where id = wanted $$;

call carepost_hand_over('find_blobs(uuid[])', 'carepost_finder', 'carepost_app, carepost_worker');
call carepost_hand_over('find_api_keys(text[], date)', 'carepost_finder', 'carepost_app, carepost_worker');
call carepost_hand_over('find_customers()', 'carepost_finder', 'carepost_app, carepost_worker');
call carepost_hand_over('find_api_key_customer(uuid)', 'carepost_finder', 'carepost_app, carepost_worker');

create policy finder on user_setup_links for select to carepost_finder using (true);
grant select on user_setup_links to carepost_finder;

create function find_setup_link(wanted bytea) returns table (customer_id int, user_id uuid, expires_at timestamptz, used_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  as $$ select l.customer_id, l.user_id, l.expires_at, l.used_at from user_setup_links l where token_hash = wanted $$;
call carepost_hand_over('find_setup_link(bytea)', 'carepost_finder', 'carepost_app');
