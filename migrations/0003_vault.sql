-- Customer keys, each wrapped by the master key, which is never in the database. Customer 0 is the
-- installation itself. Rows of the same purpose are versions; the highest one seals.
create table customer_keys (
  customer_id int not null,
  purpose text not null check (purpose in ('seal', 'index')),
  version int not null,
  master_key_id text not null,
  wrapped bytea not null,
  created_at timestamptz not null,
  primary key (customer_id, purpose, version)
);
call carepost_protect('customer_keys');
grant select, insert, update, delete on customer_keys to carepost_app;
grant select on customer_keys to carepost_worker;

-- How many seals a key version may have made: reserved in blocks before use, so a crash only overcounts.
create table key_usage (
  customer_id int not null,
  version int not null,
  reserved bigint not null,
  primary key (customer_id, version)
);
call carepost_protect('key_usage');
grant select, insert, update on key_usage to carepost_app, carepost_worker;

-- What is left of a customer whose keys were destroyed: the proof that they were.
create table key_destructions (
  customer_id int primary key,
  destroyed_at timestamptz not null,
  destroyed_by text not null,
  key_store text not null,
  backups_expire_on date
);
call carepost_protect('key_destructions');
grant select, insert on key_destructions to carepost_app;
grant select on key_destructions to carepost_worker;

-- Facts about the installation as a whole.
create table installation (
  name text primary key,
  value bytea not null
);
grant select, insert, update on installation to carepost_app;
grant select on installation to carepost_worker, carepost_sealer;
