-- Accepts messages in one call, which is a transaction by itself: begin, the customers it acts for, the rows
-- and commit would be three round trips. It runs as its caller, under that role's policies.
create function accept_messages(customers int[], messages json, sealed bytea, recipients json, audit json) returns void
  language plpgsql set search_path = public, pg_temp
  as $$
begin
  perform set_config('carepost.customers', customers::text, true);
  with message as (
    select * from json_to_recordset(accept_messages.messages) as m (id uuid, customer_id int, key_id uuid, mode text,
      from_address text, at timestamptz, envelope_at int, envelope_length int, content_at int, content_length int,
      blob_ids uuid[])
  ), new_messages as (
    insert into messages (id, customer_id, content_id, key_id, mode, from_address, envelope, created_at)
    select m.id, m.customer_id, m.id, m.key_id, m.mode, m.from_address,
      substring(sealed from m.envelope_at for m.envelope_length), m.at
    from message m
  ), new_contents as (
    insert into message_contents (id, customer_id, sealed, blob_ids)
    select m.id, m.customer_id, substring(accept_messages.sealed from m.content_at for m.content_length), m.blob_ids
    from message m
  ), new_recipients as (
    insert into message_recipients (message_id, ordinal, customer_id, address_index, domain, state, due_at)
    select r.message_id, r.ordinal, r.customer_id, r.address_index, r.domain, 'queued', r.due_at
    from json_to_recordset(accept_messages.recipients) as r (message_id uuid, ordinal smallint, customer_id int,
      address_index bytea, domain text, due_at timestamptz)
  )
  insert into audit_log (id, customer_id, at, actor_kind, actor_id, action, target, request_id, details)
  select a.id, a.customer_id, a.at, a.actor_kind, a.actor_id, a.action, a.target, a.request_id, a.details::jsonb
  from json_to_recordset(accept_messages.audit) as a (id uuid, customer_id int, at timestamptz, actor_kind text,
    actor_id text, action text, target text, request_id text, details text);
end $$;
revoke all on function accept_messages(int[], json, bytea, json, json) from public;
grant execute on function accept_messages(int[], json, bytea, json, json) to carepost_app;
