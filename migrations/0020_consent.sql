-- The words that people agreed to, kept as they were at the time.
create table consent_texts (
  id bigint generated always as identity primary key,
  customer_id int not null references customers (id),
  subscription_list_id bigint not null,
  text text not null,
  created_at timestamptz not null,
  unique (customer_id, id)
);
call carepost_protect('consent_texts');
grant select, insert on consent_texts to carepost_app;
grant select on consent_texts to carepost_worker;

-- Every change of what somebody agreed to, with its evidence: ids and what was done, never contents. Without a list it
-- is about everything. Whom an import brought in is told by the import that their rows name.
create table consent_changes (
  id uuid not null primary key,
  customer_id int not null,
  subscriber_id uuid not null,
  subscription_list_id bigint,
  change text not null,
  source text not null,
  evidence jsonb not null,
  at timestamptz not null
) partition by range (id);
create index consent_changes_person on consent_changes (customer_id, subscriber_id);
call carepost_protect('consent_changes');
grant select, insert on consent_changes to carepost_app, carepost_worker;

-- Addresses that get nothing more, for all of a customer's mail (bounces, complaints, by hand) or for its mailings
-- (opt-outs). They outlive the person they came from, so that no import brings anybody back.
create table suppressions (
  customer_id int not null references customers (id),
  address_index bytea not null,
  reason text not null,
  sealed bytea not null,
  message_id uuid,
  created_at timestamptz not null,
  primary key (customer_id, address_index, reason)
);
call carepost_protect('suppressions');
grant select, insert, delete on suppressions to carepost_app, carepost_worker;
grant update on suppressions to carepost_worker;
