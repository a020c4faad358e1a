import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Reply } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { words } from '../../../words/drips/machine.ts';
import { words as shared } from '../../../words/shared.ts';
import { PeopleOfList } from '../people/people-of-list.tsx';
import type { Chosen } from './wish.ts';

interface ChooseDialogProps {
  chosen: readonly Chosen[];
  onClose(): void;
  onTake(chosen: Chosen[]): void;
}

/** Chooses people of the list to be led through. */
export function ChooseDialog({ chosen, onClose, onTake }: ChooseDialogProps) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set(chosen.map(({ id }) => id)));
  const client = useQueryClient();
  const take = () => {
    const read = client.getQueriesData<Reply<'searchSubscribers'>>({ queryKey: ['searchSubscribers'] });
    const known = new Map(
      read.flatMap(([, reply]) => (reply?.data ?? []).map(({ id, attributes }) => [id, attributes] as const)),
    );
    onTake(
      [...ids].map((id) => ({
        id,
        name: known.get(id)?.first_name ?? known.get(id)?.email ?? chosen.find((each) => each.id === id)?.name ?? '',
      })),
    );
  };
  return (
    <Dialog open wide onClose={onClose} title={words.choosePeopleTitle} lead={words.choosePeopleLead}>
      <PeopleOfList chosen={ids} onChange={setIds} />
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button look="primary" onClick={take}>
          {words.take}
        </Button>
      </Actions>
    </Dialog>
  );
}
