-- beside: yes
-- The form that feeds a list is found by the list: all forms of a customer were read for each of its lists.

-- safe beside: who changes a form waits for one pass over the table, which holds few that feed a list
create index forms_of_list on forms (customer_id, subscription_list_id, created_at)
  where not deleted and subscription_list_id is not null;
