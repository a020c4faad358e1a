-- First replies to requests that carried an Idempotency-Key; swept an hour after they expire.
create table idempotency_keys (
  customer_id int not null,
  operation text not null,
  key_hash bytea not null,
  request_hash bytea not null,
  status smallint not null,
  reply bytea not null,
  created_at timestamptz not null,
  primary key (customer_id, operation, key_hash)
);
create index idempotency_keys_age on idempotency_keys (created_at);
call carepost_protect('idempotency_keys');
create policy sweep_read on idempotency_keys for select to carepost_worker using (true);
create policy sweep on idempotency_keys for delete to carepost_worker using (true);
grant select, insert, delete on idempotency_keys to carepost_app;
grant select, update, delete on idempotency_keys to carepost_worker;

-- Requests counted per subject and window, settled from the memory of every node once a second.
create table rate_counts (
  subject text not null,
  window_start timestamptz not null,
  count bigint not null,
  primary key (subject, window_start)
) with (fillfactor = 70);
create index rate_counts_age on rate_counts (window_start);
grant select, insert, update on rate_counts to carepost_app;
grant select, delete on rate_counts to carepost_worker;
