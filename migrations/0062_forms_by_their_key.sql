-- beside: yes
-- The kept plan read every form while there were few of them, and stays as it was made until the tables are analysed. Now
-- each id is looked up by its key, whatever the planner thinks of the size of the tables.

create or replace function find_open_forms(wanted uuid[], today date)
  returns table (id uuid, customer_id int, version int, recipient text, type text, subscription_list_id bigint,
    title text, description text, page json)
  language sql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
  as $$
    select open.* from unnest(wanted) w cross join lateral (
      select f.id, f.customer_id, f.version, f.recipient, f.type, f.subscription_list_id, f.title, f.description,
        case when p.form_id is not null then row_to_json(p) end
      from forms f left join form_pages p on p.form_id = f.id
      where f.id = w and f.active and not f.archived and not f.deleted
        and exists (select from agreements a where a.customer_id = f.customer_id
          and a.signed_on <= today and (a.ends_on is null or a.ends_on >= today))
      offset 0 -- keeps this from being joined in another order
    ) open
  $$;
