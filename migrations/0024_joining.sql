-- Who joins and leaves lists, in one place for every door: what follows from it is written in the same transaction.

-- The mail that asks for a confirmation says in whose name it asks.
grant select (id, name) on customers to carepost_worker;

-- Tells what somebody agreed to or took back, and asks for the confirmation that a list wants.
create function note_consent(of_customer int, changes json, source text, evidence jsonb, at timestamptz) returns void
  language plpgsql set search_path = public, pg_temp
  as $$
begin
  insert into consent_changes (id, customer_id, subscriber_id, subscription_list_id, change, source, evidence, at)
  select time_ordered_id(note_consent.at), of_customer, c.subscriber_id, c.list, c.change, note_consent.source,
    note_consent.evidence || coalesce(jsonb_strip_nulls(jsonb_build_object('text', l.consent_text_id)), '{}'),
    note_consent.at
  from json_to_recordset(changes) as c (subscriber_id uuid, list bigint, change text)
  left join subscription_lists l on l.customer_id = of_customer and l.id = c.list;
  perform enqueue_job('marketing.confirm',
    json_build_object('customerId', of_customer, 'subscriberId', c.subscriber_id, 'listId', c.list),
    format('confirm/%s/%s', c.subscriber_id, c.list))
  from json_to_recordset(changes) as c (subscriber_id uuid, list bigint, change text) where c.change = 'asked';
end $$;
revoke all on function note_consent(int, json, text, jsonb, timestamptz) from public;
grant execute on function note_consent(int, json, text, jsonb, timestamptz) to carepost_app, carepost_worker;

-- Puts people on lists. Who left a list or opted out stays out, unless they are asked back `again`. Who has yet to
-- confirm and asks once more is asked to confirm once more, as the first mail may be lost.
create function join_lists(
  of_customer int, people uuid[], lists bigint[], again boolean, source text, evidence jsonb, at timestamptz) returns void
  language plpgsql set search_path = public, pg_temp
  as $$
declare
  changes json;
  -- Who has yet to confirm gets nothing meanwhile, so somebody new waits for the default list as well.
  asks boolean := exists (
    select from subscription_lists where customer_id = of_customer and id = any(lists) and double_opt_in);
begin
  if again then
    with back as (
      update subscribers s set unsubscribed_at = null, updated_at = join_lists.at
      where s.customer_id = of_customer and s.id = any(people) and s.unsubscribed_at is not null
      returning s.id
    ), woken as (
      update subscriptions c set active = true
      where c.customer_id = of_customer and c.subscriber_id = any(people) and c.unsubscribed_at is null
        and not c.pending and not c.active
    )
    select coalesce(json_agg(json_build_object('subscriber_id', id, 'change', 'opted_in')), '[]') into changes from back;
    perform note_consent(of_customer, changes, source, evidence, at);
  end if;
  perform enqueue_job('marketing.confirm', json_build_object('customerId', of_customer, 'subscriberId', c.subscriber_id,
    'listId', c.subscription_list_id), format('confirm/%s/%s', c.subscriber_id, c.subscription_list_id))
  from subscriptions c
  join subscription_lists l on l.customer_id = of_customer and l.id = c.subscription_list_id and l.double_opt_in
  where c.customer_id = of_customer and c.subscription_list_id = any(lists) and c.subscriber_id = any(people)
    and c.pending;
  with joined as (
    insert into subscriptions as c (id, customer_id, subscription_list_id, subscriber_id, created_at, pending, active)
    select time_ordered_id(join_lists.at), of_customer, l.id, s.id, join_lists.at,
      l.double_opt_in or (l.is_default and asks),
      not (l.double_opt_in or (l.is_default and asks)) and s.unsubscribed_at is null
    from subscribers s join subscription_lists l on l.customer_id = of_customer and l.id = any(lists)
    where s.customer_id = of_customer and s.id = any(people)
    order by l.id, s.id
    on conflict (customer_id, subscription_list_id, subscriber_id) do update
      set unsubscribed_at = null, pending = excluded.pending, active = excluded.active
      where again and c.unsubscribed_at is not null
    returning c.subscriber_id, c.subscription_list_id, c.pending
  )
  select coalesce(json_agg(json_build_object('subscriber_id', j.subscriber_id, 'list', l.id, 'change',
    case when not j.pending then 'joined' when l.double_opt_in then 'asked' else 'waiting' end)), '[]') into changes
  from joined j join subscription_lists l on l.customer_id = of_customer and l.id = j.subscription_list_id;
  perform note_consent(of_customer, changes, source, evidence, at);
end $$;
revoke all on function join_lists(int, uuid[], bigint[], boolean, text, jsonb, timestamptz) from public;
grant execute on function join_lists(int, uuid[], bigint[], boolean, text, jsonb, timestamptz)
  to carepost_app, carepost_worker;

-- Confirms that somebody wants to be on a list; true where that was asked for.
create function confirm_list(of_customer int, person uuid, list bigint, evidence jsonb, at timestamptz) returns boolean
  language plpgsql set search_path = public, pg_temp
  as $$
begin
  update subscriptions c set pending = false, active = s.unsubscribed_at is null and c.unsubscribed_at is null
  from subscribers s
  where c.customer_id = of_customer and c.subscription_list_id = list and c.subscriber_id = person and c.pending
    and s.customer_id = of_customer and s.id = person;
  if not found then return false; end if;
  update subscriptions c set pending = false, active = s.unsubscribed_at is null and c.unsubscribed_at is null
  from subscribers s, subscription_lists l
  where c.customer_id = of_customer and c.subscriber_id = person and c.pending and c.subscription_list_id = l.id
    and l.customer_id = of_customer and l.is_default and not l.double_opt_in
    and s.customer_id = of_customer and s.id = person;
  perform note_consent(of_customer, json_build_array(json_build_object('subscriber_id', person, 'list', list,
    'change', 'confirmed')), 'page', evidence, at);
  return true;
end $$;
revoke all on function confirm_list(int, uuid, bigint, jsonb, timestamptz) from public;
grant execute on function confirm_list(int, uuid, bigint, jsonb, timestamptz) to carepost_app;

-- Takes people off lists; the rows stay, so that nobody is brought back by accident. Answers how many that were.
create function leave_lists(
  of_customer int, people uuid[], lists bigint[], source text, evidence jsonb, at timestamptz) returns bigint
  language plpgsql set search_path = public, pg_temp
  as $$
declare
  changes json;
begin
  with gone as (
    update subscriptions c set unsubscribed_at = leave_lists.at, active = false, pending = false
    where c.customer_id = of_customer and c.subscription_list_id = any(lists) and c.subscriber_id = any(people)
      and c.unsubscribed_at is null
    returning c.subscriber_id, c.subscription_list_id
  )
  select coalesce(json_agg(json_build_object('subscriber_id', subscriber_id, 'list', subscription_list_id,
    'change', 'left')), '[]') into changes from gone;
  perform note_consent(of_customer, changes, source, evidence, at);
  return json_array_length(changes);
end $$;
revoke all on function leave_lists(int, uuid[], bigint[], text, jsonb, timestamptz) from public;
grant execute on function leave_lists(int, uuid[], bigint[], text, jsonb, timestamptz) to carepost_app, carepost_worker;

-- Opts people out of everything that a customer mails to many. Answers how many that were.
create function opt_out(of_customer int, people uuid[], source text, evidence jsonb, at timestamptz) returns bigint
  language plpgsql set search_path = public, pg_temp
  as $$
declare
  changes json;
begin
  with gone as (
    update subscribers s set unsubscribed_at = opt_out.at, updated_at = opt_out.at
    where s.customer_id = of_customer and s.id = any(people) and s.unsubscribed_at is null
    returning s.id
  ), quiet as (
    update subscriptions c set active = false
    where c.customer_id = of_customer and c.subscriber_id = any(people) and c.active
  )
  select coalesce(json_agg(json_build_object('subscriber_id', id, 'change', 'opted_out')), '[]') into changes from gone;
  perform note_consent(of_customer, changes, source, evidence, at);
  return json_array_length(changes);
end $$;
revoke all on function opt_out(int, uuid[], text, jsonb, timestamptz) from public;
grant execute on function opt_out(int, uuid[], text, jsonb, timestamptz) to carepost_app, carepost_worker;

-- Adds people to lists and to the customer's default list. What is known of somebody is added to, never overwritten;
-- a list that is gone takes nobody.
create or replace function add_subscribers(people json, default_name text) returns void
  language plpgsql set search_path = public, pg_temp
  as $$
declare
  person record;
begin
  insert into subscription_lists (customer_id, name, is_default, created_at, updated_at)
  select distinct on (p.customer_id) p.customer_id, default_name, true, p.at, p.at
  from json_to_recordset(people) as p (customer_id int, at timestamptz)
  where not exists (select from subscription_lists l where l.customer_id = p.customer_id and l.is_default)
  on conflict (customer_id) where is_default do nothing;
  for person in
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
    ), noted as (
      insert into audit_log (id, customer_id, at, actor_kind, actor_id, action, target, request_id, details)
      select a.id, a.customer_id, a.at, a.actor_kind, a.actor_id, a.action, saved.id::text, a.request_id, a.details::jsonb
      from saved cross join lateral json_to_record(saved.audit) as a (id uuid, customer_id int, at timestamptz,
        actor_kind text, actor_id text, action text, request_id text, details text)
    )
    select saved.id, saved.customer_id, saved.at, saved.audit->>'actor_id' as form_id, array(
      select l.id from json_to_recordset(saved.places) as place (list bigint)
      join subscription_lists l on l.customer_id = saved.customer_id
        and case when place.list is null then l.is_default else l.id = place.list end) as lists
    from saved order by saved.customer_id, saved.id
  loop
    perform join_lists(person.customer_id, array[person.id], person.lists, false, 'form',
      jsonb_build_object('form', person.form_id), person.at);
  end loop;
end $$;
