-- beside: yes
-- Backups, and the tests that they can be restored: about the installation, so without a customer. `marked_at` is
-- committed just before the end of the log that a backup holds, so that whoever restores it can tell whether all of it
-- came back.
create table backup_runs (
  id uuid primary key,
  kind text not null check (kind in ('full', 'incremental', 'verify', 'restore')),
  started_at timestamptz not null,
  marked_at timestamptz,
  finished_at timestamptz,
  ok boolean,
  bytes bigint,
  lsn text
);
create index backup_runs_started on backup_runs (started_at);
grant select, insert, update on backup_runs to carepost_app;
grant select on backup_runs to carepost_worker;
