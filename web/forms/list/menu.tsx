import { useNavigate } from '@tanstack/react-router';
import { Archive, ArchiveRestore, Copy, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useWrite } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell, tellProblem } from '../../ui/toast.tsx';
import { undoBy } from '../../ui/undo.ts';
import { words } from '../../words/forms/list.ts';
import { words as shared } from '../../words/shared.ts';
import { bringBack, STALE } from '../bring-back.ts';

type Form = Reply<'listForms'>['results'][number];

/** What can be done with a form in the list. */
export function FormMenu({ form }: { form: Form }) {
  const { id, title } = form;
  const navigate = useNavigate();
  const mayDelete = useMay('admin');
  const [isRemoving, setIsRemoving] = useState(false);
  const archive = useWrite('archiveForm', {
    stale: STALE,
    onDone: () => tell(words.archivedDone(title), () => void bringBack(form)),
    onFail: tellProblem,
  });
  const unarchive = useWrite('unarchiveForm', {
    stale: STALE,
    onDone: () => tell(words.unarchivedDone(title), undoBy('archiveForm', { params: { id } }, STALE)),
    onFail: tellProblem,
  });
  const copy = useWrite('copyForm', {
    stale: STALE,
    onDone: (made) => tell(words.copied(made.title)),
    onFail: tellProblem,
  });
  const remove = useWrite('deleteForm', {
    stale: STALE,
    onDone: () => {
      setIsRemoving(false);
      tell(words.removed(title));
    },
  });
  const items = [
    { label: words.edit, icon: Pencil, onSelect: () => void navigate({ to: '/forms/$id/edit', params: { id } }) },
    {
      label: words.copy,
      icon: Copy,
      onSelect: () => copy.mutate({ body: { form_id: id, title: words.copyOf(title) } }),
    },
    form.archived
      ? { label: words.unarchive, icon: ArchiveRestore, onSelect: () => unarchive.mutate({ params: { id } }) }
      : { label: words.archive, icon: Archive, onSelect: () => archive.mutate({ params: { id } }) },
    ...(mayDelete ? [{ label: words.remove, icon: Trash2, danger: true, onSelect: () => setIsRemoving(true) }] : []),
  ];
  return (
    <>
      <Menu label={words.actionsFor(title)} items={items} />
      <Dialog open={isRemoving} onClose={() => setIsRemoving(false)} title={words.removeTitle(title)}>
        <p className="whitespace-normal">{words.removeText(form.submission_count)}</p>
        {remove.error !== null && <Problem error={remove.error} />}
        <Actions>
          <Button onClick={() => setIsRemoving(false)}>{shared.cancel}</Button>
          <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate({ params: { id } })}>
            {words.remove}
          </Button>
        </Actions>
      </Dialog>
    </>
  );
}
