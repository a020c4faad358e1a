-- How TLS with other domains went, by UTC day, for the reports that they ask for (RFC 8460): about the installation, so
-- without a customer. A policy may be long, so its hash stands in the key.
create table tls_report_counts (
  day date not null,
  domain text not null,
  policy_hash bytea not null,
  mx_host text not null,
  mx_address text not null,
  result text not null,
  policy jsonb not null,
  sessions bigint not null,
  primary key (day, domain, policy_hash, mx_host, mx_address, result)
);
grant select, insert, update, delete on tls_report_counts to carepost_worker;

-- The report on a day to a domain. Who takes it moves due_at to the end of the lease, so that it goes out once.
create table tls_reports_sent (
  day date not null,
  domain text not null,
  report_id uuid not null,
  state text not null,
  attempts smallint not null default 0,
  -- those of the addresses in the domain's record that have the report
  taken_by text[] not null default '{}',
  -- those that were too slow to say: they may have it, so that it does not go there again
  maybe_by text[] not null default '{}',
  begin_at timestamptz not null,
  due_at timestamptz,
  settled_at timestamptz,
  primary key (day, domain)
);
create index tls_reports_sent_due on tls_reports_sent (due_at) where due_at is not null;
grant select, insert, update on tls_reports_sent to carepost_worker;
