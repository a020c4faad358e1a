import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/subscribers.ts';
import type { FieldType } from './fields-page.tsx';

/** Asks before a custom field goes, with everything that was written into it. */
export function RemoveFieldDialog({ field, onClose }: { field: FieldType; onClose(): void }) {
  const remove = useWrite('deleteCustomFieldType', {
    stale: ['listCustomFieldTypes', 'readSubscriber'],
    onDone: () => {
      tell(words.fieldRemoved);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.fieldRemoveTitle(field.attributes.name)} lead={words.fieldRemoveLead}>
      {remove.error !== null && <Problem error={remove.error} />}
      <Actions>
        <Button onClick={onClose}>{words.keep}</Button>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate({ params: { id: field.id } })}>
          {words.fieldRemove}
        </Button>
      </Actions>
    </Dialog>
  );
}
