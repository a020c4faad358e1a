-- beside: yes
-- Runs of backups come every few minutes: the nightly job removes those that nobody asks for any more.
grant delete on backup_runs to carepost_worker;
