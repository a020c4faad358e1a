-- beside: yes
-- A key may be bound to some of the domains that its customer sends from; nodes of the version before do not ask for them.

alter table api_keys add column sending_domains text[] not null default '{}';

-- Beside find_api_keys, which the version before asks.
create function find_callers(wanted text[], today date)
  returns table (
    id uuid, customer_id int, username text, public_id text, secret_hash bytea, mode text, scopes text[],
    sending_domains text[], expires_at timestamptz, revoked_at timestamptz, agreement_in_force boolean)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select k.id, k.customer_id, c.username, k.public_id, k.secret_hash, k.mode, k.scopes, k.sending_domains, k.expires_at,
      k.revoked_at,
      exists (select from agreements a where a.customer_id = k.customer_id
        and a.signed_on <= today and (a.ends_on is null or a.ends_on >= today))
    from api_keys k join customers c on c.id = k.customer_id
    where k.public_id = any(wanted)
      and not exists (select from users u where u.id = k.created_by and u.disabled_at is not null)
  $$;
call carepost_hand_over('find_callers(text[], date)', 'carepost_finder', 'carepost_app, carepost_worker');
