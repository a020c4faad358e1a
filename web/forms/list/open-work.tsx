import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/query.ts';
import { Card } from '../../ui/page.tsx';
import { words } from '../../words/forms/list.ts';

const SHOWN = 8;

/** The forms in which something waits, each with the way to it. */
export function OpenWork() {
  const read = useRead('readOpenWork', {});
  const work = read.data?.data;
  if (work === undefined || work.forms.length === 0) return null;
  return (
    <Card title={words.openWork} lead={words.openWorkLead(work.new, work.in_work, work.unassigned)}>
      <ul className="flex flex-col divide-y">
        {work.forms.slice(0, SHOWN).map((form) => (
          <li key={form.form_id} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2">
            <span className="min-w-0 break-words">{form.title}</span>
            <span className="flex gap-4 text-sm">
              {form.new > 0 && (
                <WorkLink formId={form.form_id} state="new" label={words.newIn(form.new, form.title)}>
                  {words.newCount(form.new)}
                </WorkLink>
              )}
              {form.in_work > 0 && (
                <WorkLink formId={form.form_id} state="in_work" label={words.inWorkIn(form.in_work, form.title)}>
                  {words.inWorkCount(form.in_work)}
                </WorkLink>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface WorkLinkProps {
  formId: string;
  state: 'new' | 'in_work';
  label: string;
  children: string;
}

function WorkLink({ formId, state, label, children }: WorkLinkProps) {
  return (
    <Link
      to="/forms/$id/submissions"
      params={{ id: formId }}
      search={{ state }}
      aria-label={label}
      className="font-medium text-brand underline-offset-2 hover:underline"
    >
      {children}
    </Link>
  );
}
