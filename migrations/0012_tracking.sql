-- Where the links of a message lead, sealed; a link in a mail holds nothing but its number.
create table message_links (
  message_id uuid not null primary key,
  customer_id int not null,
  sealed bytea not null
) partition by range (message_id);
call carepost_protect('message_links');
grant select on message_links to carepost_app;
grant select, insert, update on message_links to carepost_worker;

-- What the one recipient of a message did with it. Neither address nor browser of anybody is kept.
create table message_engagement (
  message_id uuid not null primary key,
  customer_id int not null,
  opens int not null default 0,
  machine_opens int not null default 0,
  first_opened_at timestamptz,
  clicks int not null default 0,
  machine_clicks int not null default 0,
  unsubscribed_at timestamptz
) partition by range (message_id);
call carepost_protect('message_engagement');
grant select, insert, update on message_engagement to carepost_app;

create table link_clicks (
  message_id uuid not null,
  link smallint not null,
  customer_id int not null,
  clicks int not null,
  primary key (message_id, link)
) partition by range (message_id);
call carepost_protect('link_clicks');
grant select, insert, update on link_clicks to carepost_app;

-- What a customer has said about all of its mail; no row means that opens and links are followed.
create table email_settings (
  customer_id int primary key references customers (id),
  open_tracking boolean not null,
  link_tracking boolean not null,
  updated_at timestamptz not null
);
call carepost_protect('email_settings');
grant select, insert, update on email_settings to carepost_app;
grant select on email_settings to carepost_worker;
