-- beside: yes
-- Whoever is held, or was deleted as somebody who is out, is looked up by their key. Plans that were made while there were few
-- people read all of a customer's for every form that somebody came by, until the table was analysed.

-- Else as in 0090.
create or replace function hold_people(of_customer int, people uuid[]) returns void
  language plpgsql set search_path = public, pg_temp set enable_seqscan = off
  as $$
begin
  perform from (select distinct unnest(people) as id order by id) person cross join lateral (
    select from subscribers s where s.customer_id = of_customer and s.id = person.id
    offset 0 -- keeps this from being joined in another order
    for no key update
  ) held;
end $$;

-- Else as in 0090.
-- Adds people to lists and to the customer's default list. What is known of somebody is added to, never overwritten;
-- a list that is gone takes nobody. Whose address has opted out comes back as opted out. Those who come by the same form to the same lists join them together.
create or replace function add_subscribers(people json, default_name text) returns void
  language plpgsql set search_path = public, pg_temp
  as $$
declare
  company record;
  still_out uuid[];
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
        case when (select true from suppressions x where x.customer_id = person.customer_id
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
    select array_agg(p.id) into still_out
    from json_to_recordset(people) as p (id uuid, customer_id int, address_index text)
    where p.customer_id = company.customer_id and p.id = any(company.members)
      and (select true from suppressions x where x.customer_id = p.customer_id
        and x.address_index = decode(p.address_index, 'hex') and x.reason = 'opt_out');
    if still_out is not null then
      update subscribers s set unsubscribed_at = company.at
      where s.customer_id = company.customer_id and s.id = any(still_out) and s.unsubscribed_at is null;
    end if;
    perform join_lists(company.customer_id, company.members, company.lists, false, 'form',
      jsonb_build_object('form', company.form_id), company.at);
    perform tell_drips(company.customer_id, 'form_submitted', submission.form, company.members, company.at)
    from json_array_elements_text(company.forms) as submission (form);
  end loop;
end $$;
