-- What a form was, version by version: a submission is read by the one that it was filled in with.
create table form_versions (
  form_id uuid not null,
  version int not null,
  customer_id int not null,
  form_html text,
  form_json json,
  form_css text,
  signable boolean not null,
  signature_confirmation_label text,
  created_at timestamptz not null,
  primary key (form_id, version),
  foreign key (customer_id, form_id) references forms (customer_id, id)
);
call carepost_protect('form_versions');
grant select, insert on form_versions to carepost_app;

-- How many forms a customer has by their flags, so that a list of all need not count them.
create table form_tallies (
  customer_id int not null,
  active boolean not null,
  archived boolean not null,
  forms bigint not null,
  primary key (customer_id, active, archived)
) with (fillfactor = 70);
call carepost_protect('form_tallies');
grant select, insert, update on form_tallies to carepost_app;

-- What search looks through, narrow and in lower case.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create table form_texts (
  form_id uuid primary key,
  customer_id int not null,
  text text not null,
  foreign key (customer_id, form_id) references forms (customer_id, id)
);
create index form_texts_search on form_texts using gin (customer_id, text gin_trgm_ops);
call carepost_protect('form_texts');
create policy finder on form_texts for select to carepost_finder using (true);
grant select, insert, update, delete on form_texts to carepost_app;
grant select on form_texts to carepost_finder;

-- Under row-level security LIKE cannot use an index, so the finder looks the text up; it gives out ids and a number
-- only. Each search is planned for its own pattern: one that is rare and one that all texts hold want other plans.
create function search_forms(of_customer int, pattern text, most int) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
begin
  return query execute 'select form_id from form_texts where customer_id = $1 and text like $2 limit $3'
    using of_customer, lower(pattern), most;
end $$;
create function count_found_forms(of_customer int, pattern text) returns bigint
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  found_forms bigint;
begin
  execute 'select count(*) from form_texts where customer_id = $1 and text like $2'
    into found_forms using of_customer, lower(pattern);
  return found_forms;
end $$;
call carepost_hand_over('search_forms(int, text, int)', 'carepost_finder', 'carepost_app');
call carepost_hand_over('count_found_forms(int, text)', 'carepost_finder', 'carepost_app');

create function text_of_form(title text, description text) returns text
  language sql immutable as $$ select lower(title || E'\x01' || coalesce(description, '')) $$;

-- Kept by triggers: whoever changes a form, tallies and texts are right when the change is.
create function keep_form_tallies() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  -- In one order, so that forms that change in opposite directions do not wait for each other for ever.
  insert into form_tallies (customer_id, active, archived, forms)
    select customer_id, active, archived, sum(change) from (
      select new.customer_id, new.active, new.archived, 1 where not new.deleted
      union all
      select old.customer_id, old.active, old.archived, -1 where tg_op = 'UPDATE' and not old.deleted
    ) as t (customer_id, active, archived, change)
    group by 1, 2, 3 order by 1, 2, 3
  on conflict (customer_id, active, archived) do update set forms = form_tallies.forms + excluded.forms;
  return null;
end $$;
create trigger tallied after insert on forms for each row execute function keep_form_tallies();
create trigger tallied_again after update of active, archived, deleted on forms for each row
  when ((old.active, old.archived, old.deleted) is distinct from (new.active, new.archived, new.deleted))
  execute function keep_form_tallies();

create function keep_form_text() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.deleted then
    delete from form_texts where form_id = new.id;
  else
    insert into form_texts (form_id, customer_id, text)
    values (new.id, new.customer_id, text_of_form(new.title, new.description))
    on conflict (form_id) do update set text = excluded.text;
  end if;
  return null;
end $$;
create trigger searched after insert on forms for each row execute function keep_form_text();
create trigger searched_again after update of title, description, deleted on forms for each row
  when ((old.title, old.description, old.deleted) is distinct from (new.title, new.description, new.deleted))
  execute function keep_form_text();

-- The forms that are there already. Forced security would hide them from an owner who is no superuser.
alter table forms no force row level security;
alter table form_versions no force row level security;
alter table form_tallies no force row level security;
alter table form_texts no force row level security;
insert into form_versions
  select id, version, customer_id, form_html, form_json, form_css, signable, signature_confirmation_label, updated_at
  from forms;
insert into form_tallies
  select customer_id, active, archived, count(*) from forms where not deleted group by 1, 2, 3;
insert into form_texts
  select id, customer_id, text_of_form(title, description) from forms where not deleted;
alter table forms force row level security;
alter table form_versions force row level security;
alter table form_tallies force row level security;
alter table form_texts force row level security;

-- Each order of the list reads its page from an index, in both directions.
drop index forms_created_at;
create index forms_created_at on forms (customer_id, created_at, id) where not deleted;
create index forms_updated_at on forms (customer_id, updated_at, id) where not deleted;
create index forms_title on forms (customer_id, title, id) where not deleted;
create index forms_flags on forms (customer_id, archived, active, created_at, id) where not deleted;
drop index form_counts_customer;
create index form_counts_order on form_counts (customer_id, submission_count, form_id);

alter table forms add column retention_days int check (retention_days > 0);
