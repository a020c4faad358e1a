-- What came back after a message had left: a server's report on one of its recipients, or a complaint. One row for each
-- kind and effect (none, soft or hard) of report on each recipient, so that the same report twice is one, and one that
-- changes little does not stand in the way of one that changes more.
create table message_reports (
  message_id uuid not null,
  ordinal smallint not null,
  kind text not null,
  effect text not null,
  customer_id int not null references customers (id),
  status text,
  remote_mta text,
  sealed bytea not null,
  received_at timestamptz not null,
  primary key (message_id, ordinal, kind, effect)
);
call carepost_protect('message_reports');
grant select, insert on message_reports to carepost_app;
grant select, update on message_reports to carepost_worker;

-- What other installations say of their TLS with this one (RFC 8460): about the installation, so without a customer.
create table tls_reports_received (
  id uuid primary key,
  organization text not null,
  report_id text not null,
  range_start timestamptz not null,
  range_end timestamptz not null,
  policies jsonb not null,
  received_at timestamptz not null,
  unique (organization, report_id)
);
create index tls_reports_received_newest on tls_reports_received (received_at desc);
grant select, insert on tls_reports_received to carepost_app;
grant select, delete on tls_reports_received to carepost_worker;
-- Which of these names are return paths of sending domains, whoever holds them.
grant select (domain, return_path) on sending_domains to carepost_finder;
create function own_return_paths(wanted text[]) returns setof text
  language sql stable security definer set search_path = public, pg_temp
  as $$ select distinct 'bounces.' || domain from sending_domains where return_path and 'bounces.' || domain = any (wanted) $$;
call carepost_hand_over('own_return_paths(text[])', 'carepost_finder', 'carepost_app');

-- Whether somebody complained about this mail: the same complaint again does not bring back a suppression that was
-- taken away since.
alter table mailing_recipients add column complained boolean not null default false;

-- A report on somebody whose mail stands aside takes it out of the queue.
grant update (parked) on message_recipients to carepost_app;
