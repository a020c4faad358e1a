-- How a form stands open to those who fill it in; a form without a row stands open to everybody.
create table form_pages (
  form_id uuid primary key,
  customer_id int not null,
  closes_at timestamptz,
  most_submissions int check (most_submissions > 0),
  password_hash text,
  single_use boolean not null default false,
  frame_origins text[] not null default '{}',
  resumable boolean not null default false,
  proof_of_work text not null default 'off' check (proof_of_work in ('off', 'monitor', 'enforce')),
  -- What is done about what only programs do: filling in what nobody sees, and being quicker than anybody.
  traps text not null default 'monitor' check (traps in ('off', 'monitor', 'enforce')),
  -- The age recipients to which browsers encrypt; where there are any, nobody here can read an answer.
  sealed_to text[] not null default '{}',
  updated_at timestamptz not null,
  foreign key (customer_id, form_id) references forms (customer_id, id)
);
call carepost_protect('form_pages');
create policy finder on form_pages for select to carepost_finder using (true);
grant select, insert, update on form_pages to carepost_app;
grant select on form_pages to carepost_finder;

-- Links that take one submission each. The token is found by its hash; answers that a link brings along are sealed.
create table form_links (
  id uuid primary key,
  customer_id int not null,
  form_id uuid not null,
  token_hash bytea not null unique,
  answers bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  submission_id uuid,
  foreign key (customer_id, form_id) references forms (customer_id, id)
);
create index form_links_form on form_links (customer_id, form_id, id);
create index form_links_expiry on form_links (expires_at);
call carepost_protect('form_links');
create policy sweep_read on form_links for select to carepost_worker using (true);
create policy sweep on form_links for delete to carepost_worker using (true);
create policy finder on form_links for select to carepost_finder using (true);
grant select, insert, update, delete on form_links to carepost_app;
grant select, delete, update on form_links to carepost_worker;
grant select (id, customer_id, token_hash) on form_links to carepost_finder;

create function find_form_link_customer(wanted uuid) returns int
  language sql stable security definer set search_path = public, pg_temp
  as $$ select customer_id from form_links where id = wanted $$;
call carepost_hand_over('find_form_link_customer(uuid)', 'carepost_finder', 'carepost_app');

-- As find_public_forms, with how each form is headed and stands open.
grant select (title, description) on forms to carepost_finder;
create function find_open_forms(wanted uuid[], today date)
  returns table (id uuid, customer_id int, version int, recipient text, type text, subscription_list_id bigint,
    title text, description text, page json)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select f.id, f.customer_id, f.version, f.recipient, f.type, f.subscription_list_id, f.title, f.description,
      case when p.form_id is not null then row_to_json(p) end
    from forms f left join form_pages p on p.form_id = f.id
    where f.id = any(wanted) and f.active and not f.archived and not f.deleted
      and exists (select from agreements a where a.customer_id = f.customer_id
        and a.signed_on <= today and (a.ends_on is null or a.ends_on >= today))
  $$;
call carepost_hand_over('find_open_forms(uuid[], date)', 'carepost_finder', 'carepost_app');

grant select (vanity_url) on forms to carepost_finder;
create function find_form_by_name(wanted text) returns uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$ select id from forms where vanity_url = wanted and not deleted $$;
call carepost_hand_over('find_form_by_name(text)', 'carepost_finder', 'carepost_app');

-- Holds the count of a form that takes only so many submissions, until the transaction ends: true while there is room.
create function has_room(form uuid, coming int, most int) returns boolean
  language sql set search_path = public, pg_temp
  as $$ select submission_count + coming <= most from form_counts where form_id = form for update $$;
grant execute on function has_room(uuid, int, int) to carepost_app;
