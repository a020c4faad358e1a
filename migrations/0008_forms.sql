-- The id is unguessable: it is the only access control of the public endpoints.
create table forms (
  id uuid primary key,
  customer_id int not null references customers (id),
  title text not null,
  description text,
  form_html text,
  form_json json,
  form_css text,
  vanity_url text,
  version int not null default 1,
  active boolean not null default false,
  old_form_id int,
  recipient text,
  signable boolean not null default false,
  signature_confirmation_label text,
  type text,
  subscription_list_id bigint,
  deleted boolean not null default false,
  archived boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (customer_id, id),
  foreign key (customer_id, subscription_list_id) references subscription_lists (customer_id, id)
    on delete set null (subscription_list_id)
);
create unique index forms_vanity_url on forms (vanity_url) where not deleted;
create index forms_created_at on forms (customer_id, created_at desc, id) where not deleted;
call carepost_protect('forms');
create policy finder on forms for select to carepost_finder using (true);
grant select, insert, update on forms to carepost_app;
grant select (id, customer_id) on forms to carepost_finder;

-- Apart from the forms, so that counting a submission does not rewrite the wide row.
create table form_counts (
  form_id uuid primary key,
  customer_id int not null,
  submission_count bigint not null default 0,
  foreign key (customer_id, form_id) references forms (customer_id, id)
) with (fillfactor = 70);
create index form_counts_customer on form_counts (customer_id, submission_count);
call carepost_protect('form_counts');
grant select, insert, update on form_counts to carepost_app;

create function find_form_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from forms where id = wanted $$;
call carepost_hand_over('find_form_customer(uuid)', 'carepost_finder', 'carepost_app');
