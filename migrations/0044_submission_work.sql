-- What staff makes of a submission. One without a row is new and nobody's.
create table submission_work (
  submission_id uuid primary key,
  customer_id int not null,
  form_id uuid not null,
  state text not null check (state in ('new', 'in_work', 'done')),
  assignee_id uuid,
  updated_at timestamptz not null,
  foreign key (customer_id, form_id) references forms (customer_id, id),
  foreign key (customer_id, assignee_id) references users (customer_id, id)
);
create index submission_work_form on submission_work (customer_id, form_id, state);
create index submission_work_assignee on submission_work (customer_id, assignee_id, state) where assignee_id is not null;
call carepost_protect('submission_work');
grant select, insert, update, delete on submission_work to carepost_app;
grant select, delete on submission_work to carepost_worker;

-- What staff writes to each other about a submission, sealed under the submission's own key: whoever destroys that key
-- destroys this too. Nothing here is changed, but that a note can be marked as taken back.
create table submission_notes (
  id uuid primary key,
  customer_id int not null,
  form_id uuid not null,
  submission_id uuid not null,
  author_kind text not null,
  author_id text not null,
  sealed bytea not null,
  at timestamptz not null,
  taken_back_at timestamptz,
  foreign key (customer_id, form_id) references forms (customer_id, id)
);
create index submission_notes_submission on submission_notes (submission_id, id);
call carepost_protect('submission_notes');
create policy finder on submission_notes for select to carepost_finder using (true);
grant select, insert, delete on submission_notes to carepost_app;
grant update (taken_back_at) on submission_notes to carepost_app;
grant select, delete on submission_notes to carepost_worker;
grant select (id, customer_id) on submission_notes to carepost_finder;
create function find_note_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from submission_notes where id = wanted $$;
call carepost_hand_over('find_note_customer(uuid)', 'carepost_finder', 'carepost_app');

-- Exports of a form that are made in the background: how far one has come, and its file while it is kept. It holds what
-- had come before its own id. Whoever destroys a submission lets go of the files that it may stand in; an attempt that
-- is under way then has another number when it ends, and begins anew.
create table form_export_jobs (
  id uuid primary key,
  customer_id int not null,
  form_id uuid not null,
  format text not null check (format in ('csv', 'xlsx', 'pdf-zip', 'deidentified-csv', 'fhir-bundle')),
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'cancelled', 'gone')),
  total int not null default 0,
  done int not null default 0,
  attempt int not null default 0,
  blob_id uuid references blobs (id),
  file_name text,
  gone_because text check (gone_because in ('expired', 'destroyed', 'person_removed', 'deleted')),
  created_by_kind text not null,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  foreign key (customer_id, form_id) references forms (customer_id, id)
);
create index form_export_jobs_newest on form_export_jobs (customer_id, id desc);
create index form_export_jobs_form on form_export_jobs (customer_id, form_id) where state in ('waiting', 'running', 'done');
call carepost_protect('form_export_jobs');
create policy finder on form_export_jobs for select to carepost_finder using (true);
grant select, insert, update on form_export_jobs to carepost_app;
grant select, update on form_export_jobs to carepost_worker;
grant select (id, customer_id, state, blob_id, updated_at, finished_at, created_by_kind, created_by)
  on form_export_jobs to carepost_finder;
create function find_form_export_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from form_export_jobs where id = wanted $$;
call carepost_hand_over('find_form_export_customer(uuid)', 'carepost_finder', 'carepost_app');

create index form_export_jobs_unfinished on form_export_jobs (updated_at) where state in ('waiting', 'running');
create function find_stalled_form_exports(since timestamptz, out customer_id int, out id uuid) returns setof record
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select j.customer_id, j.id from form_export_jobs j
    where j.state in ('waiting', 'running') and j.updated_at < since order by j.updated_at limit 100
  $$;
call carepost_hand_over('find_stalled_form_exports(timestamptz)', 'carepost_finder', 'carepost_worker');

-- What is over: files that were kept long enough, and all that somebody asked for who has been removed since.
create index form_export_jobs_kept on form_export_jobs (finished_at) where state in ('waiting', 'running', 'done');
create function find_ended_form_exports(before timestamptz, out customer_id int, out id uuid, out person_removed boolean)
  returns setof record
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select j.customer_id, j.id, removed.yes
    from form_export_jobs j
    cross join lateral (select j.created_by_kind = 'user' and exists (
      select from users u where u.id::text = j.created_by and u.customer_id = j.customer_id and u.disabled_at is not null
    ) as yes) removed
    where j.state in ('waiting', 'running', 'done') and (j.finished_at < before or removed.yes)
    order by j.id limit 100
  $$;
call carepost_hand_over('find_ended_form_exports(timestamptz)', 'carepost_finder', 'carepost_worker');
