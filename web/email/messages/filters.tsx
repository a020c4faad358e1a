import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { words } from '../../words/email/messages.ts';
import { FindAddress } from '../find-address.tsx';
import type { MessagesSearch } from './search.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface FiltersProps {
  search: MessagesSearch;
  recipient: string;
  onRecipient(address: string): void;
}

/** What narrows the list: state and period stand in the address, a recipient only here. */
export function Filters({ search, recipient, onRecipient }: FiltersProps) {
  const go = useNavigate();
  const change = (part: Record<string, string>) => void go({ to: '/email/messages', search: { ...search, ...part } });
  return (
    <div className="grid items-start gap-3 rounded-lg border bg-surface p-4 sm:grid-cols-2 lg:grid-cols-4">
      <Field label={words.state}>
        <Select value={search.state ?? ''} onChange={(event) => change({ state: event.target.value })}>
          <option value="">{words.anyState}</option>
          {Object.entries(words.states).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={words.period}>
        <Select value={search.period ?? 'any'} onChange={(event) => change({ period: event.target.value })}>
          {Object.entries(words.periods).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <FindAddress label={words.recipient} hint={words.recipientHint} first={recipient} onFind={onRecipient} />
      <ById />
    </div>
  );
}

function ById() {
  const go = useNavigate();
  const [id, setId] = useState('');
  const [wrong, setWrong] = useState(false);
  const open = () => {
    const wanted = id.trim().toLowerCase();
    setWrong(!UUID.test(wanted));
    if (UUID.test(wanted)) void go({ to: '/email/messages/$id', params: { id: wanted } });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        open();
      }}
    >
      <Field label={words.trackingId} hint={words.trackingIdHint} problem={wrong ? words.badId : undefined}>
        <div className="flex gap-2">
          <Input autoComplete="off" spellCheck={false} value={id} onChange={(event) => setId(event.target.value)} />
          <Button type="submit">{words.open}</Button>
        </div>
      </Field>
    </form>
  );
}
