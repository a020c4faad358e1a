-- A message: who sent it and, sealed, everything about it that a receipt needs. The large tables of
-- this area are partitioned by the time-ordered id and carry no foreign keys: their rows are written
-- by one statement, and checks would cost more than the rows.
create table messages (
  id uuid not null primary key,
  customer_id int not null,
  content_id uuid not null,
  key_id uuid,
  mode text not null,
  from_address text not null,
  envelope bytea not null,
  created_at timestamptz not null
) partition by range (id);
alter table messages alter column envelope set storage external;
call carepost_protect('messages');
create policy finder on messages for select to carepost_finder using (true);
grant select, insert on messages to carepost_app;
grant select, update on messages to carepost_worker;
grant select (id, customer_id) on messages to carepost_finder;

-- What was written: bodies, headers and small attachments in one seal. Rows of up to a page stay inline.
create table message_contents (
  id uuid not null primary key,
  customer_id int not null,
  sealed bytea not null
) partition by range (id);
alter table message_contents alter column sealed set storage external;
call carepost_protect('message_contents');
grant select, insert on message_contents to carepost_app;
grant select, update on message_contents to carepost_worker;

-- The queue: one narrow row per recipient, whose address stands in the message's sealed envelope.
-- due_at is when it may be taken next; taking it moves due_at to the end of the lease, so a lease
-- that nobody settles comes back by itself.
create table message_recipients (
  message_id uuid not null,
  ordinal smallint not null,
  customer_id int not null,
  address_index bytea not null,
  domain text not null,
  state text not null,
  attempts smallint not null default 0,
  due_at timestamptz,
  settled_at timestamptz,
  primary key (message_id, ordinal)
) partition by range (message_id);
create index message_recipients_due on message_recipients (due_at) where due_at is not null;
call carepost_protect('message_recipients');
create policy queue on message_recipients to carepost_worker using (true) with check (true);
grant select, insert on message_recipients to carepost_app;
grant select, update on message_recipients to carepost_worker;

create table delivery_attempts (
  message_id uuid not null,
  ordinal smallint not null,
  attempt smallint not null,
  customer_id int not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  outcome text,
  peer text,
  smtp_code smallint,
  tls_version text,
  tls_cipher text,
  tls_policy text,
  tls_verified boolean,
  primary key (message_id, ordinal, attempt)
) partition by range (message_id);
call carepost_protect('delivery_attempts');
create policy queue on delivery_attempts to carepost_worker using (true) with check (true);
grant select on delivery_attempts to carepost_app;
grant select, insert, update on delivery_attempts to carepost_worker;

create table sandbox_messages (
  id uuid primary key,
  customer_id int not null,
  message_id uuid not null,
  recipient_indexes bytea[] not null,
  tls_version text not null,
  tls_cipher text not null,
  sealed bytea,
  blob_id uuid references blobs (id),
  received_at timestamptz not null
);
create index sandbox_messages_newest on sandbox_messages (customer_id, id desc);
create unique index sandbox_messages_once on sandbox_messages (message_id, recipient_indexes);
call carepost_protect('sandbox_messages');
create policy sweep_read on sandbox_messages for select to carepost_worker using (true);
create policy sweep on sandbox_messages for delete to carepost_worker using (true);
alter table sandbox_messages alter column sealed set storage external;
grant select on sandbox_messages to carepost_app;
grant select, insert, update, delete on sandbox_messages to carepost_worker;
grant insert, delete on blobs to carepost_worker;

create function find_message_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from messages where id = wanted $$;
call carepost_hand_over('find_message_customer(uuid)', 'carepost_finder', 'carepost_app, carepost_worker');
