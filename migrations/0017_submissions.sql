-- A filled-in form. Answers, names of files and the signature are sealed together under a key of the
-- submission's own; the submitter's address lies apart, so that sorting by it opens nothing else.
create table submissions (
  id uuid not null primary key,
  customer_id int not null,
  form_id uuid not null,
  form_version int not null,
  submitter_index bytea,
  submitter bytea,
  sealed bytea not null,
  created_at timestamptz not null
) partition by range (id);
create index submissions_form on submissions (form_id, id);
create index submissions_customer on submissions (customer_id, id);
create index submissions_submitter on submissions (form_id, submitter_index) where submitter_index is not null;
call carepost_protect('submissions');
create policy finder on submissions for select to carepost_finder using (true);
grant select, insert, delete on submissions to carepost_app, carepost_worker;
grant select (id, customer_id) on submissions to carepost_finder;

-- Without its key a submission is noise, in every copy of the database that holds no copy of this table.
create table submission_keys (
  submission_id uuid not null primary key,
  customer_id int not null,
  key bytea not null
) partition by range (submission_id);
call carepost_protect('submission_keys');
grant select, insert, update, delete on submission_keys to carepost_app, carepost_worker;

create table submission_files (
  blob_id uuid not null primary key,
  submission_id uuid not null,
  customer_id int not null
) partition by range (blob_id);
create index submission_files_submission on submission_files (submission_id);
call carepost_protect('submission_files');
create policy finder on submission_files for select to carepost_finder using (true);
grant select, insert, delete on submission_files to carepost_app, carepost_worker;
grant select (blob_id, customer_id) on submission_files to carepost_finder;

-- What retention needs of forms and of their counts.
create policy retention on forms for select to carepost_worker using (true);
grant select (id, customer_id, retention_days) on forms to carepost_worker;
grant select, update on form_counts to carepost_worker;

create function find_submission_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from submissions where id = wanted $$;
create function find_submission_file_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from submission_files where blob_id = wanted $$;
call carepost_hand_over('find_submission_customer(uuid)', 'carepost_finder', 'carepost_app');
call carepost_hand_over('find_submission_file_customer(uuid)', 'carepost_finder', 'carepost_app');

-- Public forms among these, for those who have nothing but an id. Every other id gives the same: nothing.
grant select (active, archived, deleted, version, recipient, type, subscription_list_id) on forms to carepost_finder;
create function find_public_forms(wanted uuid[], today date)
  returns table (id uuid, customer_id int, version int, recipient text, type text, subscription_list_id bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select f.id, f.customer_id, f.version, f.recipient, f.type, f.subscription_list_id from forms f
    where f.id = any(wanted) and f.active and not f.archived and not f.deleted
      and exists (select from agreements a where a.customer_id = f.customer_id
        and a.signed_on <= today and (a.ends_on is null or a.ends_on >= today))
  $$;
call carepost_hand_over('find_public_forms(uuid[], date)', 'carepost_finder', 'carepost_app');

-- Writes submissions with their keys and audit rows. A function keeps its plans; it runs as its caller, under
-- that role's policies. Sealed bytes come as one value of which each row takes its part.
create function accept_submissions(submissions json, sealed bytea, audit json) returns void
  language plpgsql set search_path = public, pg_temp
  as $$
begin
  with sent as (
    select * from json_to_recordset(accept_submissions.submissions) as s (id uuid, customer_id int, form_id uuid,
      form_version int, submitter_index bytea, at timestamptz, sealed_at int, sealed_length int, submitter_at int,
      submitter_length int, key_at int, key_length int)
  ), new_submissions as (
    insert into submissions (id, customer_id, form_id, form_version, submitter_index, submitter, sealed, created_at)
    select s.id, s.customer_id, s.form_id, s.form_version, s.submitter_index,
      case when s.submitter_at is not null
        then substring(accept_submissions.sealed from s.submitter_at for s.submitter_length) end,
      substring(accept_submissions.sealed from s.sealed_at for s.sealed_length), s.at
    from sent s
  ), new_keys as (
    insert into submission_keys (submission_id, customer_id, key)
    select s.id, s.customer_id, substring(accept_submissions.sealed from s.key_at for s.key_length) from sent s
  )
  insert into audit_log (id, customer_id, at, actor_kind, actor_id, action, target, request_id, details)
  select a.id, a.customer_id, a.at, a.actor_kind, a.actor_id, a.action, a.target, a.request_id, a.details::jsonb
  from json_to_recordset(accept_submissions.audit) as a (id uuid, customer_id int, at timestamptz, actor_kind text,
    actor_id text, action text, target text, request_id text, details text);
end $$;
revoke all on function accept_submissions(json, bytea, json) from public;
grant execute on function accept_submissions(json, bytea, json) to carepost_app;
