-- What a recipient has to come for: the content stays here, and a notice leads to a page of ours. The token of that
-- page is found by its hash; sealed it stands here too, since a notice may have to be sent again with the same link.
create table pickups (
  id uuid primary key,
  customer_id int not null references customers (id),
  message_id uuid not null,
  ordinal smallint not null,
  token_hash bytea not null unique,
  sealed bytea not null,
  openings int not null default 0,
  opened_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (message_id, ordinal),
  unique (customer_id, id)
);
create index pickups_expiry on pickups (expires_at);
call carepost_protect('pickups');
create policy sweep_read on pickups for select to carepost_worker using (true);
create policy finder on pickups for select to carepost_finder using (true);
grant select on pickups to carepost_app;
grant update (openings, opened_at) on pickups to carepost_app;
grant select, insert, update, delete on pickups to carepost_worker;
grant select (id, customer_id, token_hash) on pickups to carepost_finder;

-- One-time codes, as keyed fingerprints. The rows of a day also say how many were sent.
create table pickup_codes (
  id uuid primary key,
  customer_id int not null,
  pickup_id uuid not null,
  code_index bytea not null,
  tries smallint not null default 0,
  used_at timestamptz,
  created_at timestamptz not null,
  foreign key (customer_id, pickup_id) references pickups (customer_id, id) on delete cascade
);
create index pickup_codes_of on pickup_codes (customer_id, pickup_id, created_at);
call carepost_protect('pickup_codes');
create policy sweep_read on pickup_codes for select to carepost_worker using (true);
create policy sweep on pickup_codes for delete to carepost_worker using (true);
grant select, insert on pickup_codes to carepost_app;
grant update (tries, used_at) on pickup_codes to carepost_app;
grant select, delete on pickup_codes to carepost_worker;

-- Whoever has shown a code, until the half hour is over.
create table pickup_sessions (
  secret_hash bytea primary key,
  customer_id int not null,
  pickup_id uuid not null,
  expires_at timestamptz not null,
  foreign key (customer_id, pickup_id) references pickups (customer_id, id) on delete cascade
);
create index pickup_sessions_of on pickup_sessions (customer_id, pickup_id);
call carepost_protect('pickup_sessions');
create policy sweep_read on pickup_sessions for select to carepost_worker using (true);
create policy sweep on pickup_sessions for delete to carepost_worker using (true);
grant select, insert on pickup_sessions to carepost_app;
grant select, delete on pickup_sessions to carepost_worker;

-- The replies of a day, to count them.
create table pickup_replies (
  id uuid primary key,
  customer_id int not null,
  pickup_id uuid not null,
  created_at timestamptz not null,
  foreign key (customer_id, pickup_id) references pickups (customer_id, id) on delete cascade
);
create index pickup_replies_of on pickup_replies (customer_id, pickup_id, created_at);
call carepost_protect('pickup_replies');
create policy sweep_read on pickup_replies for select to carepost_worker using (true);
create policy sweep on pickup_replies for delete to carepost_worker using (true);
grant select, insert on pickup_replies to carepost_app;
grant select, delete on pickup_replies to carepost_worker;

-- Whoever opens the page has got the message, even where the notice is still taken for undelivered.
grant update (portal, parked) on message_recipients to carepost_app;

create function find_pickup(wanted bytea) returns table (id uuid, customer_id int)
  language sql stable security definer set search_path = public, pg_temp
  as $$ select p.id, p.customer_id from pickups p where p.token_hash = wanted $$;
call carepost_hand_over('find_pickup(bytea)', 'carepost_finder', 'carepost_app');
