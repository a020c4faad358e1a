-- Drip campaigns: what leads people from step to step, who is where, and how they got there.

create table drip_campaigns (
  id bigint generated always as identity primary key,
  customer_id int not null references customers (id),
  name text not null,
  subscription_list_id bigint not null,
  start_trigger text not null,
  trigger_settings jsonb not null default '{}',
  reentry text not null,
  goal jsonb,
  time_zone text not null,
  sender_email text,
  from_name text,
  reply_to text,
  state text not null,
  mode text not null,
  -- The newest version; the one that newcomers get; and the one that a share of them gets instead, to try it out.
  version int not null,
  live_version int,
  trial_version int,
  trial_share smallint,
  -- The pauses that are over, with what was to become of whoever was due in them.
  pauses jsonb not null default '[]',
  paused_at timestamptz,
  -- Up to when the dates of people have been looked through.
  dates_seen_at timestamptz,
  -- Whether people have yet to be let go, as it was completed.
  ending boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  deleted_at timestamptz,
  unique (customer_id, id)
);
create index drip_campaigns_of on drip_campaigns (customer_id, id) where deleted_at is null;
create index drip_campaigns_on on drip_campaigns (customer_id, subscription_list_id) where deleted_at is null;
create index drip_campaigns_running on drip_campaigns (id) where state = 'running';
create index drip_campaigns_ending on drip_campaigns (id) where ending;
call carepost_protect('drip_campaigns');
create policy queue on drip_campaigns to carepost_worker using (true) with check (true);
create policy finder on drip_campaigns for select to carepost_finder using (true);
grant select, insert, update on drip_campaigns to carepost_app;
grant select, update on drip_campaigns to carepost_worker;
grant select (id, customer_id) on drip_campaigns to carepost_finder;
create function find_drip_campaign_customer(wanted bigint) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from drip_campaigns where id = wanted $$;
call carepost_hand_over('find_drip_campaign_customer(bigint)', 'carepost_finder', 'carepost_app, carepost_worker');

-- The steps as they were saved, and what they named at that moment: versions of mailings, rules of segments. Never
-- changed; whoever entered by a version goes by it to the end.
create table drip_versions (
  drip_id bigint not null,
  version int not null,
  customer_id int not null,
  graph jsonb not null,
  bound jsonb not null,
  created_at timestamptz not null,
  primary key (drip_id, version),
  foreign key (customer_id, drip_id) references drip_campaigns (customer_id, id)
);
call carepost_protect('drip_versions');
grant select, insert on drip_versions to carepost_app;
grant select on drip_versions to carepost_worker;

-- The mails of one step are a send of its mailing, without an audience of its own.
alter table campaign_mailing_sends add column drip_id bigint, add column drip_version int, add column drip_step text;
create unique index campaign_mailing_sends_drip on campaign_mailing_sends (drip_id, drip_version, drip_step)
  where drip_id is not null;
alter table campaign_mailing_sends add foreign key (customer_id, drip_id) references drip_campaigns (customer_id, id);

-- The time machine writes mails as the engine does, in transactions that are rolled back.
grant insert on mailing_recipients to carepost_app;

-- Somebody on their way through a drip. They are about to take `step`, or wait `inside` it until `due_at`, or until
-- something wakes them. `pauses` says how many pauses of the drip are already reckoned with in `due_at`.
create table drip_enrolments (
  id uuid primary key,
  customer_id int not null,
  drip_id bigint not null,
  version int not null,
  subscriber_id uuid not null,
  rotation int not null,
  occasion date,
  state text not null,
  reason text,
  step text not null,
  inside boolean not null default false,
  woken boolean not null default false,
  pauses smallint not null default 0,
  due_at timestamptz,
  entered_at timestamptz not null,
  arrived_at timestamptz not null,
  ended_at timestamptz,
  unique (drip_id, subscriber_id, rotation),
  foreign key (customer_id, drip_id) references drip_campaigns (customer_id, id)
) with (fillfactor = 70);
create index drip_enrolments_due on drip_enrolments (drip_id, due_at) where due_at is not null;
create index drip_enrolments_person on drip_enrolments (customer_id, subscriber_id);
create index drip_enrolments_active on drip_enrolments (drip_id, id) where state = 'active';
create index drip_enrolments_of on drip_enrolments (customer_id, drip_id, id);
create unique index drip_enrolments_occasion on drip_enrolments (drip_id, subscriber_id, occasion)
  where occasion is not null;
call carepost_protect('drip_enrolments');
create policy queue on drip_enrolments to carepost_worker using (true) with check (true);
create policy finder on drip_enrolments for select to carepost_finder using (true);
grant select, insert, update on drip_enrolments to carepost_app, carepost_worker;
grant select (id, customer_id) on drip_enrolments to carepost_finder;
create function find_drip_enrolment_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from drip_enrolments where id = wanted $$;
call carepost_hand_over('find_drip_enrolment_customer(uuid)', 'carepost_finder', 'carepost_app, carepost_worker');

-- Each step that somebody came to, and the mail that it meant: the key is what keeps anybody from getting a step twice.
-- The number says in which order they came to them.
create sequence drip_visit_numbers;
grant usage on sequence drip_visit_numbers to carepost_app, carepost_worker;
create table drip_visits (
  enrolment_id uuid not null,
  step text not null,
  visit int not null,
  number bigint not null default nextval('drip_visit_numbers'),
  customer_id int not null,
  at timestamptz not null,
  outcome text,
  message_id uuid,
  primary key (enrolment_id, step, visit)
) partition by range (enrolment_id);
call carepost_protect('drip_visits');
grant select, insert, update on drip_visits to carepost_app, carepost_worker;

-- Counts in shards, so that concurrent writers seldom wait for one row.
create table drip_counts (
  drip_id bigint not null,
  shard smallint not null,
  customer_id int not null,
  people int not null default 0,
  completed int not null default 0,
  primary key (drip_id, shard)
) with (fillfactor = 50);
create index drip_counts_of on drip_counts (customer_id, drip_id);
call carepost_protect('drip_counts');
grant select, insert, update on drip_counts to carepost_app, carepost_worker;

create table drip_step_counts (
  drip_id bigint not null,
  version int not null,
  step text not null,
  shard smallint not null,
  customer_id int not null,
  waiting bigint not null default 0,
  passed bigint not null default 0,
  exited bigint not null default 0,
  primary key (drip_id, version, step, shard)
) with (fillfactor = 50);
call carepost_protect('drip_step_counts');
grant select, insert, update on drip_step_counts to carepost_app, carepost_worker;

-- Whoever completes a drip again after they entered it again is one person who completed it. Who is in it more than once may
-- get there twice at the same time: one of the two waits, and sees the other.
create function count_enrolments() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  own_shard smallint := pg_backend_pid() % 4;
begin
  if tg_op = 'INSERT' then
    insert into drip_counts as c (drip_id, shard, customer_id, people)
    select drip_id, own_shard, customer_id, count(*) from added where rotation = 1 group by drip_id, customer_id
    order by drip_id
    on conflict (drip_id, shard) do update set people = c.people + excluded.people;
    return null;
  end if;
  if not exists (select from added where state = 'completed') then return null; end if;
  perform pg_advisory_xact_lock(hashtextextended(n.drip_id || '/' || n.subscriber_id, 0)) from (
    select distinct a.drip_id, a.subscriber_id from added a where a.state = 'completed' and exists (
      select from drip_enrolments o where o.drip_id = a.drip_id and o.subscriber_id = a.subscriber_id and o.id <> a.id)
    order by a.drip_id, a.subscriber_id) n;
  insert into drip_counts as c (drip_id, shard, customer_id, completed)
  select n.drip_id, own_shard, n.customer_id, count(distinct n.subscriber_id)
  from added n join removed r on r.id = n.id and r.state <> 'completed'
  where n.state = 'completed' and not exists (
    select from drip_enrolments o where o.drip_id = n.drip_id and o.subscriber_id = n.subscriber_id
      and o.state = 'completed' and o.id <> n.id
      and not exists (select from added a join removed b on b.id = a.id where a.id = o.id and b.state <> 'completed'))
  group by n.drip_id, n.customer_id order by n.drip_id
  on conflict (drip_id, shard) do update set completed = c.completed + excluded.completed;
  return null;
end $$;

create function count_places() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  own_shard smallint := pg_backend_pid() % 16;
begin
  if tg_op = 'INSERT' then
    insert into drip_step_counts as c (drip_id, version, step, shard, customer_id, waiting, exited)
    select drip_id, version, step, own_shard, customer_id, count(*) filter (where state = 'active'),
      count(*) filter (where state = 'exited')
    from added group by 1, 2, 3, 5 order by 1, 2, 3
    on conflict (drip_id, version, step, shard) do update set waiting = c.waiting + excluded.waiting,
      exited = c.exited + excluded.exited;
  else
    insert into drip_step_counts as c (drip_id, version, step, shard, customer_id, waiting, exited)
    select drip_id, version, step, own_shard, customer_id, sum(waiting), sum(exited) from (
      select drip_id, version, step, customer_id, (state = 'active')::int as waiting, (state = 'exited')::int as exited
      from added
      union all
      select drip_id, version, step, customer_id, -(state = 'active')::int, -(state = 'exited')::int from removed) changed
    group by 1, 2, 3, 5 having sum(waiting) <> 0 or sum(exited) <> 0 order by 1, 2, 3
    on conflict (drip_id, version, step, shard) do update set waiting = c.waiting + excluded.waiting,
      exited = c.exited + excluded.exited;
  end if;
  return null;
end $$;
create trigger counted_in after insert on drip_enrolments referencing new table as added
  for each statement execute function count_enrolments();
create trigger counted_anew after update on drip_enrolments referencing new table as added old table as removed
  for each statement execute function count_enrolments();
create trigger placed_in after insert on drip_enrolments referencing new table as added
  for each statement execute function count_places();
create trigger placed_anew after update on drip_enrolments referencing new table as added old table as removed
  for each statement execute function count_places();

-- What the drips that are under way want to be told: who enters by it, and what else it concerns.
create table drip_interests (
  drip_id bigint not null,
  kind text not null,
  subject text not null,
  enters boolean not null,
  customer_id int not null,
  primary key (drip_id, kind, subject, enters)
);
create index drip_interests_in on drip_interests (customer_id, kind, subject);
call carepost_protect('drip_interests');
grant select, insert, delete on drip_interests to carepost_app, carepost_worker;

-- The outbox: what happened to people, written with the fact itself and taken away when the drips have dealt with it.
create table drip_facts (
  id bigint generated always as identity primary key,
  customer_id int not null,
  drip_id bigint,
  kind text not null,
  subject text not null,
  subscriber_id uuid,
  occasion date,
  at timestamptz not null,
  -- What cannot be dealt with waits for somebody to look at it, and holds up nothing else.
  set_aside boolean not null default false
);
create index drip_facts_in on drip_facts (customer_id, id) where not set_aside;
call carepost_protect('drip_facts');
create policy queue on drip_facts to carepost_worker using (true) with check (true);
grant select, insert, delete on drip_facts to carepost_app, carepost_worker;
grant update on drip_facts to carepost_worker;

-- Tells the drips of a customer that something happened to people.
create function tell_drips(of_customer int, kind text, subject text, people uuid[], at timestamptz) returns void
  language plpgsql set search_path = public, pg_temp
  as $$
begin
  insert into drip_facts (customer_id, drip_id, kind, subject, subscriber_id, at)
  select of_customer, case when i.enters then i.drip_id end, case when i.enters then 'enter' else i.kind end, i.subject,
    person, tell_drips.at
  from (
    select distinct on (case when d.enters then d.drip_id end) d.drip_id, d.kind, d.subject, d.enters
    from drip_interests d
    where d.customer_id = of_customer and d.kind = tell_drips.kind and d.subject = tell_drips.subject) i
  cross join unnest(people) as person
  order by i.enters desc;
  if found then perform pg_notify('carepost_drips', ''); end if;
end $$;
revoke all on function tell_drips(int, text, text, uuid[], timestamptz) from public;
grant execute on function tell_drips(int, text, text, uuid[], timestamptz) to carepost_app, carepost_worker;

-- Whoever is deleted or gets no more mail has no further steps.
create function tell_drips_of_deleted() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform tell_drips(r.customer_id, 'deleted', '', array_agg(r.id), now()) from removed r
  where exists (select from drip_interests i where i.customer_id = r.customer_id and i.kind = 'deleted')
  group by r.customer_id;
  return null;
end $$;
create trigger told_of_deleted after delete on subscribers referencing old table as removed
  for each statement execute function tell_drips_of_deleted();

create function tell_drips_of_suppressed() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into drip_facts (customer_id, kind, subject, at)
  select a.customer_id, 'suppressed', encode(a.address_index, 'hex') || '/' || a.reason, a.created_at from added a
  where exists (select from drip_interests i where i.customer_id = a.customer_id and i.kind = 'suppressed');
  if found then perform pg_notify('carepost_drips', ''); end if;
  return null;
end $$;
create trigger told_of_suppressed after insert on suppressions referencing new table as added
  for each statement execute function tell_drips_of_suppressed();

-- The same as before, and the drips are told.
create or replace function note_consent(of_customer int, changes json, source text, evidence jsonb, at timestamptz)
  returns void language plpgsql set search_path = public, pg_temp
  as $$
begin
  insert into consent_changes (id, customer_id, subscriber_id, subscription_list_id, change, source, evidence, at)
  select time_ordered_id(note_consent.at), of_customer, c.subscriber_id, c.list, c.change, note_consent.source,
    note_consent.evidence || coalesce(jsonb_strip_nulls(jsonb_build_object('text', l.consent_text_id)), '{}'),
    note_consent.at
  from json_to_recordset(changes) as c (subscriber_id uuid, list bigint, change text)
  left join subscription_lists l on l.customer_id = of_customer and l.id = c.list;
  perform enqueue_job('marketing.confirm',
    json_build_object('customerId', of_customer, 'subscriberId', c.subscriber_id, 'listId', c.list),
    format('confirm/%s/%s', c.subscriber_id, c.list))
  from json_to_recordset(changes) as c (subscriber_id uuid, list bigint, change text) where c.change = 'asked';
  if not exists (select from drip_interests where customer_id = of_customer) then return; end if;
  perform tell_drips(of_customer, told.kind, told.subject, array_agg(told.subscriber_id), note_consent.at)
  from (
    select c.subscriber_id, coalesce(c.list::text, '') as subject,
      case when c.change = 'confirmed' then 'joined' else c.change end as kind
    from json_to_recordset(changes) as c (subscriber_id uuid, list bigint, change text)
    where c.change in ('joined', 'confirmed', 'left', 'opted_out')) told
  group by told.kind, told.subject;
end $$;

create or replace function confirm_list(of_customer int, person uuid, list bigint, evidence jsonb, at timestamptz)
  returns boolean language plpgsql set search_path = public, pg_temp
  as $$
declare
  woken bigint;
begin
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
  perform note_consent(of_customer, json_build_array(json_build_object('subscriber_id', person, 'list', list,
    'change', 'confirmed')), 'page', evidence, at);
  -- The default list waited with the one that wanted the confirmation.
  if woken is not null then perform tell_drips(of_customer, 'joined', woken::text, array[person], at); end if;
  return true;
end $$;
