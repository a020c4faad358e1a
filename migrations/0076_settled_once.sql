-- beside: yes
-- An attempt is settled once. Where the answer of the database was lost the same settlement is written again, and a deferral
-- leaves its recipient queued under the same number: it was told and put off anew. The row of the attempt is what tells, and
-- is taken first, so that whoever comes while the first writing is still under way waits for it. An attempt that was given up
-- for lost may still be settled by whoever made it; it met nobody that is written down.
-- Evidence is kept where an attempt refers to it.

create or replace function settle_deliveries(customers int[], settlements json, moment timestamptz, evidence json, audit json)
  returns table (settled json, told boolean)
  language plpgsql set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set random_page_cost = 0
  as $$
declare
  ours json;
  news json;
  kept uuid[];
begin
  perform set_config('carepost.customers', customers::text, true);
  with done as materialized (
    select d.*, 'queued' as before from json_to_recordset(settlements) as d (
      message_id uuid, ordinal smallint, attempt smallint, state text, due_at timestamptz, settled_at timestamptz,
      portal boolean, event text, outcome text, smtp_code smallint, peer text, mx_host text, mx_address text,
      tls_version text, tls_cipher text, tls_policy text, tls_verified boolean, tls_basis text, tls_reason text,
      certificate_hash bytea, notice boolean, evidence_id uuid, evidence_position smallint, reply bytea)
  ), noted as (
    update delivery_attempts a set finished_at = moment, outcome = done.outcome, smtp_code = done.smtp_code,
      peer = done.peer, mx_host = done.mx_host, mx_address = done.mx_address, tls_version = done.tls_version,
      tls_cipher = done.tls_cipher, tls_policy = done.tls_policy, tls_verified = done.tls_verified,
      tls_basis = done.tls_basis, tls_reason = done.tls_reason, certificate_hash = done.certificate_hash,
      notice = done.notice, evidence_id = done.evidence_id, evidence_position = done.evidence_position,
      reply = done.reply
    from done where a.message_id = done.message_id and a.ordinal = done.ordinal and a.attempt = done.attempt
      and (a.outcome is null or (a.outcome = 'uncertain' and a.peer is null))
    returning done.*
  ), ended as (
    update message_recipients r set state = noted.state, due_at = noted.due_at, settled_at = noted.settled_at,
      portal = r.portal or noted.portal
    from noted where r.message_id = noted.message_id and r.ordinal = noted.ordinal and r.attempts = noted.attempt
      and r.state = noted.before
    returning r.customer_id, r.message_id, r.ordinal, noted.event, noted.outcome = 'uncertain' as uncertain
  ), numbered as (
    select *, row_number() over () as position from ended
  )
  select json_agg(json_build_object('message_id', n.message_id, 'ordinal', n.ordinal)),
    json_agg(json_build_object('position', n.position, 'customer_id', n.customer_id, 'message_id', n.message_id,
      'ordinal', n.ordinal, 'name', n.event, 'at', moment, 'uncertain', n.uncertain)) filter (where n.event is not null),
    (select array_agg(distinct evidence_id) from noted)
  into ours, news, kept from numbered n;
  insert into evidence_batches (id, customer_id, leaves)
  select b.id, b.customer_id, b.leaves
  from json_to_recordset(settle_deliveries.evidence) as b (id uuid, customer_id int, leaves bytea)
  where b.id = any(kept);
  insert into audit_log (id, customer_id, at, actor_kind, actor_id, action, target, request_id, details)
  select a.id, a.customer_id, a.at, a.actor_kind, a.actor_id, a.action, a.target, a.request_id, a.details::jsonb
  from json_to_recordset(settle_deliveries.audit) as a (id uuid, customer_id int, at timestamptz,
    actor_kind text, actor_id text, action text, target text, request_id text, details text)
  where a.id = any(kept);
  if news is not null then perform record_events(news, moment); end if;
  return query select coalesce(ours, '[]'), exists (
    select from webhook_endpoints e
    where e.customer_id = any(settle_deliveries.customers) and e.active and e.deleted_at is null);
end $$;
