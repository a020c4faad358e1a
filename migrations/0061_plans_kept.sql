-- beside: yes
-- What is asked of the database all the time is planned once for each connection. A plan for just these arguments looks
-- cheaper by itself, so that it was made anew every time: three quarters of the time it took to find a form.

create or replace function find_open_forms(wanted uuid[], today date)
  returns table (id uuid, customer_id int, version int, recipient text, type text, subscription_list_id bigint,
    title text, description text, page json)
  language sql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
  as $$
    select f.id, f.customer_id, f.version, f.recipient, f.type, f.subscription_list_id, f.title, f.description,
      case when p.form_id is not null then row_to_json(p) end
    from unnest(wanted) w join forms f on f.id = w left join form_pages p on p.form_id = f.id
    where f.active and not f.archived and not f.deleted
      and exists (select from agreements a where a.customer_id = f.customer_id
        and a.signed_on <= today and (a.ends_on is null or a.ends_on >= today))
  $$;

alter function find_form_by_name(text) set plan_cache_mode = force_generic_plan;
