-- What was set right in a submission, or said against it, after it had come. Sealed under the submission's own key:
-- whoever destroys that key destroys this too. Nothing here is ever changed.
create table submission_amendments (
  id uuid primary key,
  customer_id int not null,
  form_id uuid not null,
  submission_id uuid not null,
  sealed bytea not null,
  at timestamptz not null,
  foreign key (customer_id, form_id) references forms (customer_id, id)
);
create index submission_amendments_submission on submission_amendments (submission_id, id);
create index submission_amendments_form on submission_amendments (form_id);
call carepost_protect('submission_amendments');
grant select, insert, delete on submission_amendments to carepost_app;
grant select, delete on submission_amendments to carepost_worker;

-- One row for each act that destroyed submissions: the signed certificate, and what a list of them shows.
create table destructions (
  id uuid primary key,
  customer_id int not null references customers (id),
  form_id uuid not null,
  submission_count int not null check (submission_count > 0),
  reason text not null check (reason in ('retention', 'request')),
  at timestamptz not null,
  certificate jsonb not null
);
create index destructions_customer on destructions (customer_id, id);
call carepost_protect('destructions');
create policy finder on destructions for select to carepost_finder using (true);
grant select, insert on destructions to carepost_app;
grant insert on destructions to carepost_worker;
grant select (id, customer_id) on destructions to carepost_finder;
create trigger insert_only before update or delete on destructions for each row execute function refuse_change();
create trigger never_emptied before truncate on destructions for each statement execute function refuse_change();

create function find_destruction_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from destructions where id = wanted $$;
call carepost_hand_over('find_destruction_customer(uuid)', 'carepost_finder', 'carepost_app');

-- Who has seen a submission (45 CFR 164.528). Receiving one is no disclosure, and must not wait for an index.
create index audit_log_disclosures on audit_log (customer_id, target, id)
  where action <> 'submission.received' and action ~ '^(submission|attachment|person)';
