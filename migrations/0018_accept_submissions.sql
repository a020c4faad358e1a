-- A submission has many effects in one transaction. Each round trip waits for a busy server process, so the whole is
-- one call; functions keep their plans, and run as their caller under that role's policies.

-- A time-ordered id (RFC 9562 version 7), for rows whose number is known here only.
create function time_ordered_id(at timestamptz) returns uuid language sql volatile
  as $$
    select encode(set_byte(bytes, 6, (get_byte(bytes, 6) & 15) | 112), 'hex')::uuid
    from (select overlay(uuid_send(gen_random_uuid())
      placing substring(int8send((extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6) as bytes) random
  $$;

-- Queues news for every active endpoint that asked for it. The lock on an endpoint is held until commit, so its
-- sequence has no gaps and follows the order of commits.
create function enqueue_deliveries(news json, at timestamptz) returns void
  language plpgsql set search_path = public, pg_temp
  as $$
begin
  perform from webhook_endpoints e
  where e.customer_id in (select n.customer_id from json_to_recordset(news) as n (customer_id int))
    and e.active and e.deleted_at is null order by e.id for update;
  if not found then return; end if;
  with told as (
    select e.id as endpoint_id, e.customer_id, n.name, n.facts,
      e.last_sequence + row_number() over (partition by e.id order by n.position) as sequence
    from json_to_recordset(news) as n (position int, customer_id int, name text, facts jsonb)
    join webhook_endpoints e on e.customer_id = n.customer_id and n.name = any(e.events)
    where e.active and e.deleted_at is null
  ), queued as (
    insert into webhook_deliveries (id, customer_id, endpoint_id, sequence, event_name, facts, state, due_at, created_at)
    select time_ordered_id(at), customer_id, endpoint_id, sequence, name, facts, 'pending', at, at
    from told order by endpoint_id, sequence
    returning endpoint_id, sequence
  )
  update webhook_endpoints e set last_sequence = q.last
  from (select endpoint_id, max(sequence) as last from queued group by endpoint_id) q where e.id = q.endpoint_id;
end $$;
revoke all on function enqueue_deliveries(json, timestamptz) from public;
grant execute on function enqueue_deliveries(json, timestamptz) to carepost_app, carepost_worker;

-- Adds people to lists and to the customer's default list. What is known of somebody is added to, never overwritten;
-- a list that is gone takes nobody.
create function add_subscribers(people json, default_name text) returns void
  language plpgsql set search_path = public, pg_temp
  as $$
begin
  insert into subscription_lists (customer_id, name, is_default, created_at, updated_at)
  select distinct on (p.customer_id) p.customer_id, default_name, true, p.at, p.at
  from json_to_recordset(people) as p (customer_id int, at timestamptz)
  where not exists (select from subscription_lists l where l.customer_id = p.customer_id and l.is_default)
  on conflict (customer_id) where is_default do nothing;
  with person as (
    select * from json_to_recordset(people) as p (id uuid, customer_id int, email text, phone_number text,
      first_name text, last_name text, at timestamptz, places json, audit json)
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
    select s.id, p.customer_id, p.at, p.places, p.audit from person p
    join by_email s on s.customer_id = p.customer_id and s.email = lower(p.email)
    union all
    select s.id, p.customer_id, p.at, p.places, p.audit from person p
    join by_phone s on s.customer_id = p.customer_id and s.phone_number = p.phone_number and p.email is null
  ), joined as (
    insert into subscriptions (id, customer_id, subscription_list_id, subscriber_id, created_at)
    select place.id, saved.customer_id, l.id, saved.id, saved.at
    from saved cross join lateral json_to_recordset(saved.places) as place (id uuid, list bigint)
    join subscription_lists l on l.customer_id = saved.customer_id
      and case when place.list is null then l.is_default else l.id = place.list end
    on conflict (customer_id, subscription_list_id, subscriber_id) do nothing
  )
  insert into audit_log (id, customer_id, at, actor_kind, actor_id, action, target, request_id, details)
  select a.id, a.customer_id, a.at, a.actor_kind, a.actor_id, a.action, saved.id::text, a.request_id, a.details::jsonb
  from saved cross join lateral json_to_record(saved.audit) as a (id uuid, customer_id int, at timestamptz,
    actor_kind text, actor_id text, action text, request_id text, details text);
end $$;
revoke all on function add_subscribers(json, text) from public;
grant execute on function add_subscribers(json, text) to carepost_app;

-- Writes submissions with their keys and audit rows, whom they add to lists, the mails that tell of them, the news for
-- endpoints, and the counts. Sealed bytes come as one value of which each row takes its part. What others wait for
-- is locked last, and in one order.
create function accept_submissions(
  customers int[], submissions json, sealed bytea, audit json, people json, default_name text, mails json,
  mail_bytes bytea, news json, at timestamptz) returns void
  language plpgsql set search_path = public, pg_temp
  as $$
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
  )
  insert into audit_log (id, customer_id, at, actor_kind, actor_id, action, target, request_id, details)
  select a.id, a.customer_id, a.at, a.actor_kind, a.actor_id, a.action, a.target, a.request_id, a.details::jsonb
  from json_to_recordset(accept_submissions.audit) as a (id uuid, customer_id int, at timestamptz, actor_kind text,
    actor_id text, action text, target text, request_id text, details text);
  if people is not null then perform add_subscribers(people, default_name); end if;
  if mails is not null then
    perform accept_messages(customers, mails->'messages', mail_bytes, mails->'recipients', mails->'audit');
  end if;
  perform enqueue_deliveries(news, at);
  with added as (
    select c.customer_id, c.form_id, n.added
    from (select s.customer_id, s.form_id, count(*) as added
      from json_to_recordset(accept_submissions.submissions) as s (customer_id int, form_id uuid) group by 1, 2) n
    join form_counts c on c.customer_id = n.customer_id and c.form_id = n.form_id order by c.form_id for update of c
  )
  update form_counts c set submission_count = c.submission_count + added.added
  from added where c.customer_id = added.customer_id and c.form_id = added.form_id;
end $$;
revoke all on function accept_submissions(int[], json, bytea, json, json, text, json, bytea, json, timestamptz) from public;
grant execute on function accept_submissions(int[], json, bytea, json, json, text, json, bytea, json, timestamptz)
  to carepost_app;
