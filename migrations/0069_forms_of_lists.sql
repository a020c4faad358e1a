-- beside: yes
-- The form that feeds a list is found by the list: all forms of a customer were read for each of its lists.

-- safe beside: a customer has thousands of forms at most, which are indexed in a moment
create index forms_of_list on forms (customer_id, subscription_list_id, created_at)
  where not deleted and subscription_list_id is not null;
