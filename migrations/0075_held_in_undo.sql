-- beside: yes
-- Whom an undo passed over, as a legal hold keeps them.
alter table imports add column held uuid[] not null default '{}';
