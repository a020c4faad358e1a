create table campaign_mailings (
  id bigint generated always as identity primary key,
  customer_id int not null references customers (id),
  subject text not null,
  template_type text not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  unique (customer_id, id)
);
create unique index campaign_mailings_subject on campaign_mailings (customer_id, subject) where deleted_at is null;
call carepost_protect('campaign_mailings');
create policy finder on campaign_mailings for select to carepost_finder using (true);
grant select, insert, update on campaign_mailings to carepost_app;
grant select on campaign_mailings to carepost_worker;
grant select (id, customer_id) on campaign_mailings to carepost_finder;
create function find_campaign_mailing_customer(wanted bigint) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from campaign_mailings where id = wanted $$;
call carepost_hand_over('find_campaign_mailing_customer(bigint)', 'carepost_finder', 'carepost_app, carepost_worker');

-- What a mailing says, as it was given and as it was prepared for sending. A version never changes; a send keeps to its own.
create table mailing_versions (
  mailing_id bigint not null,
  version int not null,
  customer_id int not null,
  default_subject text,
  from_address text,
  reply_to text,
  preheader text,
  html_part text,
  text_part text,
  mjml_part text,
  blocks jsonb,
  form_data jsonb,
  prepared jsonb,
  created_at timestamptz not null,
  primary key (mailing_id, version),
  foreign key (customer_id, mailing_id) references campaign_mailings (customer_id, id)
);
call carepost_protect('mailing_versions');
grant select, insert on mailing_versions to carepost_app;
grant select on mailing_versions to carepost_worker;

-- One sending of a mailing. Its audience is written to the ledger once, page by page, up to `place`.
create table campaign_mailing_sends (
  id bigint generated always as identity primary key,
  jid uuid not null unique,
  customer_id int not null references customers (id),
  mailing_id bigint not null,
  version int not null,
  state text not null,
  mode text not null,
  subscription_list_id bigint,
  segment_id uuid,
  filters jsonb,
  subscriber_ids uuid[],
  sender_email text not null,
  from_name text,
  reply_to text,
  subject text,
  per_second int,
  per_domain_per_minute int,
  track_links boolean not null default true,
  track_opens boolean not null default true,
  send_window jsonb,
  send_at timestamptz not null,
  place uuid,
  audience_complete boolean not null default false,
  paced_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  unique (customer_id, id)
);
create index campaign_mailing_sends_newest on campaign_mailing_sends (customer_id, id desc);
create index campaign_mailing_sends_of on campaign_mailing_sends (customer_id, mailing_id);
create index campaign_mailing_sends_open on campaign_mailing_sends (send_at)
  where finished_at is null and state not in ('paused', 'needs_decision');
call carepost_protect('campaign_mailing_sends');
create policy queue on campaign_mailing_sends to carepost_worker using (true) with check (true);
create policy finder on campaign_mailing_sends for select to carepost_finder using (true);
grant select, insert, update on campaign_mailing_sends to carepost_app;
grant select, update on campaign_mailing_sends to carepost_worker;
grant select (id, jid, customer_id) on campaign_mailing_sends to carepost_finder;
create function find_send_customer(wanted bigint) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from campaign_mailing_sends where id = wanted $$;
call carepost_hand_over('find_send_customer(bigint)', 'carepost_finder', 'carepost_app, carepost_worker');
create function find_send_job_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from campaign_mailing_sends where jid = wanted $$;
call carepost_hand_over('find_send_job_customer(uuid)', 'carepost_finder', 'carepost_app, carepost_worker');

-- Counts of a send, written with the batches that change them.
create table send_counts (
  send_id bigint primary key,
  customer_id int not null,
  people int not null default 0,
  sent int not null default 0,
  delivered int not null default 0,
  soft_bounced int not null default 0,
  hard_bounced int not null default 0,
  suppressed int not null default 0,
  excluded int not null default 0,
  uncertain int not null default 0,
  cancelled int not null default 0,
  opened int not null default 0,
  machine_opened int not null default 0,
  clicked int not null default 0,
  unsubscribed int not null default 0,
  opted_out int not null default 0
) with (fillfactor = 50);
call carepost_protect('send_counts');
grant select, insert, update on send_counts to carepost_app, carepost_worker;

-- The ledger, and the queue: one row for each person that a send was meant for, and what became of it. The id is that
-- of the message, in its Message-ID and its links. `rule` says why somebody was left out. Taking a row changes nothing
-- that is indexed, so that it is rewritten in place.
create table mailing_recipients (
  id uuid not null primary key,
  customer_id int not null,
  send_id bigint not null,
  mailing_id bigint not null,
  subscriber_id uuid not null,
  domain text not null,
  state text not null,
  rule text,
  attempts smallint not null default 0,
  smtp_code smallint,
  reply bytea,
  due_at timestamptz,
  leased_until timestamptz,
  first_tried_at timestamptz,
  settled_at timestamptz
) partition by range (id);
create index mailing_recipients_due on mailing_recipients (send_id, due_at) where due_at is not null;
create index mailing_recipients_send on mailing_recipients (customer_id, send_id, subscriber_id);
create index mailing_recipients_person on mailing_recipients (customer_id, subscriber_id, mailing_id);
call carepost_protect('mailing_recipients');
create policy queue on mailing_recipients to carepost_worker using (true) with check (true);
create policy finder on mailing_recipients for select to carepost_finder using (true);
grant select, update on mailing_recipients to carepost_app;
grant select, insert, update on mailing_recipients to carepost_worker;
grant select (id, customer_id) on mailing_recipients to carepost_finder;

-- A message is one of the Email area or one of a mailing.
create or replace function find_message_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select coalesce((select customer_id from messages where id = wanted),
      (select customer_id from mailing_recipients where id = wanted))
  $$;

-- What one person did with one mail. Neither address nor browser of anybody is kept.
create table mailing_engagement (
  id uuid not null primary key,
  customer_id int not null,
  send_id bigint not null,
  mailing_id bigint not null,
  subscriber_id uuid not null,
  opens int not null default 0,
  machine_opens int not null default 0,
  first_opened_at timestamptz,
  clicks int not null default 0,
  machine_clicks int not null default 0,
  first_clicked_at timestamptz,
  unsubscribed_at timestamptz,
  opted_out boolean not null default false
) partition by range (id);
create index mailing_engagement_person on mailing_engagement (customer_id, subscriber_id, mailing_id);
create index mailing_engagement_send on mailing_engagement (customer_id, send_id);
call carepost_protect('mailing_engagement');
grant select, insert, update on mailing_engagement to carepost_app;
grant select on mailing_engagement to carepost_worker;

-- Where the links of a send lead, sealed; who followed one, how often and when first.
create table tracking_links (
  id bigint generated always as identity primary key,
  customer_id int not null,
  send_id bigint not null,
  number smallint not null,
  sealed bytea not null,
  created_at timestamptz not null,
  unique (send_id, number),
  unique (customer_id, id)
);
call carepost_protect('tracking_links');
create policy finder on tracking_links for select to carepost_finder using (true);
grant select on tracking_links to carepost_app;
grant select, insert, update on tracking_links to carepost_worker;
grant select (id, customer_id) on tracking_links to carepost_finder;
create function find_tracking_link_customer(wanted bigint) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from tracking_links where id = wanted $$;
call carepost_hand_over('find_tracking_link_customer(bigint)', 'carepost_finder', 'carepost_app');

create table mailing_link_clicks (
  id uuid not null,
  link smallint not null,
  customer_id int not null,
  send_id bigint not null,
  subscriber_id uuid not null,
  clicks int not null,
  first_at timestamptz not null,
  primary key (id, link)
) partition by range (id);
create index mailing_link_clicks_send on mailing_link_clicks (customer_id, send_id, link);
call carepost_protect('mailing_link_clicks');
grant select, insert, update on mailing_link_clicks to carepost_app;

-- When the next mail of a send may go to a domain, where the send is held to a pace for each.
create table domain_paces (
  send_id bigint not null,
  domain text not null,
  customer_id int not null,
  next_at timestamptz not null,
  primary key (send_id, domain)
) with (fillfactor = 50);
call carepost_protect('domain_paces');
create policy queue on domain_paces to carepost_worker using (true) with check (true);
grant select, insert, update, delete on domain_paces to carepost_worker;

-- The keys that sign mail, by sending domain.
create table dkim_keys (
  customer_id int not null references customers (id),
  domain text not null,
  selector text not null,
  public_key text not null,
  sealed bytea not null,
  created_at timestamptz not null,
  primary key (customer_id, domain)
);
call carepost_protect('dkim_keys');
grant select on dkim_keys to carepost_app;
grant select, insert, update on dkim_keys to carepost_worker;
