-- What the message log is read by: a customer's messages in the order of time, one recipient by the
-- blind index of the address, and the few that did not arrive.
create index messages_customer on messages (customer_id, id);
create index message_recipients_address on message_recipients (customer_id, address_index);
create index message_recipients_undelivered on message_recipients (customer_id, message_id)
  where state in ('bounced', 'cancelled');

-- A peer's own words may repeat an address: sealed.
alter table delivery_attempts add column reply bytea;

-- Which files go when the content goes.
alter table message_contents add column blob_ids uuid[];
create policy sweep_read on message_contents for select to carepost_worker using (true);
grant delete on message_contents to carepost_worker;
