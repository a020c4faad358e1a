import { useState } from 'react';
import { useRead, useWrite } from '../../../api/query.ts';
import { useSession } from '../../../session/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input, Select } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { words } from '../../../words/builder/start.ts';
import { words as shared } from '../../../words/shared.ts';

/** Makes a form like another one. */
export function CopyForm({ title, onMade }: { title: string; onMade(id: string): Promise<void> }) {
  const customerId = useSession()?.customer?.id ?? 0;
  const [search, setSearch] = useState('');
  const [source, setSource] = useState('');
  const forms = useRead(
    'listForms',
    { query: { customer_id: customerId, search, items: 100, order_by: 'title', order: 'asc' } },
    { keep: true },
  );
  const copy = useWrite('copyForm', { stale: ['listForms', 'readFormStats'], onDone: ({ id }) => onMade(id) });
  const known = forms.data?.results ?? [];
  const chosen = known.find(({ id }) => id === source);
  return (
    <div className="flex flex-col gap-3">
      {copy.error !== null && <Problem error={copy.error} />}
      <Field label={shared.search}>
        <Input type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
      </Field>
      <Field label={words.copyOf}>
        <Select value={chosen?.id ?? ''} onChange={(event) => setSource(event.target.value)}>
          <option value="">{words.choose}</option>
          {known.map(({ id, title: name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <div>
        <Button
          busy={copy.isPending}
          disabled={chosen === undefined}
          onClick={() => chosen && copy.mutate({ body: { form_id: chosen.id, title: title.trim() || chosen.title } })}
        >
          {words.make}
        </Button>
      </div>
    </div>
  );
}
