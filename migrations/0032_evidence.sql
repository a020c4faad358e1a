-- The evidence of attempts that were settled together: the hash of each, in order. What they add up to stands in an
-- audit row with the same id, and so in the customer's signed chain. One row for a batch is cheaper than an index on
-- the attempts, whose rows are then still rewritten in place.
create table evidence_batches (
  id uuid not null primary key,
  customer_id int not null,
  leaves bytea not null
) partition by range (id);
alter table evidence_batches alter column leaves set storage external;
call carepost_protect('evidence_batches');
grant select on evidence_batches to carepost_app;
grant insert on evidence_batches to carepost_worker;

alter table delivery_attempts add column evidence_id uuid;
alter table delivery_attempts add column evidence_position smallint;

-- The head of one customer's chain, signed by itself: a checkpoint names the heads of all customers, and nobody may be
-- shown those of others.
create table audit_signed_heads (
  customer_id int not null,
  seq bigint not null,
  hash bytea not null,
  checkpoint bigint not null,
  at text not null,
  signature text not null,
  primary key (customer_id, seq)
);
call carepost_protect('audit_signed_heads');
create policy sealer on audit_signed_heads to carepost_sealer using (true) with check (true);
grant select on audit_signed_heads to carepost_app;
grant insert on audit_signed_heads to carepost_sealer;
create trigger insert_only before update or delete on audit_signed_heads for each row execute function refuse_change();
create trigger never_emptied before truncate on audit_signed_heads for each statement execute function refuse_change();
