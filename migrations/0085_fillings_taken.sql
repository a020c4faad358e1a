-- beside: yes
-- Fillings of a form's page that were taken, so that none is taken twice however late it is sent again: the replies to repeated
-- requests are gone after a day, and a page can be sent for longer. A row outlives its submission, and says nothing of it: what
-- was filled in is kept as a digest that nobody can try guesses at without the page itself. Nodes of the version before write none.
create table form_fillings (
  customer_id int not null,
  form_id uuid not null,
  filling bytea not null,
  content bytea not null,
  submission_id uuid not null,
  form_version int not null,
  at timestamptz not null,
  primary key (form_id, filling)
);
-- Rows come in the order of their time and are removed by it, for which a summary of pages is enough.
create index form_fillings_age on form_fillings using brin (at);
call carepost_protect('form_fillings');
create policy sweep_read on form_fillings for select to carepost_worker using (true);
create policy sweep on form_fillings for delete to carepost_worker using (true);
grant select, insert on form_fillings to carepost_app;
grant select, delete on form_fillings to carepost_worker;

-- As before, with the filling that each submission is of. One that is there already fails the whole.
create or replace function accept_submissions(
  customers int[], submissions json, sealed bytea, audit json, people json, default_name text, mails json,
  mail_bytes bytea, news json, at timestamptz, submitters json default null) returns void
  language plpgsql set search_path = public, pg_temp
  as $$
declare
  counts json;
begin
  perform set_config('carepost.customers', customers::text, true);
  with sent as (
    select * from json_to_recordset(accept_submissions.submissions) as s (id uuid, customer_id int, form_id uuid,
      form_version int, submitter_index bytea, at timestamptz, sealed_at int, sealed_length int, submitter_at int,
      submitter_length int, key_at int, key_length int, filling bytea, content bytea)
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
  ), new_fillings as (
    insert into form_fillings (customer_id, form_id, filling, content, submission_id, form_version, at)
    select s.customer_id, s.form_id, s.filling, s.content, s.id, s.form_version, s.at from sent s
    where s.filling is not null order by s.form_id, s.filling
  ), noted as (
    insert into audit_log (id, customer_id, at, actor_kind, actor_id, action, target, request_id, details)
    select a.id, a.customer_id, a.at, a.actor_kind, a.actor_id, a.action, a.target, a.request_id, a.details::jsonb
    from json_to_recordset(accept_submissions.audit) as a (id uuid, customer_id int, at timestamptz, actor_kind text,
      actor_id text, action text, target text, request_id text, details text)
  )
  select json_agg(n) into counts
  from (select customer_id, form_id, count(*) as added from sent group by 1, 2) n;
  if people is not null then perform add_subscribers(people, default_name); end if;
  if submitters is not null and exists (
    select from drip_interests i where i.customer_id = any(customers) and i.kind = 'form_submitted') then
    perform tell_drips(s.customer_id, 'form_submitted', s.form_id::text, array[person], accept_submissions.at)
    from (
      select s.* from json_to_recordset(submitters) as s (customer_id int, form_id uuid, email text)
      where exists (select from drip_interests i where i.customer_id = s.customer_id and i.kind = 'form_submitted'
        and i.subject = s.form_id::text) offset 0) s
    cross join lateral find_subscribers_at(s.customer_id, array[lower(s.email)]) as person;
  end if;
  if mails is not null then
    perform accept_messages(customers, m.messages, mail_bytes, m.recipients, m.audit)
    from json_to_record(mails) as m (messages json, recipients json, audit json);
  end if;
  perform enqueue_deliveries(news, at);
  perform count_submissions(counts, (at at time zone 'UTC')::date);
end $$;
