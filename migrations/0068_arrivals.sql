-- beside: yes
-- Whether a message or a submission of anybody has come in since a time, which the ids tell: work that can wait leaves the database
-- to them. By the key: of a time that it does not know the planner expects a third of all rows, and reads them from the beginning.

create function has_arrivals(since uuid) returns boolean
  language sql stable security definer set search_path = public, pg_temp set enable_seqscan = off set enable_bitmapscan = off
  as $$ select exists (select from messages where id >= since) or exists (select from submissions where id >= since) $$;
call carepost_hand_over('has_arrivals(uuid)', 'carepost_finder', 'carepost_app, carepost_worker');
