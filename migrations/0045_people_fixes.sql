-- A key ends with the person who made it, whatever else went wrong: one whose maker was removed is not found.
drop function find_api_keys(text[], date);
create function find_api_keys(wanted text[], today date)
  returns table (
    id uuid, customer_id int, username text, public_id text, secret_hash bytea, mode text, scopes text[],
    expires_at timestamptz, revoked_at timestamptz, agreement_in_force boolean)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select k.id, k.customer_id, c.username, k.public_id, k.secret_hash, k.mode, k.scopes, k.expires_at, k.revoked_at,
      exists (select from agreements a where a.customer_id = k.customer_id
        and a.signed_on <= today and (a.ends_on is null or a.ends_on >= today))
    from api_keys k join customers c on c.id = k.customer_id
    where k.public_id = any(wanted)
      and not exists (select from users u where u.id = k.created_by and u.disabled_at is not null)
  $$;
call carepost_hand_over('find_api_keys(text[], date)', 'carepost_finder', 'carepost_app, carepost_worker');

-- An address is taken once among those who are there: whoever was removed can be invited again.
drop index users_email;
create unique index users_email on users (lower(email)) where disabled_at is null;
create index users_email_ever on users (lower(email));
drop function find_user(text);
create function find_user(wanted text)
  returns table (id uuid, customer_id int, role text, password_hash text, disabled_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select u.id, u.customer_id, u.role, u.password_hash, u.disabled_at from users u
    where lower(u.email) = lower(wanted) order by u.disabled_at desc nulls first limit 1
  $$;
call carepost_hand_over('find_user(text)', 'carepost_finder', 'carepost_app');

-- How often an export was begun without coming to its end.
alter table form_export_jobs add column tries int not null default 0;

-- Of what went wrong with a side job only this leaves: the code of a system error, or the name that the words begin with.
drop function list_side_jobs(int);
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
      case when j.last_error is not null then coalesce(
        substring(j.last_error from '\m(ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRINUSE|EPIPE|ENOENT|EEXIST|EACCES|EPERM|EROFS|ENOSPC|EMFILE|EIO)\M'),
        substring(j.last_error from '^([A-Z][A-Za-z]{2,30}Error)\M'),
        'error') end
    from graphile_worker.jobs j order by (j.last_error is not null) desc, j.run_at limit most;
end $$;
call carepost_hand_over('list_side_jobs(int)', 'carepost_jobs', 'carepost_app');
