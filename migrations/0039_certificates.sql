-- The sealed certificate of a signed submission. It was made when somebody asked for it first, and whoever asks again gets
-- the same bytes, until more have signed: `signed` is a hash of who had.
create table submission_certificates (
  submission_id uuid primary key,
  customer_id int not null references customers (id),
  blob_id uuid not null,
  sha256 bytea not null,
  signed bytea not null,
  complete boolean not null,
  made_at timestamptz not null
);
create index submission_certificates_customer on submission_certificates (customer_id, submission_id);
call carepost_protect('submission_certificates');
grant select, insert, delete on submission_certificates to carepost_app;
grant select, delete on submission_certificates to carepost_worker;
