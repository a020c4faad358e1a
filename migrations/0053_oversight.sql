-- beside: yes
-- Whom to tell of emergency access beside the owners, and how often what was done is reviewed.
alter table customers
  add column security_contact text,
  add column review_days int not null default 30 check (review_days between 7 and 90),
  add column review_due_days int not null default 7 check (review_due_days between 1 and 30);
grant select (review_days, security_contact) on customers to carepost_finder;

-- Emergency access of an operator to one customer: asked for, opened once by a second person or by a code, and over. The
-- reason may hold anything and is sealed under the customer's keys.
create table break_glass_grants (
  id uuid primary key,
  customer_id int not null references customers (id),
  operator_id uuid not null,
  reason bytea not null,
  minutes int not null check (minutes between 1 and 240),
  asked_at timestamptz not null,
  opened_at timestamptz,
  opened_by_kind text check (opened_by_kind in ('operator', 'customer', 'code')),
  opened_by uuid,
  expires_at timestamptz,
  ended_at timestamptz,
  ended_by_kind text check (ended_by_kind in ('operator', 'customer', 'cli')),
  ended_by text,
  check ((opened_at is null) = (expires_at is null) and (opened_at is null) = (opened_by_kind is null))
);
create index break_glass_grants_customer on break_glass_grants (customer_id, id);
call carepost_protect('break_glass_grants');
create policy finder on break_glass_grants for select to carepost_finder using (true);
grant select, insert on break_glass_grants to carepost_app;
grant update (opened_at, opened_by_kind, opened_by, expires_at, ended_at, ended_by_kind, ended_by)
  on break_glass_grants to carepost_app;
grant select, update (reason) on break_glass_grants to carepost_worker;
grant select on break_glass_grants to carepost_finder;

-- What was opened stays opened by whom it was, and what is over stays over.
create function keep_break_glass() returns trigger language plpgsql as $$
begin
  if old.ended_at is not null and new.ended_at is distinct from old.ended_at
    or old.opened_at is not null and (new.opened_at, new.opened_by_kind, new.opened_by, new.expires_at)
      is distinct from (old.opened_at, old.opened_by_kind, old.opened_by, old.expires_at)
    or new.opened_at is not null and old.opened_at is null and old.ended_at is not null
  then raise exception 'emergency access is opened once and ended once'; end if;
  return new;
end $$;
create trigger keep before update on break_glass_grants for each row execute function keep_break_glass();

create function find_break_glass_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from break_glass_grants where id = wanted $$;
call carepost_hand_over('find_break_glass_customer(uuid)', 'carepost_finder', 'carepost_app');

-- The grants of one customer, or of all, that were asked for in a span of time.
create function find_break_glass_grants(of_customer int, since timestamptz, before timestamptz)
  returns table (id uuid, customer_id int)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select g.id, g.customer_id from break_glass_grants g
    where (of_customer is null or g.customer_id = of_customer) and g.asked_at >= since and g.asked_at < before
    order by g.id desc limit 500
  $$;
call carepost_hand_over('find_break_glass_grants(int, timestamptz, timestamptz)', 'carepost_finder', 'carepost_app');

-- Codes that open without a second person, as keyed fingerprints; each works once.
create table break_glass_codes (
  code_index bytea primary key,
  created_at timestamptz not null,
  used_at timestamptz,
  grant_id uuid
);
grant select, insert, delete on break_glass_codes to carepost_app;
grant update (used_at, grant_id) on break_glass_codes to carepost_app;

-- The grant that a session of an operator reads by, and what it then may be taken for.
alter table user_sessions add column grant_id uuid;
drop function find_sessions(bytea[], date);
create function find_sessions(wanted bytea[], today date)
  returns table (
    id uuid, customer_id int, user_id uuid, token_hash bytea, csrf text, role text, username text, seen_at timestamptz,
    expires_at timestamptz, factor_at timestamptz, fresh_at timestamptz, agreement_in_force boolean,
    grant_id uuid, grant_customer_id int, grant_username text, grant_expires_at timestamptz,
    grant_agreement_in_force boolean)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select s.id, s.customer_id, s.user_id, s.token_hash, s.csrf, u.role, coalesce(c.username, ''), s.seen_at,
      s.expires_at, s.factor_at, s.fresh_at,
      exists (select from agreements a where a.customer_id = s.customer_id
        and a.signed_on <= today and (a.ends_on is null or a.ends_on >= today)),
      g.id, g.customer_id, gc.username, g.expires_at,
      exists (select from agreements a where a.customer_id = g.customer_id
        and a.signed_on <= today and (a.ends_on is null or a.ends_on >= today))
    from user_sessions s join users u on u.id = s.user_id left join customers c on c.id = s.customer_id
    left join break_glass_grants g on g.id = s.grant_id and g.operator_id = s.user_id and g.opened_at is not null
      and g.ended_at is null and u.role = 'operator'
    left join customers gc on gc.id = g.customer_id
    where s.token_hash = any(wanted) and s.ended_at is null and u.disabled_at is null
  $$;
call carepost_hand_over('find_sessions(bytea[], date)', 'carepost_finder', 'carepost_app');

-- What was done in a period, as the audit log tells it, for somebody to look at and sign. The installation's own are those
-- of customer 0.
create table activity_reviews (
  id uuid primary key,
  customer_id int not null,
  period_from timestamptz not null,
  period_to timestamptz not null,
  findings jsonb not null,
  made_at timestamptz not null,
  due_at timestamptz not null,
  overdue_told_at timestamptz,
  signed_at timestamptz,
  signed_by uuid,
  notes bytea,
  unique (customer_id, period_from),
  foreign key (customer_id, signed_by) references users (customer_id, id)
);
call carepost_protect('activity_reviews');
create policy finder on activity_reviews for select to carepost_finder using (true);
grant select, insert on activity_reviews to carepost_app;
grant update (overdue_told_at, signed_at, signed_by, notes) on activity_reviews to carepost_app;
grant select, update (notes) on activity_reviews to carepost_worker;
grant select on activity_reviews to carepost_finder;

-- Nothing of a signed review changes. Its notes may be sealed anew under another version of the key.
create function keep_signed_review() returns trigger language plpgsql as $$
begin
  if old.signed_at is not null and ((new.signed_at, new.signed_by) is distinct from (old.signed_at, old.signed_by)
    or (new.notes is distinct from old.notes and current_user <> 'carepost_worker'))
  then raise exception 'a signed review stays as it is'; end if;
  return new;
end $$;
create trigger keep before update on activity_reviews for each row execute function keep_signed_review();

create function find_review_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from activity_reviews where id = wanted $$;
call carepost_hand_over('find_review_customer(uuid)', 'carepost_finder', 'carepost_app');

-- Customers whose next review is due to be made, and where its period begins: where the last one ended. The first begins
-- with the customer, unless that was long before anything was reviewed.
create function find_due_reviews(moment timestamptz)
  returns table (customer_id int, since timestamptz, days int, due_days int)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select c.id, b.since, c.review_days, c.review_due_days from customers c
    cross join lateral (select coalesce(
      (select max(r.period_to) from activity_reviews r where r.customer_id = c.id),
      case when c.created_at > moment - 2 * make_interval(days => c.review_days) then c.created_at
        else moment - make_interval(days => c.review_days) end) as since) b
    where c.closed_at is null and b.since + make_interval(days => c.review_days) <= moment order by c.id
  $$;
grant select (review_due_days) on customers to carepost_finder;
call carepost_hand_over('find_due_reviews(timestamptz)', 'carepost_finder', 'carepost_app');

create index activity_reviews_unsigned on activity_reviews (due_at) where signed_at is null and overdue_told_at is null;
create function find_overdue_reviews(moment timestamptz) returns table (id uuid, customer_id int)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select r.id, r.customer_id from activity_reviews r
    where r.signed_at is null and r.overdue_told_at is null and r.due_at <= moment order by r.due_at limit 500
  $$;
call carepost_hand_over('find_overdue_reviews(timestamptz)', 'carepost_finder', 'carepost_app');

-- What went wrong, since when it is known, and whom it is about. What is told of it may hold health data and is sealed.
create table incidents (
  id uuid primary key,
  customer_id int not null,
  discovered_at timestamptz not null,
  breach_from timestamptz,
  breach_to timestamptz,
  severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
  state text not null check (state in ('open', 'contained', 'closed')),
  told bytea not null,
  scope jsonb,
  opened_at timestamptz not null,
  opened_by_kind text not null,
  opened_by text not null,
  closed_at timestamptz
);
create index incidents_customer on incidents (customer_id, id);
call carepost_protect('incidents');
create policy finder on incidents for select to carepost_finder using (true);
grant select, insert, update on incidents to carepost_app;
grant select, update (told) on incidents to carepost_worker;
grant select (id, customer_id) on incidents to carepost_finder;
create function find_incident_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from incidents where id = wanted $$;
call carepost_hand_over('find_incident_customer(uuid)', 'carepost_finder', 'carepost_app');

-- The timeline of an incident: only ever added to.
create table incident_entries (
  id uuid primary key,
  customer_id int not null,
  incident_id uuid not null,
  at timestamptz not null,
  author_kind text not null,
  author_id text not null,
  state text not null check (state in ('open', 'contained', 'closed')),
  told bytea not null
);
alter table incidents add unique (customer_id, id);
alter table incident_entries add foreign key (customer_id, incident_id) references incidents (customer_id, id);
create index incident_entries_incident on incident_entries (customer_id, incident_id, id);
call carepost_protect('incident_entries');
grant select, insert on incident_entries to carepost_app;
grant select, update (told) on incident_entries to carepost_worker;
