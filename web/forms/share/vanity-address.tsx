import { useState } from 'react';
import { useWrite } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/forms/share.ts';
import { words as shared } from '../../words/shared.ts';
import type { Form } from '../form/frame.tsx';

/** The address that a form has beside its id. */
export function VanityAddress({ form, origin }: { form: Form; origin: string }) {
  const mayEdit = useMay('editor');
  const [text, setText] = useState(form.vanity_url ?? '');
  const save = useWrite('updateForm', {
    stale: ['readForm', 'listForms'],
    onDone: () => tell(text.trim() === '' ? words.vanityGone : words.vanitySaved),
  });
  const problem = save.error === null ? undefined : (save.error.fields['vanity_url']?.[0] ?? save.error.message);
  if (!mayEdit) return null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ params: { id: form.id }, body: { vanity_url: text.trim() } });
      }}
    >
      <Field label={words.vanity} hint={words.vanityHint} problem={problem}>
        <span className="flex items-center gap-2">
          <span className="hidden text-sm whitespace-nowrap text-soft sm:inline">
            {origin.replace(/^https?:\/\//, '')}/f/
          </span>
          <Input value={text} maxLength={63} autoCapitalize="off" onChange={({ target }) => setText(target.value)} />
          <Button type="submit" busy={save.isPending} disabled={text.trim() === (form.vanity_url ?? '')}>
            {shared.save}
          </Button>
        </span>
      </Field>
    </form>
  );
}
