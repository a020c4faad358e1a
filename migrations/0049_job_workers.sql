-- beside: yes
-- Who takes side jobs, and when each was last there: what a dead one had begun is given to the others within a minute,
-- where the library itself waits for four hours.
create table job_workers (
  id text primary key,
  seen_at timestamptz not null
);
grant select, insert, update, delete on job_workers to carepost_jobs;
