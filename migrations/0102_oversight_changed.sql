-- beside: yes
-- When somebody last set whom to tell and how often activity is reviewed, so that nobody writes over what another has set since.

alter table customers add column oversight_updated_at timestamptz not null default now();
