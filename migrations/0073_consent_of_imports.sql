-- beside: yes
-- Whom an import puts on a list is told by their place on it: with the words that the list asked to agree to then, so that the
-- place tells them still when the list asks for others and the import is long gone.
alter table subscriptions add column consent_text_id bigint;
