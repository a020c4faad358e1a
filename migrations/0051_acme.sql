-- beside: yes
-- Certificates for the product's own listeners that an ACME authority issues (RFC 8555). They are about the installation,
-- so without a customer; their keys are sealed under the installation's own.
create table acme_accounts (
  directory text primary key,
  url text not null,
  sealed_key bytea not null,
  created_at timestamptz not null
);

-- One row for each set of names. Whoever holds the lease asks the authority; all nodes serve what is here.
create table acme_certificates (
  directory text not null,
  names text not null,
  chain text,
  sealed_key bytea,
  next_attempt_at timestamptz not null,
  failures int not null default 0,
  leased_until timestamptz,
  primary key (directory, names)
);

-- What the authority will ask for over plain HTTP, of whichever node it reaches.
create table acme_challenges (
  token text primary key,
  answer text not null,
  expires_at timestamptz not null
);

grant select, insert, update, delete on acme_accounts, acme_certificates, acme_challenges to carepost_app;
