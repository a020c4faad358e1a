-- People sign in. Those who run the server belong to no customer: they are users of the installation, which is customer 0
-- and has no row among the customers.
alter table users drop constraint users_customer_id_fkey;
alter table users drop constraint users_role_check;
alter table users
  add column name text not null default '',
  add constraint users_role_check check (role in ('owner', 'admin', 'editor', 'reader', 'operator')),
  add constraint users_operator_check check ((role = 'operator') = (customer_id = 0));

-- What becomes of the installation's own mail (invitations, links for new passwords) is kept like that of customers.
alter table event_heads drop constraint event_heads_customer_id_fkey;
alter table message_reports drop constraint message_reports_customer_id_fkey;
alter table suppressions drop constraint suppressions_customer_id_fkey;

create policy finder on users for select to carepost_finder using (true);
grant select (id, customer_id, email, role, password_hash, disabled_at) on users to carepost_finder;

create function find_user(wanted text)
  returns table (id uuid, customer_id int, role text, password_hash text, disabled_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  as $$ select u.id, u.customer_id, u.role, u.password_hash, u.disabled_at from users u where lower(u.email) = lower(wanted) $$;
call carepost_hand_over('find_user(text)', 'carepost_finder', 'carepost_app');

-- A link is for a first password, or for a new one.
alter table user_setup_links add column kind text not null default 'invitation' check (kind in ('invitation', 'reset'));
create index user_setup_links_user on user_setup_links (user_id);
drop function find_setup_link(bytea);
create function find_setup_link(wanted bytea)
  returns table (customer_id int, user_id uuid, kind text, expires_at timestamptz, used_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  as $$ select l.customer_id, l.user_id, l.kind, l.expires_at, l.used_at from user_setup_links l where token_hash = wanted $$;
call carepost_hand_over('find_setup_link(bytea)', 'carepost_finder', 'carepost_app');

-- Who made a key: it ends with that person.
alter table api_keys add column created_by uuid;
create index api_keys_created_by on api_keys (created_by) where created_by is not null;

-- One row for each browser that somebody signed in with. The token in the cookie is known by its hash and changes whenever
-- more is shown; a challenge waits for a passkey, once.
create table user_sessions (
  id uuid primary key,
  customer_id int not null,
  user_id uuid not null,
  token_hash bytea not null unique,
  csrf text not null,
  agent text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  factor_at timestamptz,
  fresh_at timestamptz,
  ended_at timestamptz,
  tries smallint not null default 0,
  challenge text,
  challenge_at timestamptz,
  foreign key (customer_id, user_id) references users (customer_id, id)
);
create index user_sessions_user on user_sessions (user_id, created_at);
create index user_sessions_expires on user_sessions (expires_at);
call carepost_protect('user_sessions');
create policy finder on user_sessions for select to carepost_finder using (true);
create policy sweep_read on user_sessions for select to carepost_worker using (true);
create policy sweep on user_sessions for delete to carepost_worker using (true);
grant select, insert, update on user_sessions to carepost_app;
grant select (id, expires_at), delete on user_sessions to carepost_worker;
grant select on user_sessions to carepost_finder;

create function find_sessions(wanted bytea[], today date)
  returns table (
    id uuid, customer_id int, user_id uuid, token_hash bytea, csrf text, role text, username text, seen_at timestamptz,
    expires_at timestamptz, factor_at timestamptz, fresh_at timestamptz, agreement_in_force boolean)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select s.id, s.customer_id, s.user_id, s.token_hash, s.csrf, u.role, coalesce(c.username, ''), s.seen_at,
      s.expires_at, s.factor_at, s.fresh_at,
      exists (select from agreements a where a.customer_id = s.customer_id
        and a.signed_on <= today and (a.ends_on is null or a.ends_on >= today))
    from user_sessions s join users u on u.id = s.user_id left join customers c on c.id = s.customer_id
    where s.token_hash = any(wanted) and s.ended_at is null and u.disabled_at is null
  $$;
call carepost_hand_over('find_sessions(bytea[], date)', 'carepost_finder', 'carepost_app');

create function find_session_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from user_sessions where id = wanted $$;
call carepost_hand_over('find_session_customer(uuid)', 'carepost_finder', 'carepost_app');

-- The secret of an authenticator app, sealed; a new one waits beside it until a code was shown. Each step counts once.
create table user_totp (
  user_id uuid primary key,
  customer_id int not null,
  secret bytea,
  pending bytea,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  foreign key (customer_id, user_id) references users (customer_id, id)
);
call carepost_protect('user_totp');
grant select, insert, update, delete on user_totp to carepost_app;
grant select, update on user_totp to carepost_worker;

create table user_passkeys (
  id uuid primary key,
  customer_id int not null,
  user_id uuid not null,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  foreign key (customer_id, user_id) references users (customer_id, id)
);
create index user_passkeys_user on user_passkeys (user_id, created_at);
call carepost_protect('user_passkeys');
create policy finder on user_passkeys for select to carepost_finder using (true);
grant select, insert, update, delete on user_passkeys to carepost_app;
grant select (id, customer_id) on user_passkeys to carepost_finder;

create function find_passkey_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from user_passkeys where id = wanted $$;
call carepost_hand_over('find_passkey_customer(uuid)', 'carepost_finder', 'carepost_app');

-- Codes for whoever has lost the rest, as keyed fingerprints; each works once.
create table user_recovery_codes (
  user_id uuid not null,
  customer_id int not null,
  code_index bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, code_index),
  foreign key (customer_id, user_id) references users (customer_id, id)
);
call carepost_protect('user_recovery_codes');
grant select, insert, update, delete on user_recovery_codes to carepost_app;
