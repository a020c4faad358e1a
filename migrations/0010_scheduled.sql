-- Messages that wait for their time. The wait itself is the due_at of their recipients; this row holds
-- what the caller asked for. Its number is the integer that clients expect of a scheduled message.
create table scheduled_messages (
  message_id uuid primary key,
  number bigint generated always as identity,
  customer_id int not null,
  scheduled_at timestamptz not null,
  scheduled_as text not null,
  cancelled_at timestamptz,
  created_at timestamptz not null
);
call carepost_protect('scheduled_messages');
grant select, insert, update on scheduled_messages to carepost_app;
grant select on scheduled_messages to carepost_worker;
grant update (state, due_at, settled_at) on message_recipients to carepost_app;
