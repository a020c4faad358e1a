-- beside: yes
-- Who is due of a send is read in the order of the index, a batch at a time. Without statistics, as in a month's first campaign,
-- all of its people were read and sorted for every batch.

create function due_people(of_send bigint, moment timestamptz, most int) returns setof uuid
  language plpgsql rows 1 set search_path = public, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
  as $$
begin
  return query select r.id from mailing_recipients r
    where r.send_id = of_send and r.due_at <= moment and r.state in ('queued', 'deferred')
    order by r.due_at limit most for update skip locked;
end $$;

-- safe beside: nobody else knows it yet
revoke all on function due_people(bigint, timestamptz, int) from public;
grant execute on function due_people(bigint, timestamptz, int) to carepost_worker;
