-- beside: yes
-- Whoever came to a list by a form and had yet to confirm entered no drip that begins with the form: they were not on the list
-- when they submitted it, and nothing told of it again once they were. Else as in 0090.

create or replace function confirm_list(of_customer int, person uuid, list bigint, evidence jsonb, at timestamptz)
  returns boolean language plpgsql set search_path = public, pg_temp
  as $$
declare
  woken bigint;
  form text;
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
  -- How they came to the list that they confirm; what they did on others before is over.
  select c.evidence->>'form' into form from (
    select n.source, n.evidence from consent_changes n
    where n.customer_id = of_customer and n.subscriber_id = person and n.subscription_list_id = confirm_list.list
    order by n.id desc limit 1) c where c.source = 'form';
  perform note_consent(of_customer, json_build_array(json_build_object('subscriber_id', person, 'list', list,
    'change', 'confirmed')), 'page', evidence, at);
  -- The default list waited with the one that wanted the confirmation.
  if woken is not null then perform tell_drips(of_customer, 'joined', woken::text, array[person], at); end if;
  if form is not null then
    insert into drip_facts (customer_id, drip_id, kind, subject, subscriber_id, at)
    select of_customer, d.id, 'enter', form, person, confirm_list.at
    from drip_interests i join drip_campaigns d on d.customer_id = of_customer and d.id = i.drip_id
    where i.customer_id = of_customer and i.kind = 'form_submitted' and i.subject in (form, '') and i.enters
      and d.subscription_list_id in (confirm_list.list, woken);
    if found then perform pg_notify('carepost_drips', ''); end if;
  end if;
  return true;
end $$;
