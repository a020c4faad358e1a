import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useWrite } from '../../api/query.ts';
import { loadSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Card, Facts } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/settings/clinic.ts';
import { words as shared } from '../../words/shared.ts';

/** The name of the customer, to be changed. */
export function AboutClinic({ customer }: { customer: Reply<'readCustomer'> }) {
  const [name, setName] = useState(customer.name);
  const rename = useWrite('renameCustomer', {
    stale: ['readCustomer', 'readAgreement'],
    onDone: () => {
      tell(words.renamed);
      void loadSession();
    },
  });
  return (
    <Card title={words.about}>
      <form
        className="mb-5 flex max-w-xl flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate({ body: { name } });
        }}
      >
        <Field label={words.name} hint={words.nameHint}>
          <Input
            required
            maxLength={200}
            autoComplete="organization"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        {rename.error !== null && <Problem error={rename.error} />}
        <div>
          <Button type="submit" look="primary" busy={rename.isPending} disabled={name.trim() === customer.name}>
            {shared.save}
          </Button>
        </div>
      </form>
      <Facts
        facts={[
          [
            words.username,
            <span key="username">
              <code className="font-mono text-sm">{customer.username}</code>
              <span className="block text-sm text-soft">{words.usernameHint}</span>
            </span>,
          ],
          [words.since, <When key="since" at={customer.created_at} />],
        ]}
      />
    </Card>
  );
}
