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
