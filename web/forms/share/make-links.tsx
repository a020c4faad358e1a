import { useState } from 'react';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { words } from '../../words/forms/share.ts';
import { words as shared } from '../../words/shared.ts';

const DAY_MS = 24 * 3600_000;

/** Makes links that take one submission each and shows them this once. */
export function MakeLinks({ formId, open, onClose }: { formId: string; open: boolean; onClose(): void }) {
  const [count, setCount] = useState('1');
  const [days, setDays] = useState('30');
  const make = useWrite('createFormLinks', { stale: ['listFormLinks'] });
  const made = make.data?.data ?? [];
  const close = () => {
    make.reset();
    onClose();
  };
  return (
    <Dialog open={open} firm={made.length > 0} onClose={close} title={words.makeLinks} lead={words.linksLead}>
      {made.length > 0 ? (
        <>
          <p>{words.made(made.length)}</p>
          <CopyText label={words.copyAll} value={made.map(({ url }) => url).join('\n')} />
          <Actions>
            <Button look="primary" onClick={close}>
              {shared.close}
            </Button>
          </Actions>
        </>
      ) : (
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            const expires = new Date(Date.now() + Number(days) * DAY_MS).toISOString();
            make.mutate({ params: { id: formId }, body: { count: Number(count), expires_at: expires } });
          }}
        >
          <div className="grid grid-cols-2 gap-3">
            <Field label={words.count} problem={fieldProblem(make.error, 'count')}>
              <Input
                type="number"
                min={1}
                max={1_000}
                required
                value={count}
                onChange={({ target }) => setCount(target.value)}
              />
            </Field>
            <Field label={words.days} problem={fieldProblem(make.error, 'expires_at')}>
              <Input
                type="number"
                min={1}
                max={366}
                required
                value={days}
                onChange={({ target }) => setDays(target.value)}
              />
            </Field>
          </div>
          {make.error !== null && !isAbout(make.error, 'count', 'expires_at') && <Problem error={make.error} />}
          <Actions>
            <Button onClick={close}>{shared.cancel}</Button>
            <Button type="submit" look="primary" busy={make.isPending}>
              {words.make}
            </Button>
          </Actions>
        </form>
      )}
    </Dialog>
  );
}
