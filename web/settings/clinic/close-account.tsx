import { useState } from 'react';
import { useWrite } from '../../api/query.ts';
import { loadSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/settings/clinic.ts';
import { words as shared } from '../../words/shared.ts';

/** Stops everything, after the username was typed. */
export function CloseAccount({ username }: { username: string }) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const close = useWrite('closeCustomer', {
    stale: ['readCustomer', 'readAgreement', 'listAgreements', 'listApiKeys', 'listTeam', 'readHome'],
    onDone: ({ keys, people }) => {
      setOpen(false);
      tell(words.closed(keys, people));
      void loadSession();
    },
  });
  return (
    <Card title={words.danger} className="border-bad">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-medium">{words.close}</p>
          <p className="text-sm text-soft">{words.closeLead}</p>
        </div>
        <Button look="danger" onClick={() => setOpen(true)}>
          {words.close}
        </Button>
      </div>
      <Dialog open={open} onClose={() => setOpen(false)} title={words.closeTitle}>
        <div className="text-sm">
          <p>{words.ends}</p>
          <ul className="my-2 list-disc pl-5">
            {words.endsList.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <p>{words.stays}</p>
        </div>
        <Field label={words.confirm(username)}>
          <Input autoComplete="off" value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
        </Field>
        {close.error !== null && <Problem error={close.error} />}
        <Actions>
          <Button onClick={() => setOpen(false)}>{shared.cancel}</Button>
          <Button
            look="danger"
            busy={close.isPending}
            disabled={typed !== username}
            onClick={() => close.mutate({ body: { confirm: typed } })}
          >
            {words.closeNow}
          </Button>
        </Actions>
      </Dialog>
    </Card>
  );
}
