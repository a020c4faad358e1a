-- beside: yes
-- Attempts at the mails of mailings stand beside those at messages, under the id of the mail. No envelope names whom they went
-- to, and the person may have another address by now: it is sealed into the attempt.
alter table delivery_attempts add column recipient bytea;

-- When a mail was taken to be sent: it tells one lease from the next of the same attempt, and does not change when the lease is
-- renewed. What was settled is nobody's any more.
alter table mailing_recipients add column leased_at timestamptz;

-- A mail that only a server nobody can verify would take goes on as a message of the Email area: it is `sent`, and counted so.
-- Who was put off before any attempt has not been tried: the days of trying begin with the first attempt.
create or replace function settle_people(of_customer int, of_send bigint, settlements json) returns void
  language plpgsql set search_path = public, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set random_page_cost = 0
  as $$
begin
  with done as materialized (
    select * from json_to_recordset(settlements) as d (id uuid, attempt smallint, attempts smallint,
      state text, rule text, smtp_code smallint, reply bytea, due_at timestamptz, settled_at timestamptz)
  ), ours as (
    select d.*, found.was_uncertain from (select * from done order by id) d cross join lateral (
      select r.state = 'uncertain' as was_uncertain from mailing_recipients r
      where r.id = d.id and r.attempts = d.attempt and r.state in ('sending', 'uncertain') for update) found
  ), settled as (
    update mailing_recipients r set state = ours.state, rule = ours.rule, attempts = ours.attempts,
      smtp_code = ours.smtp_code, reply = ours.reply, due_at = ours.due_at, settled_at = ours.settled_at,
      first_tried_at = case when ours.attempts > 0 then r.first_tried_at end, leased_at = null
    from ours where r.id = ours.id
    returning r.state, r.rule, ours.was_uncertain
  ), woken as (
    update campaign_mailing_sends s set state = 'sending' where s.id = of_send and s.state = 'needs_decision'
      and exists (select from settled where was_uncertain)
  ), counted as (
    select count(*) filter (where state = 'delivered') as delivered, count(*) filter (where state = 'sent') as sent,
      count(*) filter (where rule = 'soft_bounce') as soft,
      count(*) filter (where rule = 'hard_bounce' and state = 'bounced') as hard,
      count(*) filter (where state = 'suppressed') as suppressed, count(*) filter (where state = 'excluded') as excluded,
      count(*) filter (where state = 'cancelled') as cancelled,
      count(*) filter (where state = 'uncertain') - count(*) filter (where was_uncertain) as uncertain
    from settled
  )
  update send_counts c set delivered = c.delivered + n.delivered, sent = c.sent + n.sent,
    soft_bounced = c.soft_bounced + n.soft, hard_bounced = c.hard_bounced + n.hard,
    suppressed = c.suppressed + n.suppressed, excluded = c.excluded + n.excluded, cancelled = c.cancelled + n.cancelled,
    uncertain = c.uncertain + n.uncertain
  from counted n where c.customer_id = of_customer and c.send_id = of_send;
end $$;

-- Holds mails that are leased as they were taken, or were given up for lost since: an attempt that was put off has the same number
-- when it comes again. By their keys, as in 0065.
create function hold_mails(leases json) returns setof uuid
  language plpgsql rows 1 set search_path = public, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set random_page_cost = 0
  as $$
begin
  return query select found.id from (
    select * from json_to_recordset(leases) as l (id uuid, attempts smallint, leased_at timestamptz) order by l.id
  ) d cross join lateral (
    select r.id from mailing_recipients r where r.id = d.id and r.attempts = d.attempts
      and r.leased_at = d.leased_at and r.state in ('sending', 'uncertain') for update
  ) found;
end $$;
-- safe beside: nobody else knows it yet
revoke all on function hold_mails(json) from public;
grant execute on function hold_mails(json) to carepost_worker;
