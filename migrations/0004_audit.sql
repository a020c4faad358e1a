-- Insert-only for every role. xact is the writing transaction: once the oldest running transaction
-- has passed a number, no row below it can appear any more, and the sealer can chain them in order.
create table audit_log (
  id uuid not null,
  customer_id int not null,
  xact xid8 not null default pg_current_xact_id(),
  at timestamptz not null,
  actor_kind text not null,
  actor_id text not null,
  action text not null,
  target text,
  request_id text,
  details jsonb
) partition by range (id);
alter table audit_log add primary key (id);
create index audit_log_xact on audit_log (xact);
call carepost_protect('audit_log');
create policy sealer on audit_log for select to carepost_sealer using (true);
grant select, insert on audit_log to carepost_app;
grant insert on audit_log to carepost_worker;
grant select on audit_log to carepost_sealer;

create table audit_chain (
  customer_id int not null,
  seq bigint not null,
  audit_id uuid not null unique,
  hash bytea not null,
  primary key (customer_id, seq)
);
call carepost_protect('audit_chain');
create policy sealer on audit_chain to carepost_sealer using (true) with check (true);
grant select on audit_chain to carepost_app;
grant select, insert on audit_chain to carepost_sealer;

create table audit_heads (
  customer_id int primary key,
  seq bigint not null,
  hash bytea not null,
  checkpointed_seq bigint not null default 0
);
call carepost_protect('audit_heads');
create policy sealer on audit_heads to carepost_sealer using (true) with check (true);
grant select on audit_heads to carepost_app;
grant select, insert, update on audit_heads to carepost_sealer;

create table audit_checkpoints (
  number bigint primary key,
  line text not null
);
grant select, insert on audit_checkpoints to carepost_sealer;
grant select on audit_checkpoints to carepost_app;

-- Everything below this transaction number is chained.
create table audit_watermark (
  only_row boolean primary key default true check (only_row),
  sealed_below xid8 not null
);
insert into audit_watermark (sealed_below) values ('0');
grant select, update on audit_watermark to carepost_sealer;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is insert-only', tg_table_name;
end $$;
create trigger insert_only before update or delete on audit_log for each row execute function refuse_change();
create trigger never_emptied before truncate on audit_log for each statement execute function refuse_change();
create trigger insert_only before update or delete on audit_chain for each row execute function refuse_change();
create trigger never_emptied before truncate on audit_chain for each statement execute function refuse_change();
create trigger insert_only before update or delete on audit_checkpoints for each row execute function refuse_change();
create trigger never_emptied before truncate on audit_checkpoints for each statement execute function refuse_change();
