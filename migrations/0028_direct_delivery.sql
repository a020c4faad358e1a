-- Who is due is found customer by customer, so that nobody's flood keeps another's mail waiting.
create index message_recipients_due_by_customer on message_recipients (customer_id, due_at) where due_at is not null;
drop index message_recipients_due;

-- Mail for servers that have all they can take stands aside (due_at is null then) and is fed to them as they go: the
-- queue is never walked again for what cannot leave. `portal`: a notice went out in place of the content.
alter table message_recipients add column parked boolean not null default false;
alter table message_recipients add column portal boolean not null default false;
create index message_recipients_parked on message_recipients (domain, customer_id, message_id) where parked;

-- What an attempt met: the server, its certificate, what the judgement of its TLS rests on, or why it is not verified.
alter table delivery_attempts add column mx_host text;
alter table delivery_attempts add column mx_address text;
alter table delivery_attempts add column certificate_hash bytea;
alter table delivery_attempts add column tls_basis text;
alter table delivery_attempts add column tls_reason text;
alter table delivery_attempts add column notice boolean not null default false;
-- An attempt that was taken and never begun leaves no trace.
grant delete on delivery_attempts to carepost_worker;

-- Whether nobody knows what became of the attempt that an event tells of.
alter table message_events add column uncertain boolean not null default false;
