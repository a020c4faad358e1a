-- beside: yes
-- What delivery does all the time, each in one call that is a transaction by itself: begin, the customers it acts for, the
-- statements and commit were up to six round trips. All run as their caller, under that role's policies.

-- Writes events, numbers them per customer without gaps, and puts them on their way to the customer's endpoints.
create function record_events(events json, moment timestamptz) returns void
  language plpgsql set search_path = public, pg_temp
  as $$
declare
  news json;
begin
  with said as (
    select *, row_number() over (partition by n.customer_id order by n.position) as nth,
      count(*) over (partition by n.customer_id) as total
    from json_to_recordset(record_events.events) as n
      (position int, customer_id int, message_id uuid, ordinal smallint, name text, at timestamptz, uncertain boolean)
  ), heads as (
    insert into event_heads (customer_id, last_number)
    select customer_id, count(*) from said group by customer_id order by customer_id
    on conflict (customer_id) do update set last_number = event_heads.last_number + excluded.last_number
    returning customer_id, last_number
  ), recorded as (
    insert into message_events (message_id, number, customer_id, ordinal, name, at, uncertain)
    select n.message_id, h.last_number - n.total + n.nth, n.customer_id, n.ordinal, n.name, n.at, n.uncertain
    from said n join heads h on h.customer_id = n.customer_id order by n.customer_id, n.nth
    returning customer_id, message_id, ordinal, number, name, at, uncertain
  )
  select json_agg(json_build_object('position', r.position, 'customer_id', r.customer_id, 'name', r.name,
    'facts', jsonb_build_object('message', r.message_id, 'recipient', r.ordinal, 'number', r.number,
      'at', to_char(r.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      || case when r.uncertain then '{"uncertain": 1}' else '{}' end::jsonb))
  into news from (select *, row_number() over (order by number) as position from recorded) r;
  if news is not null then perform enqueue_deliveries(news, moment); end if;
end $$;

-- Reads messages that are leased, still sealed; `reasons` are those for which a suppressed address gets no mail.
create function read_leased(customers int[], messages uuid[], reasons text[]) returns table (id uuid, customer_id int,
    mode text, from_address text, created_at timestamptz, envelope bytea, sealed bytea, file_bytes float8,
    open_tracking boolean, link_tracking boolean, scheduled_at timestamptz, suppressed json)
  language plpgsql set search_path = public, pg_temp
  as $$
#variable_conflict use_column
begin
  perform set_config('carepost.customers', customers::text, true);
  return query
    select m.id, m.customer_id, m.mode, m.from_address, m.created_at, m.envelope, c.sealed,
      case when c.blob_ids is null then 0 else (
        select coalesce(sum(b.size), 0)::float8 from blobs b
        where b.customer_id = m.customer_id and b.id = any(c.blob_ids)) end,
      s.open_tracking, s.link_tracking, w.scheduled_at, (
        select coalesce(json_agg(json_build_object('ordinal', r.ordinal, 'reason', x.reason)), '[]')
        from message_recipients r join suppressions x on x.customer_id = r.customer_id
          and x.address_index = r.address_index and x.reason = any(reasons)
        where r.customer_id = m.customer_id and r.message_id = m.id)
    from messages m
    join message_contents c on c.id = m.content_id and c.customer_id = m.customer_id
    left join email_settings s on s.customer_id = m.customer_id
    left join scheduled_messages w on w.message_id = m.id and w.customer_id = m.customer_id
    where m.customer_id = any(read_leased.customers) and m.id = any(read_leased.messages);
end $$;

-- Writes what came of leased recipients: the state of each, the evidence of its attempt, and the news of it. A lease that
-- was lost meanwhile is no longer to be settled: the attempt number tells. Answers those that were, and whether any of
-- their customers has an endpoint that may hear of it.
create function settle_deliveries(customers int[], settlements json, moment timestamptz, evidence json, audit json)
  returns table (settled json, told boolean)
  language plpgsql set search_path = public, pg_temp
  as $$
declare
  ours json;
  news json;
begin
  perform set_config('carepost.customers', customers::text, true);
  with done as materialized (
    select * from json_to_recordset(settlements) as d (
      message_id uuid, ordinal smallint, attempt smallint, state text, due_at timestamptz, settled_at timestamptz,
      portal boolean, event text, outcome text, smtp_code smallint, peer text, mx_host text, mx_address text,
      tls_version text, tls_cipher text, tls_policy text, tls_verified boolean, tls_basis text, tls_reason text,
      certificate_hash bytea, notice boolean, evidence_id uuid, evidence_position smallint, reply bytea)
  ), ended as (
    update message_recipients r set state = done.state, due_at = done.due_at, settled_at = done.settled_at,
      portal = r.portal or done.portal
    from done where r.message_id = done.message_id and r.ordinal = done.ordinal and r.attempts = done.attempt
      and r.state = 'queued'
    returning r.customer_id, r.message_id, r.ordinal, done.event, done.outcome = 'uncertain' as uncertain
  ), noted as (
    update delivery_attempts a set finished_at = moment, outcome = done.outcome, smtp_code = done.smtp_code,
      peer = done.peer, mx_host = done.mx_host, mx_address = done.mx_address, tls_version = done.tls_version,
      tls_cipher = done.tls_cipher, tls_policy = done.tls_policy, tls_verified = done.tls_verified,
      tls_basis = done.tls_basis, tls_reason = done.tls_reason, certificate_hash = done.certificate_hash,
      notice = done.notice, evidence_id = done.evidence_id, evidence_position = done.evidence_position,
      reply = done.reply
    from done where a.message_id = done.message_id and a.ordinal = done.ordinal and a.attempt = done.attempt
  ), numbered as (
    select *, row_number() over () as position from ended
  )
  select json_agg(json_build_object('message_id', n.message_id, 'ordinal', n.ordinal)),
    json_agg(json_build_object('position', n.position, 'customer_id', n.customer_id, 'message_id', n.message_id,
      'ordinal', n.ordinal, 'name', n.event, 'at', moment, 'uncertain', n.uncertain)) filter (where n.event is not null)
  into ours, news from numbered n;
  insert into evidence_batches (id, customer_id, leaves)
  select b.id, b.customer_id, b.leaves
  from json_to_recordset(settle_deliveries.evidence) as b (id uuid, customer_id int, leaves bytea);
  insert into audit_log (id, customer_id, at, actor_kind, actor_id, action, target, request_id, details)
  select a.id, a.customer_id, a.at, a.actor_kind, a.actor_id, a.action, a.target, a.request_id, a.details::jsonb
  from json_to_recordset(settle_deliveries.audit) as a (id uuid, customer_id int, at timestamptz,
    actor_kind text, actor_id text, action text, target text, request_id text, details text);
  if news is not null then perform record_events(news, moment); end if;
  return query select coalesce(ours, '[]'), exists (
    select from webhook_endpoints e
    where e.customer_id = any(settle_deliveries.customers) and e.active and e.deleted_at is null);
end $$;

-- safe beside: nobody else knows it yet
revoke all on function record_events(json, timestamptz) from public;
-- safe beside: nobody else knows it yet
revoke all on function read_leased(int[], uuid[], text[]) from public;
-- safe beside: nobody else knows it yet
revoke all on function settle_deliveries(int[], json, timestamptz, json, json) from public;
grant execute on function record_events(json, timestamptz) to carepost_app, carepost_worker;
grant execute on function read_leased(int[], uuid[], text[]) to carepost_worker;
grant execute on function settle_deliveries(int[], json, timestamptz, json, json) to carepost_worker;
