-- What the dashboard keeps of a customer: whether the first steps are hidden, since when it is closed, and how long
-- submissions of a new form are kept unless the form says otherwise.
alter table customers
  add column checklist_dismissed_at timestamptz,
  add column closed_at timestamptz,
  add column form_retention_days int check (form_retention_days between 1 and 36500);

-- What the audit log is read by: newest first.
create index audit_log_customer on audit_log (customer_id, id);

-- The last time that a customer had its chain of audit rows verified, and how far that has come.
create table audit_verifications (
  customer_id int primary key references customers (id),
  asked_at timestamptz not null,
  checked bigint not null,
  total bigint not null,
  finished_at timestamptz,
  fault_seq bigint,
  fault_reason text
);
call carepost_protect('audit_verifications');
grant select, insert, update on audit_verifications to carepost_app;
grant select, update on audit_verifications to carepost_worker;

-- The processes of the product: each says every few seconds that it is there.
create table nodes (
  id uuid primary key,
  host text not null,
  roles text[] not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);
grant select, insert, update, delete on nodes to carepost_app;

-- Whose a person is.
create function find_user_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from users where id = wanted $$;
call carepost_hand_over('find_user_customer(uuid)', 'carepost_finder', 'carepost_app');

-- What an operator sees of customers: counts and times, nothing of what they hold.
create policy counted on form_counts for select to carepost_finder using (true);
grant select (customer_id, submission_count) on form_counts to carepost_finder;
create policy counted on people_counts for select to carepost_finder using (true);
grant select (customer_id, people) on people_counts to carepost_finder;
grant select (id, name, created_at, closed_at) on customers to carepost_finder;
create function describe_customers(today date)
  returns table (
    id int, name text, username text, created_at timestamptz, closed_at timestamptz, agreement_in_force boolean,
    last_active_at timestamptz, users bigint, keys bigint, forms bigint, submissions bigint, subscribers bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select c.id, c.name, c.username, c.created_at, c.closed_at,
      exists (select from agreements a where a.customer_id = c.id
        and a.signed_on <= today and (a.ends_on is null or a.ends_on >= today)),
      greatest(
        (select max(k.last_used_at) from api_keys k where k.customer_id = c.id),
        (select max(s.seen_at) from user_sessions s where s.customer_id = c.id)),
      (select count(*) from users u where u.customer_id = c.id and u.disabled_at is null),
      (select count(*) from api_keys k where k.customer_id = c.id and k.revoked_at is null),
      (select count(*) from forms f where f.customer_id = c.id and not f.deleted),
      (select coalesce(sum(n.submission_count), 0)::bigint from form_counts n where n.customer_id = c.id),
      (select coalesce(sum(p.people), 0)::bigint from people_counts p where p.customer_id = c.id)
    from customers c order by c.id
  $$;
call carepost_hand_over('describe_customers(date)', 'carepost_finder', 'carepost_app');

grant select (size) on blobs to carepost_finder;
create function sum_blobs() returns table (files bigint, bytes bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$ select count(*), coalesce(sum(size), 0)::bigint from blobs $$;
call carepost_hand_over('sum_blobs()', 'carepost_finder', 'carepost_app');

-- Side jobs without their payloads. What went wrong may quote anything: only the name of an error leaves.
create function list_side_jobs(most int)
  returns table (
    id bigint, task text, attempts int, max_attempts int, run_at timestamptz, created_at timestamptz, locked boolean,
    error text)
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
begin
  return query
    select j.id::bigint, j.task_identifier, j.attempts::int, j.max_attempts::int, j.run_at, j.created_at,
      j.locked_at is not null,
      case when j.last_error is not null
        then coalesce(substring(j.last_error from '\m(E[A-Z]{4,}|[A-Z][A-Za-z]{2,30}Error)\M'), 'error') end
    from graphile_worker.jobs j order by (j.last_error is not null) desc, j.run_at limit most;
end $$;
call carepost_hand_over('list_side_jobs(int)', 'carepost_jobs', 'carepost_app');

create function count_side_jobs(moment timestamptz)
  returns table (waiting bigint, due bigint, running bigint, failing bigint, given_up bigint, oldest_due_at timestamptz)
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
begin
  return query
    select count(*), count(*) filter (where j.run_at <= moment and j.locked_at is null and j.attempts < j.max_attempts),
      count(*) filter (where j.locked_at is not null),
      count(*) filter (where j.last_error is not null and j.attempts < j.max_attempts),
      count(*) filter (where j.attempts >= j.max_attempts and j.locked_at is null),
      min(j.run_at) filter (where j.run_at <= moment and j.locked_at is null and j.attempts < j.max_attempts)
    from graphile_worker.jobs j;
end $$;
call carepost_hand_over('count_side_jobs(timestamptz)', 'carepost_jobs', 'carepost_app');

-- Lets a side job that does not run just now begin again at once; false where there is no such job.
create function retry_side_job(wanted bigint, moment timestamptz) returns boolean
  language plpgsql security definer set search_path = public, pg_temp
  as $$
begin
  perform graphile_worker.reschedule_jobs(array[wanted], run_at => moment, attempts => 0);
  return found;
end $$;
call carepost_hand_over('retry_side_job(bigint, timestamptz)', 'carepost_jobs', 'carepost_app');
