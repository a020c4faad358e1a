-- The domains that a customer sends from. `findings` is what the last check saw of each record in DNS; `missed` counts
-- the checks in a row that did not see a required one, the first of them at `missing_since`. Customer 0 is the
-- installation, for the mails of the product itself.
create table sending_domains (
  id uuid primary key,
  customer_id int not null,
  domain text not null,
  challenge text not null,
  state text not null,
  verified_at timestamptz,
  checked_at timestamptz,
  missed int not null default 0,
  missing_since timestamptz,
  findings jsonb not null default '{}',
  return_path boolean not null default false,
  warm_up boolean not null,
  first_sent_at timestamptz,
  created_at timestamptz not null,
  unique (customer_id, domain)
);
call carepost_protect('sending_domains');
create policy queue on sending_domains to carepost_worker using (true) with check (true);
create policy finder on sending_domains for select to carepost_finder using (true);
grant select, insert, update, delete on sending_domains to carepost_app;
grant select, update on sending_domains to carepost_worker;
grant select (id, customer_id) on sending_domains to carepost_finder;
create function find_sending_domain_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from sending_domains where id = wanted $$;
call carepost_hand_over('find_sending_domain_customer(uuid)', 'carepost_finder', 'carepost_app');

-- What a domain that is warming up has been allowed to send, by day in UTC.
create table sending_days (
  customer_id int not null,
  domain text not null,
  day date not null,
  sent int not null,
  primary key (customer_id, domain, day)
) with (fillfactor = 50);
call carepost_protect('sending_days');
create policy queue on sending_days to carepost_worker using (true) with check (true);
grant select on sending_days to carepost_app;
grant select, insert, update, delete on sending_days to carepost_worker;

-- Keys come in pairs, RSA and Ed25519, under selectors that nobody else has. A key signs once its record has been seen
-- (in the sandbox at once), until the next pair has taken its place. Those from before have neither partner nor record.
alter table dkim_keys drop constraint dkim_keys_pkey, drop constraint dkim_keys_customer_id_fkey;
alter table dkim_keys
  add algorithm text not null default 'rsa',
  add pair int not null default 0,
  add seen_at timestamptz,
  add retired_at timestamptz;
alter table dkim_keys alter algorithm drop default, alter pair drop default;
alter table dkim_keys add primary key (customer_id, domain, pair, algorithm);
create unique index dkim_keys_selector on dkim_keys (selector) where selector <> 'carepost';
create policy sweep_read on dkim_keys for select to carepost_worker using (true);
create policy sweep on dkim_keys for delete to carepost_worker using (true);
grant insert, update on dkim_keys to carepost_app;
grant delete on dkim_keys to carepost_worker;

-- Recipient domains to which a customer lets content go over TLS that is not verified.
create table tls_exceptions (
  id uuid primary key,
  customer_id int not null references customers (id),
  domain text not null,
  created_at timestamptz not null,
  unique (customer_id, domain)
);
call carepost_protect('tls_exceptions');
create policy queue on tls_exceptions for select to carepost_worker using (true);
create policy finder on tls_exceptions for select to carepost_finder using (true);
grant select, insert, delete on tls_exceptions to carepost_app;
grant select on tls_exceptions to carepost_worker;
grant select (id, customer_id) on tls_exceptions to carepost_finder;
create function find_tls_exception_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from tls_exceptions where id = wanted $$;
call carepost_hand_over('find_tls_exception_customer(uuid)', 'carepost_finder', 'carepost_app');
