-- A template is a name; what it says is a version of its own that never changes, so that a receipt can
-- name the one that was used. Templates are the customer's own words and stand in clear.
create table dynamic_templates (
  id int generated always as identity primary key,
  customer_id int not null references customers (id),
  name text not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  unique (customer_id, id)
);
create unique index dynamic_templates_name on dynamic_templates (customer_id, name) where deleted_at is null;
call carepost_protect('dynamic_templates');
create policy finder on dynamic_templates for select to carepost_finder using (true);
grant select, insert, update on dynamic_templates to carepost_app;
grant select (id, customer_id, deleted_at) on dynamic_templates to carepost_finder;

create table template_versions (
  template_id int not null,
  version int not null,
  customer_id int not null,
  subject text,
  body text not null,
  strict boolean not null,
  raw_html boolean not null,
  created_at timestamptz not null,
  primary key (template_id, version),
  foreign key (customer_id, template_id) references dynamic_templates (customer_id, id)
);
call carepost_protect('template_versions');
grant select, insert on template_versions to carepost_app;

create function find_template_customer(wanted int) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from dynamic_templates where id = wanted and deleted_at is null $$;
call carepost_hand_over('find_template_customer(int)', 'carepost_finder', 'carepost_app');
