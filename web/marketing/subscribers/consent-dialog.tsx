import { useState } from 'react';
import type { Operation } from '../../api/client.ts';
import { useRead, useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words as shared } from '../../words/shared.ts';
import { words } from '../../words/subscribers.ts';
import { bulkWireOf, type PeopleChoice } from './choice.ts';

export type ConsentAct = 'putOn' | 'takeOff' | 'optOut' | 'optIn';

interface ConsentDialogProps {
  act: ConsentAct;
  count: number;
  people: { ids: string[] } | { choice: PeopleChoice };
  onClose(): void;
  onDone(): void;
}

const TEXTS = {
  putOn: { title: words.putOnTitle, lead: words.putOnLead, confirm: words.confirmPutOn, op: 'subscribePeople' },
  takeOff: {
    title: words.takeOffTitle,
    lead: words.takeOffLead,
    confirm: words.confirmTakeOff,
    op: 'unsubscribePeople',
  },
  optOut: { title: words.optOutTitle, lead: words.optOutLead, confirm: words.confirmOptOut, op: 'optOutPeople' },
  optIn: { title: words.optInTitle, lead: words.optInLead, confirm: words.confirmOptIn, op: 'optInPeople' },
} as const;

const STALE: Operation[] = [
  'searchSubscribers',
  'listSubscriptionLists',
  'readSubscriber',
  'readSubscriberStory',
  'listBulkJobs',
];

/** Puts many people on a list, takes them off, opts them out or takes that back. */
export function ConsentDialog({ act, count, people, onClose, onDone }: ConsentDialogProps) {
  const { title, lead, confirm, op } = TEXTS[act];
  const staysOut = act === 'putOn' && 'choice' in people;
  const needsList = act === 'putOn' || act === 'takeOff';
  const [list, setList] = useState('');
  const lists = useRead('listSubscriptionLists', { query: { order_by: 'name', order: 'asc' } }, { enabled: needsList });
  const change = useWrite(op, {
    stale: STALE,
    onDone: ({ data }) => {
      tell('jid' in data ? words.doneAsJob : words.doneAtOnce);
      onDone();
    },
  });
  const carryOut = () =>
    change.mutate({
      body: {
        ...('ids' in people ? { subscriber_ids: people.ids } : bulkWireOf(people.choice)),
        ...(needsList ? { subscription_list_ids: [list] } : {}),
      },
    });
  return (
    <Dialog open onClose={onClose} title={title(count)} lead={staysOut ? words.putAllOnLead : lead}>
      {needsList && (
        <Field label={words.chooseList}>
          <Select value={list} onChange={(event) => setList(event.target.value)}>
            <option value="">{words.choose}</option>
            {lists.data?.data.map(({ id, attributes: { name } }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {change.error !== null && <Problem error={change.error} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button
          look={act === 'optOut' ? 'danger' : 'primary'}
          disabled={needsList && list === ''}
          busy={change.isPending}
          onClick={carryOut}
        >
          {confirm}
        </Button>
      </Actions>
    </Dialog>
  );
}
