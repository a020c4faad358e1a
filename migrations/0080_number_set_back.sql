-- beside: yes
-- Who got the number back by hand that an import had taken from them is found both by it and by what the import noted: they are
-- one person, not two who share a number. Else as in 0077.

create or replace function known_by_number(of_customer int, of_import uuid, numbers text[])
  returns table (number text, id uuid)
  language sql stable security definer set search_path = public, pg_temp set enable_seqscan = off
  as $$
    select w.number, (array_agg(s.id))[1] from (select distinct unnest(numbers) as number) w
    cross join lateral (
      (select p.id, p.email from subscribers p
      where p.customer_id = of_customer and p.phone_number = w.number
        and (of_import is null or p.import_id is distinct from of_import)
        and not exists (select from import_changes c
          where c.customer_id = of_customer and c.import_id = of_import and c.subscriber_id = p.id
            and c.before->>'phone_number' is distinct from w.number offset 0) -- keeps this from being joined in another order
      limit 2)
      union all
      (select p.id, p.email from import_changes c
      cross join lateral (select id, email, customer_id from subscribers where id = c.subscriber_id offset 0) p
      where c.customer_id = of_customer and c.import_id = of_import and c.number_before = w.number
        and p.customer_id = of_customer
      limit 2)
    ) s
    where of_customer = any(nullif(current_setting('carepost.customers', true), '')::int[])
    group by w.number having count(distinct s.id) = 1 and bool_and(s.email is not null)
  $$;
