-- Files that come ahead of their submission, and wait a day for it. The token is found by its hash; name, type and
-- question are sealed. A file has its blob once it is whole; until then there are its parts.
create table form_uploads (
  id uuid primary key,
  customer_id int not null,
  form_id uuid not null,
  token_hash bytea not null unique,
  sealed bytea not null,
  length bigint not null check (length >= 0),
  received bigint not null check (received between 0 and length),
  blob_id uuid references blobs (id),
  -- The pseudonym of the network that it comes from, where that counts against a limit.
  network text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (customer_id, form_id) references forms (customer_id, id),
  unique (customer_id, id)
);
create index form_uploads_form on form_uploads (customer_id, form_id, network);
create index form_uploads_expiry on form_uploads (expires_at);
create unique index form_uploads_blob on form_uploads (blob_id) where blob_id is not null;
call carepost_protect('form_uploads');
create policy sweep_read on form_uploads for select to carepost_worker using (true);
grant select, insert, update, delete on form_uploads to carepost_app;
grant select, update, delete on form_uploads to carepost_worker;

-- What one request brought of a file.
create table form_upload_parts (
  upload_id uuid not null,
  start bigint not null,
  customer_id int not null,
  blob_id uuid not null unique references blobs (id),
  primary key (upload_id, start),
  foreign key (customer_id, upload_id) references form_uploads (customer_id, id)
);
call carepost_protect('form_upload_parts');
grant select, insert, delete on form_upload_parts to carepost_app, carepost_worker;
