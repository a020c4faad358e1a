-- beside: yes
-- What delivery reads and settles is found by its key, whatever the planner thinks of the size of the tables: a plan is kept
-- for as long as a connection, and one that was made while a month's partitions were empty read all of them at every call.
-- A page costs nothing, since what is asked for was written a moment ago and is in memory; and what is asked for beside the
-- key is no constant, which would look like reason enough to read the table first. `offset 0` keeps a lookup from being joined
-- in another order.

create or replace function read_leased(customers int[], messages uuid[], reasons text[]) returns table (id uuid, customer_id int,
    mode text, from_address text, created_at timestamptz, envelope bytea, sealed bytea, file_bytes float8,
    open_tracking boolean, link_tracking boolean, scheduled_at timestamptz, suppressed json)
  language plpgsql set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set random_page_cost = 0
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
        from (select * from message_recipients where message_id = m.id offset 0) r cross join lateral (
          select reason from suppressions
          where customer_id = r.customer_id and address_index = r.address_index and reason = any(reasons) offset 0
        ) x where r.customer_id = m.customer_id)
    from messages m
    join message_contents c on c.id = m.content_id and c.customer_id = m.customer_id
    left join email_settings s on s.customer_id = m.customer_id
    left join scheduled_messages w on w.message_id = m.id and w.customer_id = m.customer_id
    where m.customer_id = any(read_leased.customers) and m.id = any(read_leased.messages);
end $$;

create or replace function settle_deliveries(customers int[], settlements json, moment timestamptz, evidence json, audit json)
  returns table (settled json, told boolean)
  language plpgsql set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set random_page_cost = 0
  as $$
declare
  ours json;
  news json;
begin
  perform set_config('carepost.customers', customers::text, true);
  with done as materialized (
    select d.*, 'queued' as before from json_to_recordset(settlements) as d (
      message_id uuid, ordinal smallint, attempt smallint, state text, due_at timestamptz, settled_at timestamptz,
      portal boolean, event text, outcome text, smtp_code smallint, peer text, mx_host text, mx_address text,
      tls_version text, tls_cipher text, tls_policy text, tls_verified boolean, tls_basis text, tls_reason text,
      certificate_hash bytea, notice boolean, evidence_id uuid, evidence_position smallint, reply bytea)
  ), ended as (
    update message_recipients r set state = done.state, due_at = done.due_at, settled_at = done.settled_at,
      portal = r.portal or done.portal
    from done where r.message_id = done.message_id and r.ordinal = done.ordinal and r.attempts = done.attempt
      and r.state = done.before
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
