-- beside: yes
-- Side jobs of a queue go one after the other. All calls of the webhook steps shared a few places, first come first served: of
-- a drip that came to a slow address with tens of thousands of people, everybody else's calls waited for hours.
create function enqueue_job_in_turn(task text, payload json, job_key text, queue text) returns void
  language plpgsql security definer set search_path = public, pg_temp
  as $$ begin perform graphile_worker.add_job(task, payload, queue, job_key => enqueue_job_in_turn.job_key); end $$;
call carepost_hand_over('enqueue_job_in_turn(text, json, text, text)', 'carepost_jobs', 'carepost_app, carepost_worker');
