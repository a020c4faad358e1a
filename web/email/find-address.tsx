import { Search } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { words } from '../words/shared.ts';

interface FindAddressProps {
  label: string;
  hint: string;
  first?: string;
  onFind(address: string): void;
}

/** Asks for a whole address, which stands in no page's own address, where a history would keep it. */
export function FindAddress({ label, hint, first = '', onFind }: FindAddressProps) {
  const [typed, setTyped] = useState(first);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onFind(typed.trim());
      }}
    >
      <Field label={label} hint={hint}>
        <div className="flex gap-2">
          <Input type="email" autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
          <Button type="submit" icon={Search} aria-label={`${words.search}: ${label}`} />
        </div>
      </Field>
    </form>
  );
}
