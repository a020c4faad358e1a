-- beside: yes
-- Searches that a large share of a customer's forms fits are counted along an index that holds the texts: no row of the table is
-- read for them. An entry of an index has to be short; the few texts that are not are found by the other one.
-- safe beside: forms are made and renamed by hand, and the texts of a million are indexed in about a second
create index form_texts_short on form_texts (customer_id) include (text) where octet_length(text) <= 2000;
-- safe beside: none or few are that long
create index form_texts_long on form_texts (customer_id) where octet_length(text) > 2000;

-- Looking up what most texts hold takes longer than looking at texts until there are enough. What the planner knows of texts it
-- may not use under row-level security, so that some of them are asked.
create or replace function search_forms(of_customer int, pattern text, most int) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  is_common boolean;
begin
  execute 'select count(*) filter (where text like $2) * 10 > count(*) from (
      select text from form_texts where customer_id = $1 and octet_length(text) <= 2000 limit 500) asked'
    into is_common using of_customer, lower(pattern);
  if is_common then
    return query execute 'select form_id from (
        select form_id, text from form_texts where customer_id = $1 and octet_length(text) <= 2000 offset 0
      ) short where text like $2
      union all
      select form_id from (
        select form_id, text from form_texts where customer_id = $1 and octet_length(text) > 2000 offset 0
      ) long where text like $2
      limit $3'
      using of_customer, lower(pattern), most;
  else
    return query execute 'select form_id from form_texts where customer_id = $1 and text like $2 limit $3'
      using of_customer, lower(pattern), most;
  end if;
end $$;
create or replace function count_found_forms(of_customer int, pattern text) returns bigint
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  found_forms bigint;
begin
  execute 'select
      (select count(*) from form_texts where customer_id = $1 and octet_length(text) <= 2000 and text like $2)
      + (select count(*) from (
          select text from form_texts where customer_id = $1 and octet_length(text) > 2000 offset 0
        ) long where text like $2)'
    into found_forms using of_customer, lower(pattern);
  return found_forms;
end $$;
