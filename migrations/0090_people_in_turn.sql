-- beside: yes
-- Whoever was put on a list, confirmed one, opted out and was deleted at one moment could end as somebody who is out and has a
-- place that gets mail, or as a place of nobody: each looked at what was there before the others were done. Now all of them
-- hold the person first, and look then; a list that is deleted while somebody joins it waits for them and is empty at once. Nodes of the version before call the same functions.

-- Lets nobody else change or delete people until the transaction ends, and waits for whoever does so already.
create function hold_people(of_customer int, people uuid[]) returns void
  language plpgsql set search_path = public, pg_temp set enable_seqscan = off
  as $$
begin
  perform from subscribers where customer_id = of_customer and id = any(people) order by id for no key update;
end $$;

-- Lets nobody delete lists until the transaction ends: who empties a gone list must find whoever has joined it.
create function hold_lists(of_customer int, lists bigint[]) returns void
  language plpgsql set search_path = public, pg_temp
  as $$
begin
  perform from subscription_lists where customer_id = of_customer and id = any(lists) order by id for key share;
end $$;

-- Else as in 0079.
create or replace function join_lists(
  of_customer int, people uuid[], lists bigint[], again boolean, source text, evidence jsonb, at timestamptz) returns void
  language plpgsql set search_path = public, pg_temp set enable_seqscan = off
  as $$
declare
  changes json;
  -- Who has yet to confirm gets nothing meanwhile, so somebody new waits for the default list as well.
  asks boolean := exists (
    select from subscription_lists where customer_id = of_customer and id = any(lists) and double_opt_in);
begin
  perform hold_people(of_customer, people);
  perform hold_lists(of_customer, lists);
  if again then
    with back as (
      update subscribers s set unsubscribed_at = null, updated_at = join_lists.at
      where s.customer_id = of_customer and s.id = any(people) and s.unsubscribed_at is not null
      returning s.id
    ), woken as (
      update subscriptions c set active = true
      where c.customer_id = of_customer and c.subscriber_id = any(people) and c.unsubscribed_at is null
        and not c.pending and not c.active
        and exists (select from subscription_lists l where l.customer_id = of_customer and l.id = c.subscription_list_id)
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
    from (select distinct unnest(people) as id) person cross join lateral (
      select p.id, p.unsubscribed_at from subscribers p where p.customer_id = of_customer and p.id = person.id
      offset 0 -- keeps this from being joined in another order
    ) s join subscription_lists l on l.customer_id = of_customer and l.id = any(lists)
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

-- Else as in 0024.
create or replace function opt_out(of_customer int, people uuid[], source text, evidence jsonb, at timestamptz) returns bigint
  language plpgsql set search_path = public, pg_temp
  as $$
declare
  changes json;
begin
  perform hold_people(of_customer, people);
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

-- Else as in 0025.
create or replace function confirm_list(of_customer int, person uuid, list bigint, evidence jsonb, at timestamptz)
  returns boolean language plpgsql set search_path = public, pg_temp
  as $$
declare
  woken bigint;
begin
  perform hold_people(of_customer, array[person]);
  update subscriptions c set pending = false, active = s.unsubscribed_at is null and c.unsubscribed_at is null
  from subscribers s
  where c.customer_id = of_customer and c.subscription_list_id = list and c.subscriber_id = person and c.pending
    and s.customer_id = of_customer and s.id = person;
  if not found then return false; end if;
  update subscriptions c set pending = false, active = s.unsubscribed_at is null and c.unsubscribed_at is null
  from subscribers s, subscription_lists l
  where c.customer_id = of_customer and c.subscriber_id = person and c.pending and c.subscription_list_id = l.id
    and l.customer_id = of_customer and l.is_default and not l.double_opt_in
    and s.customer_id = of_customer and s.id = person
  returning c.subscription_list_id into woken;
  perform note_consent(of_customer, json_build_array(json_build_object('subscriber_id', person, 'list', list,
    'change', 'confirmed')), 'page', evidence, at);
  -- The default list waited with the one that wanted the confirmation.
  if woken is not null then perform tell_drips(of_customer, 'joined', woken::text, array[person], at); end if;
  return true;
end $$;

-- Else as in 0082.
-- Adds people to lists and to the customer's default list. What is known of somebody is added to, never overwritten;
-- a list that is gone takes nobody. Whose address has opted out comes back as opted out. Those who come by the same form to the same lists join them together.
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
        first_name text, last_name text, address_index text, at timestamptz, places json, audit json, forms json)
    ), by_email as (
      insert into subscribers (id, customer_id, email, phone_number, first_name, last_name, unsubscribed_at, created_at, updated_at)
      select id, customer_id, email, phone_number, first_name, last_name,
        case when exists (select from suppressions x where x.customer_id = person.customer_id
          and x.address_index = decode(person.address_index, 'hex') and x.reason = 'opt_out') then at end, at, at
      from person where email is not null
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
    -- Who was deleted as somebody who is out, while their address was waited for, left their opt-out behind only then.
    update subscribers s set unsubscribed_at = company.at
    from json_to_recordset(people) as p (id uuid, customer_id int, address_index text)
    where p.customer_id = company.customer_id and s.customer_id = p.customer_id and s.id = p.id
      and s.id = any(company.members) and s.unsubscribed_at is null
      and exists (select from suppressions x where x.customer_id = p.customer_id
        and x.address_index = decode(p.address_index, 'hex') and x.reason = 'opt_out');
    perform join_lists(company.customer_id, company.members, company.lists, false, 'form',
      jsonb_build_object('form', company.form_id), company.at);
    perform tell_drips(company.customer_id, 'form_submitted', submission.form, company.members, company.at)
    from json_array_elements_text(company.forms) as submission (form);
  end loop;
end $$;
