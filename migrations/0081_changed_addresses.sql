-- beside: yes
-- How often the address of somebody has changed. The page on which people choose what to get lets whoever comes by a link of a
-- former address leave only: what it joins or takes back is for the address of today to say.
alter table subscribers add column address_changes int not null default 0;

create function count_address_change() returns trigger language plpgsql set search_path = public, pg_temp
  as $$
begin
  new.address_changes := least(old.address_changes + 1, 65535); -- as far as the number in a link goes
  return new;
end $$;

-- safe beside: it sets a column that the version before does not know, and refuses nothing
create trigger address_changed before update of email on subscribers
  for each row when (old.email is not null and lower(old.email) is distinct from lower(new.email))
  execute function count_address_change();
