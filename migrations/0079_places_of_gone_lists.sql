-- beside: yes
-- Whom a legal hold keeps on a list that is gone is quiet there for good: joining another list, or opting in again, does not
-- wake that place. Else as in 0064.

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
