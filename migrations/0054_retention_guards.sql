-- beside: yes
-- The same as before, and by a clock that is at most a day ahead of the database's own: whoever calls it cannot make rows
-- old by saying that it is later.
create or replace function remove_audit(
  of_customer int, up_to bigint, kept_years int, moment timestamptz, cut_at text, cut_signature text) returns bigint
  language plpgsql security definer set search_path = public, pg_temp
  as $$
declare
  head_hash bytea;
  removed bigint;
begin
  if of_customer <> all(coalesce(nullif(current_setting('carepost.customers', true), '')::int[], '{}')) then
    raise exception 'the audit log is cut for the customer that is worked on';
  end if;
  if moment is null or moment > clock_timestamp() + interval '1 day' then
    raise exception 'the audit log is cut by the clock of the database';
  end if;
  select hash into head_hash from audit_signed_heads where customer_id = of_customer and seq = up_to;
  if head_hash is null then raise exception 'the audit log is cut at a signed head only'; end if;
  if kept_years < 6 and not exists (select from retention_settings r where r.customer_id = of_customer
      and r.audit_years = kept_years and r.audit_reason is not null) then
    raise exception 'the audit log is kept for six years';
  end if;
  perform pg_advisory_xact_lock_shared(hashtext('carepost legal hold'), of_customer);
  if exists (select from legal_holds h where h.customer_id = of_customer and h.released_at is null) then
    raise exception 'a legal hold keeps the audit log';
  end if;
  if exists (select from audit_chain c join audit_log l on l.id = c.audit_id
      where c.customer_id = of_customer and c.seq <= up_to and l.at >= (moment at time zone 'UTC' - make_interval(years => kept_years)) at time zone 'UTC') then
    raise exception 'a row of the audit log is not old enough';
  end if;
  insert into audit_cuts (customer_id, seq, hash, years, at, signature)
    values (of_customer, up_to, head_hash, kept_years, cut_at, cut_signature)
    on conflict (customer_id) do update set seq = excluded.seq, hash = excluded.hash, years = excluded.years,
      at = excluded.at, signature = excluded.signature
    where audit_cuts.seq < excluded.seq;
  with gone as (delete from audit_chain where customer_id = of_customer and seq <= up_to returning audit_id)
    delete from audit_log l using gone where l.id = gone.audit_id;
  get diagnostics removed = row_count;
  return removed;
end $$;

-- Files of jobs wait while anything of their customer is held.
create or replace function find_expired_exports(before timestamptz, out customer_id int, out id uuid) returns setof record
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select b.customer_id, b.id from bulk_jobs b
    where b.blob_id is not null and b.finished_at < before
      and not exists (select from legal_holds h where h.customer_id = b.customer_id and h.released_at is null)
    order by b.finished_at limit 100
  $$;
create or replace function find_ended_form_exports(
  before timestamptz, out customer_id int, out id uuid, out person_removed boolean) returns setof record
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select j.customer_id, j.id, removed.yes
    from form_export_jobs j
    cross join lateral (select j.created_by_kind = 'user' and exists (
      select from users u where u.id::text = j.created_by and u.customer_id = j.customer_id and u.disabled_at is not null
    ) as yes) removed
    where j.state in ('waiting', 'running', 'done') and (j.finished_at < before or removed.yes)
      and not exists (select from legal_holds h where h.customer_id = j.customer_id and h.released_at is null)
    order by j.id limit 100
  $$;

-- Imports that need their file no more: those that have ended while something was held, and dry runs that nobody started.
-- safe beside: one row for each import of the last months, thousands at most
create index imports_with_file on imports (finished_at) where blob_id is not null;
grant select (blob_id, dry_run, finished_at) on imports to carepost_finder;
create function find_imports_to_release(before timestamptz, out customer_id int, out id uuid) returns setof record
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select i.customer_id, i.id from imports i
    where i.blob_id is not null and i.finished_at is not null and i.state in ('done', 'failed', 'undone')
      and (i.finished_at < before or i.state <> 'done' or not i.dry_run)
      and not exists (select from legal_holds h where h.customer_id = i.customer_id and h.released_at is null)
    order by i.finished_at limit 100
  $$;
call carepost_hand_over('find_imports_to_release(timestamptz)', 'carepost_finder', 'carepost_worker');
