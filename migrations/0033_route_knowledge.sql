-- What foreign domains have said and shown of their security. It is the same for every customer.

-- The last MTA-STS policy of a domain (RFC 8461). It holds until it expires, whatever becomes of its refreshing.
create table sts_policies (
  domain text primary key,
  policy_id text not null,
  mode text not null check (mode in ('enforce', 'testing', 'none')),
  mx text[] not null,
  max_age int not null check (max_age between 0 and 31557600),
  fetched_at timestamptz not null,
  expires_at timestamptz not null,
  checked_at timestamptz not null
);
grant select, insert, update on sts_policies to carepost_app;
grant select, insert, update on sts_policies to carepost_worker;

-- The best security that a domain has shown, below which nothing goes to it for a while.
create table tls_memory (
  domain text primary key,
  level text not null check (level = 'verified'),
  seen_at timestamptz not null
);
grant select on tls_memory to carepost_app;
grant select, insert, update on tls_memory to carepost_worker;
