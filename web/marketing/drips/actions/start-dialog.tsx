import { useState } from 'react';
import { useWrite } from '../../../api/query.ts';
import { Notice } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Checkbox } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { tell } from '../../../ui/toast.tsx';
import { words } from '../../../words/drips.ts';
import { words as shared } from '../../../words/shared.ts';
import { useEditing } from '../editing.ts';
import { entryInWords } from '../model/in-words.ts';
import { useSave } from '../use-save.ts';
import { STALE } from './stale.ts';

/** Lets people enter: says who, and asks about those who are on the list already. */
export function StartDialog({ onClose }: { onClose(): void }) {
  const { drip, draft, names, nameable, isDirty, showRefusal, forgetRefusal } = useEditing();
  const [withExisting, setWithExisting] = useState(false);
  const { save, showUnfinished, isSaving, error } = useSave(() => undefined);
  const list = nameable.lists.find(({ id }) => id === draft.subscription_list_id);
  const start = useWrite('startDripCampaign', {
    stale: STALE,
    onDone: () => {
      forgetRefusal();
      tell(words.started);
      onClose();
    },
  });
  const go = async () => {
    if (showUnfinished('start')) {
      onClose();
      return;
    }
    if (isDirty && !(await save())) return;
    start.mutate(
      { params: { id: drip.id }, body: { enroll_existing: withExisting } },
      { onError: (refused) => void showRefusal(refused) },
    );
  };
  const wrong = error ?? start.error;
  return (
    <Dialog open onClose={onClose} title={words.startTitle} lead={words.startLead(entryInWords(draft, names))}>
      {isDirty && <Notice tone="info">{words.startUnsaved}</Notice>}
      {list !== undefined && list.count > 0 && (
        <Checkbox
          label={words.startExisting(list.count, list.name)}
          hint={words.startExistingHint}
          checked={withExisting}
          onChange={(event) => setWithExisting(event.target.checked)}
        />
      )}
      {wrong !== null && <Problem error={wrong} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button look="primary" busy={isSaving || start.isPending} onClick={() => void go()}>
          {words.start}
        </Button>
      </Actions>
    </Dialog>
  );
}
