-- Those who sign a submission after whoever sent it: a guardian, a witness, a second signer, each by a link of their own.
-- Whom the link went to is sealed under the submission's own key, so that whoever destroys that key destroys this too.
-- The token of the link is found by its hash; where nobody said whom to write to, there is none yet.
create table submission_signers (
  id uuid primary key,
  customer_id int not null,
  form_id uuid not null,
  submission_id uuid not null,
  ordinal smallint not null,
  role text not null,
  required boolean not null,
  state text not null default 'waiting' check (state in ('waiting', 'signed', 'declined')),
  token_hash bytea unique,
  sealed bytea,
  created_at timestamptz not null,
  expires_at timestamptz,
  settled_at timestamptz,
  foreign key (customer_id, form_id) references forms (customer_id, id),
  unique (customer_id, id)
);
create index submission_signers_submission on submission_signers (submission_id, ordinal);
create index submission_signers_form on submission_signers (form_id);
call carepost_protect('submission_signers');
create policy finder on submission_signers for select to carepost_finder using (true);
grant select, insert, delete on submission_signers to carepost_app;
grant update (state, token_hash, sealed, expires_at, settled_at) on submission_signers to carepost_app;
grant select, delete on submission_signers to carepost_worker;
grant select (id, customer_id, token_hash) on submission_signers to carepost_finder;

create function find_signer_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from submission_signers where id = wanted $$;
call carepost_hand_over('find_signer_customer(uuid)', 'carepost_finder', 'carepost_app');

create function find_signer(hash bytea) returns table (id uuid, customer_id int)
  language sql stable security definer set search_path = public, pg_temp
  as $$ select id, customer_id from submission_signers where token_hash = hash $$;
call carepost_hand_over('find_signer(bytea)', 'carepost_finder', 'carepost_app');

-- What they signed with, sealed like the above. Nothing here is ever changed.
create table submission_signatures (
  signer_id uuid primary key,
  customer_id int not null,
  submission_id uuid not null,
  sealed bytea not null,
  at timestamptz not null,
  foreign key (customer_id, signer_id) references submission_signers (customer_id, id)
);
create index submission_signatures_submission on submission_signatures (submission_id);
call carepost_protect('submission_signatures');
grant select, insert, delete on submission_signatures to carepost_app;
grant select, delete on submission_signatures to carepost_worker;

-- One-time codes, as keyed fingerprints. The rows of a day also say how many were sent.
create table submission_signer_codes (
  id uuid primary key,
  customer_id int not null,
  signer_id uuid not null,
  code_index bytea not null,
  tries smallint not null default 0,
  used_at timestamptz,
  created_at timestamptz not null,
  foreign key (customer_id, signer_id) references submission_signers (customer_id, id) on delete cascade
);
create index submission_signer_codes_of on submission_signer_codes (customer_id, signer_id, created_at);
call carepost_protect('submission_signer_codes');
create policy sweep_read on submission_signer_codes for select to carepost_worker using (true);
create policy sweep on submission_signer_codes for delete to carepost_worker using (true);
grant select, insert on submission_signer_codes to carepost_app;
grant update (tries, used_at) on submission_signer_codes to carepost_app;
grant select, delete on submission_signer_codes to carepost_worker;
