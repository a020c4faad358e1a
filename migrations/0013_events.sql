-- The last number given to an event of a customer. Numbers are given under the lock of this row, which
-- is held until commit: whoever has read up to a number has missed none below it.
create table event_heads (
  customer_id int primary key references customers (id),
  last_number bigint not null
) with (fillfactor = 50);
call carepost_protect('event_heads');
create policy queue on event_heads to carepost_worker using (true) with check (true);
grant select, insert, update on event_heads to carepost_app, carepost_worker;

-- What became of each recipient, as webhooks and the events cursor tell it. Ids only.
create table message_events (
  message_id uuid not null,
  number bigint not null,
  customer_id int not null,
  ordinal smallint not null,
  name text not null,
  at timestamptz not null,
  primary key (message_id, number)
) partition by range (message_id);
create index message_events_number on message_events (customer_id, number);
call carepost_protect('message_events');
create policy queue on message_events to carepost_worker using (true) with check (true);
grant select, insert on message_events to carepost_app, carepost_worker;
