-- beside: yes
-- Submissions that are stored together are written together down to the last list: what each of them asked for by itself
-- took two thirds of the time. All functions do what they did, with the same arguments.

-- A time-ordered id (RFC 9562 version 7), for rows whose number is known here only. A random UUID (version 4) has its variant
-- where it belongs already. Without a table to select from it becomes part of the statement that calls it.
create or replace function time_ordered_id(at timestamptz) returns uuid language sql volatile
  as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7'
      || substr(gen_random_uuid()::text, 16))::uuid
  $$;

-- Queues news for every active endpoint that asked for it. The lock on an endpoint is held until commit, so its
-- sequence has no gaps and follows the order of commits: what is read of it is read under the lock.
create or replace function enqueue_deliveries(news json, at timestamptz) returns void
  language plpgsql set search_path = public, pg_temp
  as $$
begin
  with said as materialized (
    select * from json_to_recordset(news) as n (position int, customer_id int, name text, facts jsonb)
  ), locked as materialized (
    select e.id, e.customer_id, e.events, e.last_sequence from webhook_endpoints e
    where e.customer_id in (select customer_id from said) and e.active and e.deleted_at is null
    order by e.id for update
  ), told as (
    select e.id as endpoint_id, e.customer_id, n.name, n.facts,
      e.last_sequence + row_number() over (partition by e.id order by n.position) as sequence
    from said n join locked e on e.customer_id = n.customer_id and n.name = any(e.events)
  ), queued as (
    insert into webhook_deliveries (id, customer_id, endpoint_id, sequence, event_name, facts, state, due_at, created_at)
    select time_ordered_id(at), customer_id, endpoint_id, sequence, name, facts, 'pending', at, at
    from told order by endpoint_id, sequence
    returning endpoint_id, sequence
  )
  update webhook_endpoints e set last_sequence = q.last
  from (select endpoint_id, max(sequence) as last from queued group by endpoint_id) q where e.id = q.endpoint_id;
end $$;

-- Adds people to lists and to the customer's default list. What is known of somebody is added to, never overwritten;
-- a list that is gone takes nobody. Those who come by the same form to the same lists join them together.
create or replace function add_subscribers(people json, default_name text) returns void
  language plpgsql set search_path = public, pg_temp
  as $$
declare
  company record;
begin
  insert into subscription_lists (customer_id, name, is_default, created_at, updated_at)
  select distinct on (p.customer_id) p.customer_id, default_name, true, p.at, p.at
  from json_to_recordset(people) as p (customer_id int, at timestamptz)
  where not exists (select from subscription_lists l where l.customer_id = p.customer_id and l.is_default)
  on conflict (customer_id) where is_default do nothing;
  for company in
    with person as (
      select * from json_to_recordset(people) as p (id uuid, customer_id int, email text, phone_number text,
        first_name text, last_name text, at timestamptz, places json, audit json, forms json)
    ), by_email as (
      insert into subscribers (id, customer_id, email, phone_number, first_name, last_name, created_at, updated_at)
      select id, customer_id, email, phone_number, first_name, last_name, at, at from person where email is not null
      order by customer_id, lower(email)
      on conflict (customer_id, lower(email)) do update set updated_at = excluded.updated_at,
        phone_number = coalesce(subscribers.phone_number, excluded.phone_number),
        first_name = coalesce(subscribers.first_name, excluded.first_name),
        last_name = coalesce(subscribers.last_name, excluded.last_name)
      returning id, customer_id, lower(email) as email
    ), by_phone as (
      insert into subscribers (id, customer_id, phone_number, first_name, last_name, created_at, updated_at)
      select id, customer_id, phone_number, first_name, last_name, at, at from person where email is null
      order by customer_id, phone_number
      on conflict (customer_id, phone_number) where email is null do update set updated_at = excluded.updated_at,
        first_name = coalesce(subscribers.first_name, excluded.first_name),
        last_name = coalesce(subscribers.last_name, excluded.last_name)
      returning id, customer_id, phone_number
    ), saved as (
      select s.id, p.customer_id, p.at, p.places, p.audit, p.forms from person p
      join by_email s on s.customer_id = p.customer_id and s.email = lower(p.email)
      union all
      select s.id, p.customer_id, p.at, p.places, p.audit, p.forms from person p
      join by_phone s on s.customer_id = p.customer_id and s.phone_number = p.phone_number and p.email is null
    ), noted as (
      insert into audit_log (id, customer_id, at, actor_kind, actor_id, action, target, request_id, details)
      select a.id, a.customer_id, a.at, a.actor_kind, a.actor_id, a.action, saved.id::text, a.request_id, a.details::jsonb
      from saved cross join lateral json_to_record(saved.audit) as a (id uuid, customer_id int, at timestamptz,
        actor_kind text, actor_id text, action text, request_id text, details text)
    ), together as (
      select customer_id, at, audit->>'actor_id' as form_id, places::text as places, forms::text as forms,
        array_agg(id order by id) as members
      from saved group by 1, 2, 3, 4, 5
    )
    select t.customer_id, t.at, t.form_id, t.forms::json as forms, t.members, array(
      select l.id from json_to_recordset(t.places::json) as place (list bigint)
      join subscription_lists l on l.customer_id = t.customer_id
        and case when place.list is null then l.is_default else l.id = place.list end) as lists
    from together t order by t.customer_id, t.members
  loop
    perform join_lists(company.customer_id, company.members, company.lists, false, 'form',
      jsonb_build_object('form', company.form_id), company.at);
    perform tell_drips(company.customer_id, 'form_submitted', submission.form, company.members, company.at)
    from json_array_elements_text(company.forms) as submission (form);
  end loop;
end $$;

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
  with added as (
    select c.customer_id, c.form_id, n.added
    from json_to_recordset(counts) as n (customer_id int, form_id uuid, added bigint)
    join form_counts c on c.customer_id = n.customer_id and c.form_id = n.form_id order by c.form_id for update of c
  )
  update form_counts c set submission_count = c.submission_count + added.added
  from added where c.customer_id = added.customer_id and c.form_id = added.form_id;
end $$;
