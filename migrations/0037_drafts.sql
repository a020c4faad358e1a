-- Forms that somebody goes on with later, perhaps on another device. All that was answered is sealed, with the address
-- that the way back was mailed to. The token of that link is found by its hash, and so is what the page of whoever has
-- it open now carries.
create table form_drafts (
  id uuid primary key,
  customer_id int not null,
  form_id uuid not null,
  token_hash bytea unique,
  held_hash bytea not null unique,
  -- The submission that it will be, as a keyed fingerprint: with that, all its drafts go.
  once_index bytea not null,
  sealed bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (customer_id, form_id) references forms (customer_id, id),
  unique (customer_id, id)
);
create index form_drafts_once on form_drafts (customer_id, form_id, once_index);
create index form_drafts_expiry on form_drafts (expires_at);
call carepost_protect('form_drafts');
create policy sweep_read on form_drafts for select to carepost_worker using (true);
grant select, insert, update, delete on form_drafts to carepost_app;
grant select, update, delete on form_drafts to carepost_worker;

-- One-time codes, as keyed fingerprints. The rows of a day also say how many were sent.
create table form_draft_codes (
  id uuid primary key,
  customer_id int not null,
  draft_id uuid not null,
  code_index bytea not null,
  tries smallint not null default 0,
  used_at timestamptz,
  created_at timestamptz not null,
  foreign key (customer_id, draft_id) references form_drafts (customer_id, id) on delete cascade
);
create index form_draft_codes_of on form_draft_codes (customer_id, draft_id, created_at);
call carepost_protect('form_draft_codes');
create policy sweep_read on form_draft_codes for select to carepost_worker using (true);
create policy sweep on form_draft_codes for delete to carepost_worker using (true);
grant select, insert on form_draft_codes to carepost_app;
grant update (tries, used_at) on form_draft_codes to carepost_app;
grant select, delete on form_draft_codes to carepost_worker;
