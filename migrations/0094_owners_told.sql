-- beside: yes
-- When the owners of an account were told what an attempt came to, written with the mails to them: a job that is done again,
-- since its worker died before anybody knew, tells nobody twice.

alter table webhook_attempts add column owners_told_at timestamptz;
grant update (owners_told_at) on webhook_attempts to carepost_app;
