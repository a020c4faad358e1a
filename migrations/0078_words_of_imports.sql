-- beside: yes
-- What the people of a file agreed to is kept as words of its own when the import begins, as an import goes after some time:
-- they are those of no list. Whom the import puts on a list refers to them rather than to what the list asks for.
-- safe beside: nobody reads of which list words are
alter table consent_texts alter column subscription_list_id drop not null;
grant insert on consent_texts to carepost_worker;
alter table imports add column consent_text_id bigint;
