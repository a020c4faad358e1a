import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { call, type Reply } from '../api/client.ts';
import { fieldProblem, isAbout } from '../api/field-problem.ts';
import { type Stored, useSaving } from '../api/saving.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { OvertakenNotice } from '../ui/overtaken-notice.tsx';
import { Card } from '../ui/page.tsx';
import { Problem } from '../ui/problem.tsx';
import { tell } from '../ui/toast.tsx';
import { words as all } from '../words/oversight.ts';
import { words as shared } from '../words/shared.ts';

const words = all.emergency;

interface Written {
  contact: string;
  days: string;
  due: string;
}

/** Who is told of emergency access, and how often activity is reviewed. */
export function Contacts({ set, mayChange }: { set: Reply<'readOversight'>; mayChange: boolean }) {
  const [begun] = useState(() => storedOf(set));
  const { register, handleSubmit, reset, getValues } = useForm({ defaultValues: begun.draft });
  const { save, isSaving, problem, overtaken } = useSaving('setOversight', {
    begun,
    read: async () => storedOf(await call('readOversight', {})),
    input: ({ contact, days, due }, { updatedAt: if_updated_at }) => ({
      body: {
        security_contact: contact || null,
        review_days: Number(days),
        review_due_days: Number(due),
        if_updated_at,
      },
    }),
    stored: storedOf,
    exchange(next) {
      const shown = { ...getValues() };
      reset(next);
      return shown;
    },
    stale: ['readOversight'],
    onSaved: () => tell(words.saved),
  });
  const submit = handleSubmit((written) => save(written));
  return (
    <Card title={words.contacts} lead={words.contactsLead}>
      <form className="flex max-w-xl flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <Field
          label={words.contact}
          hint={words.contactHint}
          optional
          problem={fieldProblem(problem, 'security_contact')}
        >
          <Input type="email" autoComplete="off" maxLength={254} disabled={!mayChange} {...register('contact')} />
        </Field>
        <Field label={words.reviewDays} hint={words.reviewDaysHint}>
          <Input type="number" required min={7} max={90} disabled={!mayChange} {...register('days')} />
        </Field>
        <Field label={words.dueDays} hint={words.dueDaysHint}>
          <Input type="number" required min={1} max={30} disabled={!mayChange} {...register('due')} />
        </Field>
        {problem !== null && !isAbout(problem, 'security_contact') && <Problem error={problem} />}
        <OvertakenNotice overtaken={overtaken} onSave={() => void submit()} />
        {mayChange && (
          <div>
            <Button type="submit" look="primary" busy={isSaving}>
              {shared.save}
            </Button>
          </div>
        )}
      </form>
    </Card>
  );
}

function storedOf(set: Reply<'readOversight'>): Stored<Written> {
  const { security_contact: contact, review_days: days, review_due_days: due, updated_at: updatedAt } = set;
  return { draft: { contact: contact ?? '', days: String(days), due: String(due) }, updatedAt };
}
