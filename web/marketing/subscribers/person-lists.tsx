import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Operation, Reply } from '../../api/client.ts';
import { useRead, useWrite } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { tell, tellProblem } from '../../ui/toast.tsx';
import { undoBy } from '../../ui/undo.ts';
import { words } from '../../words/person.ts';

const STALE: Operation[] = ['readSubscriber', 'readSubscriberStory', 'searchSubscribers', 'listSubscriptionLists'];

type Person = Reply<'readSubscriber'>['data'];
type Membership = NonNullable<Person['attributes']['subscription_lists']>[number];

/** The lists that somebody is on or was on, and the ways on and off; each of them can be taken back. */
export function PersonLists({ person: { id, attributes } }: { person: Person }) {
  const mayChange = useMay('editor');
  const join = useWrite('subscribePeople', { stale: STALE });
  const leave = useWrite('unsubscribePeople', { stale: STALE });
  const memberships = attributes.subscription_lists ?? [];
  const bodyFor = (list: { id: string }) => ({ body: { subscriber_ids: [id], subscription_list_ids: [list.id] } });
  const put = (list: { id: string; name: string }) => {
    // That somebody was on a list is remembered, also where it was for a moment only.
    const said = memberships.some((known) => known.id === list.id) ? words.put : words.putFirst;
    join.mutate(bodyFor(list), {
      onSuccess: () => tell(said(list.name), undoBy('unsubscribePeople', bodyFor(list), STALE)),
      onError: tellProblem,
    });
  };
  const take = (list: { id: string; name: string }) =>
    leave.mutate(bodyFor(list), {
      onSuccess: () => tell(words.taken(list.name), undoBy('subscribePeople', bodyFor(list), STALE)),
      onError: tellProblem,
    });
  return (
    <Card title={words.listsTitle} actions={mayChange && <OptOut id={id} isOut={attributes.unsubscribed} />}>
      {memberships.length === 0 && <p className="text-sm text-soft">{words.noLists}</p>}
      <ul className="flex flex-col divide-y">
        {memberships.map((list) => (
          <li key={list.id} className="flex flex-wrap items-center justify-between gap-2 py-2">
            <span className="flex min-w-0 flex-wrap items-center gap-2 wrap-anywhere">
              {list.name}
              <Standing membership={list} isOut={attributes.unsubscribed} />
            </span>
            {mayChange &&
              (list.unsubscribed ? (
                <Button look="quiet" aria-label={words.putBackOn(list.name)} onClick={() => put(list)}>
                  {words.putBack}
                </Button>
              ) : (
                <Button look="quiet" aria-label={words.takeFrom(list.name)} onClick={() => take(list)}>
                  {words.take}
                </Button>
              ))}
          </li>
        ))}
      </ul>
      {mayChange && <Join known={memberships} onJoin={put} />}
    </Card>
  );
}

function Standing({ membership: { unsubscribed, pending }, isOut }: { membership: Membership; isOut: boolean }) {
  if (unsubscribed) return <Badge tone="warn">{words.leftList}</Badge>;
  if (isOut) return <Badge tone="warn">{words.onListInVain}</Badge>;
  return <Badge tone={pending ? 'info' : 'good'}>{pending ? words.pending : words.onList}</Badge>;
}

function OptOut({ id, isOut }: { id: string; isOut: boolean }) {
  const optOut = useWrite('optOutPeople', { stale: STALE });
  const optIn = useWrite('optInPeople', { stale: STALE });
  const act = isOut ? optIn : optOut;
  const body = { body: { subscriber_ids: [id] } };
  const carryOut = () =>
    act.mutate(body, {
      onSuccess: () =>
        tell(isOut ? words.optedInNow : words.optedOutNow, undoBy(isOut ? 'optOutPeople' : 'optInPeople', body, STALE)),
      onError: tellProblem,
    });
  return (
    <Button busy={act.isPending} onClick={carryOut}>
      {isOut ? words.optIn : words.optOut}
    </Button>
  );
}

function Join({ known, onJoin }: { known: readonly Membership[]; onJoin(list: { id: string; name: string }): void }) {
  const [chosen, setChosen] = useState('');
  const lists = useRead('listSubscriptionLists', { query: { order_by: 'name', order: 'asc' } });
  const others = (lists.data?.data ?? []).filter(({ id }) => known.every((list) => list.id !== id));
  if (others.length === 0) return null;
  const join = () => {
    const list = others.find(({ id }) => id === chosen);
    if (list === undefined) return;
    setChosen('');
    onJoin({ id: list.id, name: list.attributes.name });
  };
  return (
    <div className="mt-3 flex items-end gap-2">
      <Field label={words.join} className="grow">
        <Select value={chosen} onChange={(event) => setChosen(event.target.value)}>
          <option value="">{words.choose}</option>
          {others.map(({ id, attributes: { name } }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Button icon={Plus} disabled={chosen === ''} onClick={join}>
        {words.joinConfirm}
      </Button>
    </div>
  );
}
