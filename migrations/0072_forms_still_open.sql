-- beside: yes
-- A form that was closed while a long submission came in, or whose customer's agreement ended meanwhile, does not take it any
-- more: what is counted last is counted of open forms only. It is told by an error, which leaves nothing of the submission;
-- nodes of the version before answer it as a failure.

-- Adds to the counts of forms, in one order; fails where one of them is not open. Each is looked up by its key, whatever the
-- planner thinks of the size of the tables: a plan that was made while there were few forms read all of them.
create function count_submissions(counts json, today date) returns void
  language plpgsql set search_path = public, pg_temp set enable_seqscan = off
  as $$
declare
  counted record;
begin
  for counted in
    select * from json_to_recordset(counts) as n (customer_id int, form_id uuid, added bigint) order by form_id
  loop
    update form_counts c set submission_count = c.submission_count + counted.added
    where c.customer_id = counted.customer_id and c.form_id = counted.form_id
      and exists (
        select from forms f
        where f.customer_id = counted.customer_id and f.id = counted.form_id
          and f.active and not f.archived and not f.deleted)
      and exists (
        select from agreements a
        where a.customer_id = counted.customer_id and a.signed_on <= today and (a.ends_on is null or a.ends_on >= today));
    if not found then raise exception 'a form is not open' using errcode = 'no_data_found'; end if;
  end loop;
end $$;
-- safe beside: nobody else knows it yet
revoke all on function count_submissions(json, date) from public;
grant execute on function count_submissions(json, date) to carepost_app;

-- Writes submissions with their keys and audit rows, whom they add to lists, the mails that tell of them, the news for
-- endpoints, and the counts. Sealed bytes come as one value of which each row takes its part. What others wait for
-- is locked last, and in one order. Submitters who are added to no list may be known all the same; they are looked up
-- only where a drip waits for their form. Each list of rows is read once.
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
