-- beside: yes
-- Lists read all drips of a customer. A policy that asks for its setting in a subquery asks once; otherwise it is read, and
-- understood, again for every row.

-- safe beside: it shows the same rows as before.
alter policy tenant on drip_campaigns
  using (customer_id = any((select nullif(current_setting('carepost.customers', true), '')::int[])::int[]));
-- safe beside: it shows the same rows as before.
alter policy tenant on drip_counts
  using (customer_id = any((select nullif(current_setting('carepost.customers', true), '')::int[])::int[]));
