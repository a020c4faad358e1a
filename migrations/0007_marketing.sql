create table subscription_lists (
  id bigint generated always as identity primary key,
  customer_id int not null references customers (id),
  name text not null,
  is_default boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (customer_id, id)
);
create unique index subscription_lists_default on subscription_lists (customer_id) where is_default;
call carepost_protect('subscription_lists');
create policy finder on subscription_lists for select to carepost_finder using (true);
grant select, insert, update, delete on subscription_lists to carepost_app;
grant select (id, customer_id) on subscription_lists to carepost_finder;

create table subscribers (
  id uuid primary key,
  customer_id int not null references customers (id),
  number bigint generated always as identity unique,
  email text,
  phone_number text,
  first_name text,
  last_name text,
  unsubscribed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (customer_id, id),
  check (email is not null or phone_number is not null)
);
create unique index subscribers_email on subscribers (customer_id, lower(email));
create unique index subscribers_phone on subscribers (customer_id, phone_number) where email is null;
call carepost_protect('subscribers');
grant select, insert, update, delete on subscribers to carepost_app;

create table subscriptions (
  id uuid primary key,
  customer_id int not null,
  subscription_list_id bigint not null,
  subscriber_id uuid not null,
  created_at timestamptz not null,
  unsubscribed_at timestamptz,
  unique (customer_id, subscription_list_id, subscriber_id),
  foreign key (customer_id, subscription_list_id) references subscription_lists (customer_id, id) on delete cascade,
  foreign key (customer_id, subscriber_id) references subscribers (customer_id, id) on delete cascade
);
create index subscriptions_subscriber on subscriptions (customer_id, subscriber_id);
call carepost_protect('subscriptions');
grant select, insert, update, delete on subscriptions to carepost_app;

create table custom_field_types (
  id uuid primary key,
  customer_id int not null references customers (id),
  name text not null,
  created_at timestamptz not null,
  unique (customer_id, name),
  unique (customer_id, id)
);
call carepost_protect('custom_field_types');
grant select, insert, update, delete on custom_field_types to carepost_app;

create table custom_field_values (
  customer_id int not null,
  subscriber_id uuid not null,
  custom_field_type_id uuid not null,
  value text not null,
  primary key (customer_id, subscriber_id, custom_field_type_id),
  foreign key (customer_id, subscriber_id) references subscribers (customer_id, id) on delete cascade,
  foreign key (customer_id, custom_field_type_id) references custom_field_types (customer_id, id) on delete cascade
);
call carepost_protect('custom_field_values');
grant select, insert, update, delete on custom_field_values to carepost_app;

create function find_subscription_list_customer(wanted bigint) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from subscription_lists where id = wanted $$;
call carepost_hand_over('find_subscription_list_customer(bigint)', 'carepost_finder', 'carepost_app');
