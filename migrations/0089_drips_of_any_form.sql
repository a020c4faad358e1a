-- beside: yes
-- A drip may wait for somebody to submit any form: its interest then has no subject.

-- Tells the drips of a customer that something happened to people: who is to enter, for each drip by itself, and the rest once.
create or replace function tell_drips(of_customer int, kind text, subject text, people uuid[], at timestamptz) returns void
  language plpgsql set search_path = public, pg_temp
  as $$
begin
  insert into drip_facts (customer_id, drip_id, kind, subject, subscriber_id, at)
  select of_customer, case when i.enters then i.drip_id end, case when i.enters then 'enter' else i.kind end,
    tell_drips.subject, person, tell_drips.at
  from (
    select distinct on (case when d.enters then d.drip_id end) d.drip_id, d.kind, d.enters
    from drip_interests d
    where d.customer_id = of_customer and d.kind = tell_drips.kind and d.subject in (tell_drips.subject, '')) i
  cross join unnest(people) as person
  order by i.enters desc;
  if found then perform pg_notify('carepost_drips', ''); end if;
end $$;

-- The same as before, but whoever waits for any form is asked about too.
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
        and i.subject in (s.form_id::text, '')) offset 0) s
    cross join lateral find_subscribers_at(s.customer_id, array[lower(s.email)]) as person;
  end if;
  if mails is not null then
    perform accept_messages(customers, m.messages, mail_bytes, m.recipients, m.audit)
    from json_to_record(mails) as m (messages json, recipients json, audit json);
  end if;
  perform enqueue_deliveries(news, at);
  perform count_submissions(counts, (at at time zone 'UTC')::date);
end $$;
