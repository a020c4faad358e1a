import { useState } from 'react';
import { fieldProblem, isAbout } from '../api/field-problem.ts';
import { useWrite } from '../api/query.ts';
import { Button } from '../ui/button.tsx';
import { Actions, Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Facts } from '../ui/page.tsx';
import { Problem } from '../ui/problem.tsx';
import { words as all } from '../words/oversight.ts';
import { words as shared } from '../words/shared.ts';
import type { Grant } from './grant-table.tsx';

const words = all.emergency;

/** Opens emergency access: one's own by a code, another's as the second person. */
export function OpenAccess({ grant, own, onClose }: { grant: Grant; own: boolean; onClose(): void }) {
  const [code, setCode] = useState('');
  const open = useWrite('openBreakGlass', { stale: ['listBreakGlass'], onDone: onClose });
  return (
    <Dialog open onClose={onClose} title={words.openTitle} lead={own ? words.openLead : words.openOtherLead}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          open.mutate({ params: { id: grant.id }, body: { code: own ? code : null } });
        }}
      >
        <Facts
          facts={[
            [words.columns.who, grant.operator.email],
            [words.customer, grant.customer.name],
            [words.reason, grant.reason],
            [words.length, grant.minutes],
          ]}
        />
        {own && (
          <Field label={words.code} problem={fieldProblem(open.error, 'code')}>
            <Input
              required
              autoComplete="off"
              spellCheck={false}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          </Field>
        )}
        {open.error !== null && !isAbout(open.error, 'code') && <Problem error={open.error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={open.isPending}>
            {words.open}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
