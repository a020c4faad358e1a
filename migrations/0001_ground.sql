-- What every later migration stands on: who may connect, and how a tenant's rows are walled off.

revoke all on schema public from public;
grant usage on schema public to carepost_app, carepost_worker, carepost_sealer, carepost_finder, carepost_jobs;
do $$ begin
  execute format('grant create on database %I to carepost_jobs', current_database());
end $$;

-- No snapshot or transaction of the product lives longer: claiming queue rows slows tenfold under an old one.
alter role carepost_app set idle_in_transaction_session_timeout = '10s';
alter role carepost_app set statement_timeout = '10s';
alter role carepost_worker set idle_in_transaction_session_timeout = '10s';
alter role carepost_worker set statement_timeout = '10s';

-- Forces row-level security on a table that has a customer_id. The setting is a list, so that one
-- transaction can serve several customers; after SET LOCAL it reads '' rather than null.
create procedure carepost_protect(tenant_table regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format(
    'create policy tenant on %s to carepost_app, carepost_worker
       using (customer_id = any(nullif(current_setting(''carepost.customers'', true), '''')::int[]))
       with check (customer_id = any(nullif(current_setting(''carepost.customers'', true), '''')::int[]))',
    tenant_table);
end $$;

-- A partition holds the ids of one span of time. Nobody is granted anything on it: rows are reached
-- through the parent and its policies, and forced security without a policy denies the rest.
create procedure carepost_add_partition(parent regclass, suffix text, storage text, from_id uuid, to_id uuid) language plpgsql as $$
declare
  partition_name text := format('%s_%s', parent, suffix);
begin
  if to_regclass(partition_name) is not null then return; end if;
  if from_id is null then
    execute format('create table %I partition of %s default with (%s)', partition_name, parent, storage);
  else
    execute format('create table %I partition of %s for values from (%L) to (%L) with (%s)',
      partition_name, parent, from_id, to_id, storage);
  end if;
  execute format('alter table %I enable row level security', partition_name);
  execute format('alter table %I force row level security', partition_name);
end $$;

-- Hands a SECURITY DEFINER function over to the role that it shall run as, and to nobody else but its
-- callers. An owner who is no superuser may do so only while that role may create in the schema.
create procedure carepost_hand_over(signature regprocedure, runs_as name, callers text) language plpgsql as $$
begin
  execute format('revoke all on function %s from public', signature);
  execute format('grant execute on function %s to %s', signature, callers);
  execute format('grant create on schema public to %I', runs_as);
  execute format('alter function %s owner to %I', signature, runs_as);
  execute format('revoke create on schema public from %I', runs_as);
end $$;

-- Side jobs belong to a role of their own; the others enqueue them within their own transactions by
-- this function alone.
create function enqueue_job(task text, payload json, job_key text) returns void
  language plpgsql security definer set search_path = public, pg_temp
  as $$ begin perform graphile_worker.add_job(task, payload, job_key => enqueue_job.job_key); end $$;
call carepost_hand_over('enqueue_job(text, json, text)', 'carepost_jobs', 'carepost_app, carepost_worker');
