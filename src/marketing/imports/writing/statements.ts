// What a chunk does, on the rows that were copied into a table of the transaction's own. $1 is the customer.

/** `person` is whom a row is about once that is known, `made` whether the import made them just now. */
export const STAGE = `
  create temp table import_rows (number int not null, id uuid not null, subscription_id uuid, list_subscription_id uuid,
    email text, phone_number text, first_name text, last_name text, time_zone text, fields jsonb not null,
    opted_out boolean not null, sealed bytea, person uuid, made boolean not null default false) on commit drop`;

export const STAGED = [
  'number',
  'id',
  'subscription_id',
  'list_subscription_id',
  'email',
  'phone_number',
  'first_name',
  'last_name',
  'time_zone',
  'fields',
  'opted_out',
  'sealed',
] as const;

/** $2 the import, $3 phone numbers. Their addresses stay theirs until the transaction ends. */
export const KNOWN_BY_NUMBER = `
  select k.number, s.email from (select * from known_by_number($1, $2, $3::text[]) order by id) k cross join lateral (
    select email from subscribers where customer_id = $1 and id = k.id and email is not null for no key update) s`;

/** $2 the import, $3 when it began. In one order: two imports of the same people must not wait for each other. */
export const MAKE_PEOPLE = `
  with made as (
    insert into subscribers (id, customer_id, email, phone_number, first_name, last_name, time_zone, fields,
      sealed_fields, import_id, unsubscribed_at, created_at, updated_at)
    select id, $1, email, phone_number, first_name, last_name, time_zone, fields, sealed, $2::uuid,
      case when opted_out then $3::timestamptz end, $3, $3
    from import_rows order by lower(email), phone_number
    on conflict do nothing
    returning id
  )
  update import_rows r set person = r.id, made = true from made where r.id = made.id`;

const rest = (column: string) => `(select array_agg(${column} order by number) from import_rows where person is null)`;

export const FIND_PEOPLE = `
  update import_rows r set person = found.id, opted_out = r.opted_out or found.opted_out
  from find_people($1, ${rest('number')}, ${rest('email')}, ${rest('phone_number')}) found
  where r.number = found.number`;

/** $2 numbers of rows whose address has opted out, $3 when the import began: of those whom it made just now. */
export const LEAVE_OUT = `
  with late as (
    update import_rows set opted_out = true where number = any($2::int[]) and made and not opted_out returning person
  )
  update subscribers s set unsubscribed_at = $3 from late where s.customer_id = $1 and s.id = late.person`;

/** In the order in which people are changed: two imports of the same people must not wait for each other. */
export const HOLD_KNOWN = `
  select from subscribers where customer_id = $1 and id = any(array(select person from import_rows where not made))
  order by id for update`;

/** $2 numbers of rows that say so, $3 the import, $4 now. */
export const OPT_OUT = `
  select opt_out($1, array(select person from import_rows where number = any($2::int[])), 'import',
    jsonb_build_object('import', $3::text), $4::timestamptz)`;

// Where little is known of a table yet, a plan may read all of it rather than look a few people up. A lateral query with
// an offset leaves it no choice, nor does a conflict.

/** Those with sealed values to be told apart from what is there, in JavaScript: nothing else can open them. */
export const READ_SEALED = `
  select r.number, s.id, s.sealed_fields as sealed from import_rows r cross join lateral (
    select id, sealed_fields from subscribers where customer_id = $1 and id = r.person offset 0) s
  where not r.made and r.sealed is not null`;

/** $2 numbers of rows, $3 what they are sealed to, in hex; null where nothing changes. */
export const SET_SEALED = `
  update import_rows r set sealed = decode(w.sealed, 'hex')
  from unnest($2::int[], $3::text[]) as w (number, sealed) where $1::int is not null and r.number = w.number`;

const DIFFERING = `
  select r.* from import_rows r cross join lateral (
    select from subscribers s where s.customer_id = $1 and s.id = r.person and (s.email <> r.email
      or s.phone_number is distinct from coalesce(r.phone_number, s.phone_number)
      or s.first_name is distinct from coalesce(r.first_name, s.first_name)
      or s.last_name is distinct from coalesce(r.last_name, s.last_name)
      or s.time_zone is distinct from coalesce(r.time_zone, s.time_zone)
      or not s.fields @> r.fields or r.sealed is not null) offset 0) known
  where not r.made`;

export const COUNT_DIFFERING = `select count(*) as changed from (${DIFFERING}) differing`;

const values = (prefix: string) =>
  ['email', 'phone_number', 'first_name', 'last_name', 'time_zone', 'fields']
    .map((column) => `'${column}', ${prefix}${column}`)
    .join(', ');

/**
 * $2 the import, $3 when it began, $4 now. Whom the import itself made needs no former values: they go with it. Who
 * was changed twice keeps the values of before the first time.
 */
export const CHANGE_PEOPLE = `
  with differing as materialized (${DIFFERING}), locked as materialized (
    select s.*, coalesce(r.email, s.email) as new_email, coalesce(r.phone_number, s.phone_number) as new_phone_number,
      coalesce(r.first_name, s.first_name) as new_first_name, coalesce(r.last_name, s.last_name) as new_last_name,
      coalesce(r.time_zone, s.time_zone) as new_time_zone, s.fields || r.fields as new_fields,
      coalesce(r.sealed, s.sealed_fields) as new_sealed
    from (select * from differing order by person) r cross join lateral (
      select * from subscribers s where s.customer_id = $1 and s.id = r.person for update) s
  ), kept as (
    insert into import_changes (import_id, customer_id, subscriber_id, before, after, sealed_before, sealed_after,
      number_before)
    select $2::uuid, $1, id, jsonb_build_object(${values('')}), jsonb_build_object(${values('new_')}),
      sealed_fields, new_sealed, case when phone_number is distinct from new_phone_number then phone_number end
    from locked where import_id is distinct from $2::uuid
    on conflict (import_id, subscriber_id) do update
      set after = excluded.after, sealed_after = excluded.sealed_after,
        number_before = case when import_changes.before->>'phone_number' is distinct from excluded.after->>'phone_number'
          then import_changes.before->>'phone_number' end
  )
  insert into subscribers (id, customer_id, email, phone_number, first_name, last_name, time_zone, fields,
    sealed_fields, created_at, updated_at)
  select id, $1, new_email, new_phone_number, new_first_name, new_last_name, new_time_zone, new_fields, new_sealed,
    created_at, case when import_id = $2::uuid and updated_at = $3::timestamptz then $3 else $4::timestamptz end
  from locked
  on conflict (id) do update set email = excluded.email, phone_number = excluded.phone_number,
    first_name = excluded.first_name, last_name = excluded.last_name, time_zone = excluded.time_zone,
    fields = excluded.fields, sealed_fields = excluded.sealed_fields, updated_at = excluded.updated_at`;

/** $2 lists, and those who are known and join one: who opts out or is deleted at this moment has done so, or waits. */
export const HOLD_JOINING = `
  select hold_people($1, array(
    select person from import_rows r where person is not null and not made and not opted_out and exists (
      select from unnest($2::bigint[]) as l (id) where not exists (
        select from subscriptions c where c.customer_id = $1 and c.subscription_list_id = l.id
          and c.subscriber_id = r.person)))), hold_lists($1, $2::bigint[])`;

/**
 * $2 lists, $3 the import, $4 now. Who left a list is on it still, and stays as they are. As by join_lists(), somebody
 * new who is asked by one of the lists waits for the default list as well. They agreed to the words of the import, or
 * where it has none to those of the list.
 */
export const JOIN_LISTS = `
  with lists as (
    select id, is_default, double_opt_in as asks, coalesce(
        (select i.consent_text_id from imports i where i.customer_id = $1 and i.id = $3::uuid),
        consent_text_id) as consent_text_id,
      double_opt_in or (is_default and bool_or(double_opt_in) over ()) as waits
    from subscription_lists where customer_id = $1 and id = any($2::bigint[])
  ), joined as (
    insert into subscriptions (id, customer_id, subscription_list_id, subscriber_id, created_at, pending, active, import_id,
      consent_text_id)
    select case when l.is_default then r.subscription_id else r.list_subscription_id end, $1, l.id, r.person,
      $4::timestamptz, l.waits, not l.waits, $3::uuid, l.consent_text_id
    from import_rows r cross join lateral (
      select from subscribers s where s.customer_id = $1 and s.id = r.person and s.unsubscribed_at is null offset 0) still
    cross join lists l where not r.opted_out
    order by l.id, r.person
    on conflict (customer_id, subscription_list_id, subscriber_id) do nothing
    returning subscriber_id, subscription_list_id
  )
  select enqueue_job('marketing.confirm',
    json_build_object('customerId', $1::int, 'subscriberId', j.subscriber_id, 'listId', l.id),
    format('confirm/%s/%s', j.subscriber_id, l.id))
  from joined j join lists l on l.id = j.subscription_list_id where l.asks`;

/** $2 now. Who has yet to confirm joins when they do. */
export const TELL_DRIPS = `
  select tell_drips($1, 'joined', c.subscription_list_id::text, array_agg(c.subscriber_id), $2)
  from import_rows r cross join lateral (
    select subscription_list_id, subscriber_id from subscriptions
    where customer_id = $1 and id in (r.subscription_id, r.list_subscription_id) and active offset 0) c
  group by c.subscription_list_id`;

/** $2 lists. */
export const COUNT_ROWS = `
  select count(*) filter (where person is null or made) as created,
    count(*) filter (where opted_out or has_left) as opted_out
  from import_rows r left join lateral (
    select true as has_left from subscriptions c
    where not r.made and c.customer_id = $1 and c.subscription_list_id = any($2::bigint[])
      and c.subscriber_id = r.person and c.unsubscribed_at is not null limit 1) gone on true`;

/** $2 the import, $3 ids of people in its notes. */
export const READ_TOLD = `
  select w.id, c.sealed_after as sealed from unnest($3::uuid[]) as w (id) cross join lateral (
    select sealed_after from import_changes where customer_id = $1 and import_id = $2::uuid and subscriber_id = w.id
    offset 0) c`;

/** $2 numbers of rows: whom each of them is about as they are known, with no id where nobody is. */
export const TAKE_TOLD = `
  with taken as (delete from import_rows where number = any($2::int[]) returning number, person)
  select t.number, s.* from taken t left join lateral (
    select id, email, phone_number, first_name, last_name, time_zone, fields, sealed_fields as sealed from subscribers
    where customer_id = $1 and id = t.person offset 0) s on true`;

/** $2 the import, $3 ids of people in its notes, $4 what was said of them, sealed, in hex. */
export const KEEP_TOLD = `
  insert into import_changes (import_id, customer_id, subscriber_id, before, after, sealed_after)
  select $2::uuid, $1, w.id, '{}', '{}', decode(w.sealed, 'hex') from unnest($3::uuid[], $4::text[]) as w (id, sealed)
  on conflict (import_id, subscriber_id) do update set sealed_after = excluded.sealed_after`;

/** $2 the import, $3 after whom, $4 how many. Tells where it ended; nothing comes back where there was nobody left. */
export const FORGET_TOLD = `
  with page as materialized (
    select subscriber_id as place from import_changes
    where customer_id = $1 and import_id = $2::uuid and subscriber_id > $3::uuid order by subscriber_id limit $4
  ), gone as (
    delete from import_changes c using page p
    where c.customer_id = $1 and c.import_id = $2::uuid and c.subscriber_id = p.place
  )
  select place from page order by place desc limit 1`;

/** $2 the import, $3 lines and reasons as JSON, $4 how many are kept at most. */
export const KEEP_REJECTS = `
  insert into import_rejects (import_id, customer_id, line, reasons)
  select $2::uuid, $1, r.line, array(select json_array_elements_text(r.reasons))
  from json_to_recordset($3) as r (line bigint, reasons json)
  where (select skipped from imports where customer_id = $1 and id = $2::uuid) < $4
  on conflict (import_id, line) do nothing`;

/** $2 the import, $3 what was done before; nothing comes back where somebody else is working on it. */
export const TAKE = `
  select from imports where customer_id = $1 and id = $2::uuid and state = 'running' and bytes_done = $3 for update`;

/** $2 the import, then what was done. */
export const NOTE_PROGRESS = `
  update imports set bytes_done = $3, lines_done = $4, rows_done = rows_done + $5, created = created + $6,
    updated = updated + $7, unchanged = unchanged + $8, skipped = skipped + $9, opted_out = opted_out + $10,
    attempts = 0, updated_at = $11
  where customer_id = $1 and id = $2::uuid`;
