import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { words } from '../../words/email/domains.ts';
import { words as shared } from '../../words/shared.ts';

/** Asks for a domain, and goes on to its records. */
export function AddDomain({ onClose }: { onClose(): void }) {
  const go = useNavigate();
  const [domain, setDomain] = useState('');
  const add = useWrite('createSendingDomain', {
    stale: ['listSendingDomains'],
    onDone: ({ data }) => go({ to: '/email/domains/$id', params: { id: data.id } }),
  });
  return (
    <Dialog open onClose={onClose} title={words.add} lead={words.addLead}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate({ body: { domain: domain.trim() } });
        }}
      >
        <Field label={words.domain} hint={words.domainHint} problem={fieldProblem(add.error, 'domain')}>
          <Input
            required
            autoComplete="off"
            spellCheck={false}
            value={domain}
            onChange={(event) => setDomain(event.target.value)}
          />
        </Field>
        {add.error !== null && !isAbout(add.error, 'domain') && <Problem error={add.error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={add.isPending}>
            {words.add}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
