import { ExternalLink, Redo2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Button, ButtonAnchor } from '../../ui/button.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/builder.ts';
import { useBuilder } from './builder-context.ts';
import { PublishDialog } from './publish-dialog.tsx';
import type { FormSaving } from './save.ts';

/** Undo, save, publish. */
export function FormActions({ saving, isDirty }: { saving: FormSaving; isDirty: boolean }) {
  const { draft, form, mayEdit, undo, redo, canUndo, canRedo } = useBuilder();
  const [isPublishing, setPublishing] = useState(false);
  const address = `/f/${form.vanity_url ?? form.id}`;
  if (!mayEdit) return null;
  const save = async () => {
    if ((await saving.save(draft)) !== null) tell(words.saved);
  };
  const check = async () => {
    if (!isDirty || (await saving.save(draft)) !== null) setPublishing(true);
  };
  const publish = async () => {
    if (await saving.setActive(true)) tell(words.nowPublished);
    setPublishing(false);
  };
  const unpublish = async () => {
    if (await saving.setActive(false)) tell(words.nowUnpublished, () => void saving.setActive(true));
  };
  return (
    <>
      <Button look="quiet" icon={Undo2} aria-label={words.undo} disabled={!canUndo} onClick={undo} />
      <Button look="quiet" icon={Redo2} aria-label={words.redo} disabled={!canRedo} onClick={redo} />
      {form.active && !form.archived && (
        <ButtonAnchor icon={ExternalLink} href={address} target="_blank" rel="noreferrer">
          {words.openPage}
        </ButtonAnchor>
      )}
      {form.active && <Button onClick={() => void unpublish()}>{words.unpublish}</Button>}
      <Button
        look={form.active ? 'primary' : 'secondary'}
        disabled={!isDirty}
        busy={saving.isSaving && !isPublishing}
        onClick={() => void save()}
      >
        {words.save}
      </Button>
      {!form.active && (
        <Button look="primary" onClick={() => void check()}>
          {words.publish}
        </Button>
      )}
      {isPublishing && (
        <PublishDialog isBusy={saving.isSaving} onPublish={() => void publish()} onClose={() => setPublishing(false)} />
      )}
    </>
  );
}
