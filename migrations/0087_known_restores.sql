-- beside: yes
-- That the database was put back to an earlier moment, signed by the installation: every worker keeps checkpoints in a file
-- of its own, and learns from here which of them are of rows that did not come back.
create table audit_restores (
  id uuid primary key,
  restored_to text not null,
  recorded_at text not null,
  actor_kind text not null,
  actor_id text not null,
  signature text not null
);
grant select, insert on audit_restores to carepost_sealer;
create trigger insert_only before update or delete on audit_restores for each row execute function refuse_change();
create trigger never_emptied before truncate on audit_restores for each statement execute function refuse_change();
