import { useState } from 'react';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Choice, Field, Input, Select } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words as shared } from '../../words/shared.ts';
import { words } from '../../words/subscribers.ts';
import type { FieldType } from './fields-page.tsx';

type Class = keyof typeof words.classHints;

const CLASSES = (Object.keys(words.classHints) as Class[]).map((value) => ({
  value,
  label: words.classes[value] ?? value,
  hint: words.classHints[value],
}));

/** What is said otherwise, so that the rest stays as others have saved it meanwhile. */
function changedIn<Said extends Record<string, string>>(said: Said, before: Record<string, string>): Partial<Said> {
  return Object.fromEntries(Object.entries(said).filter(([name, value]) => value !== before[name])) as Partial<Said>;
}

/** A custom field: its name, its kind, and what it says about people. */
export function FieldDialog({ field, onClose }: { field: FieldType | null; onClose(): void }) {
  const [name, setName] = useState(field?.attributes.name ?? '');
  const [kind, setKind] = useState(field?.attributes.kind ?? 'text');
  const [given, setGiven] = useState((field?.attributes.class ?? 'personal') as Class);
  const onDone = () => {
    tell(words.fieldSaved);
    onClose();
  };
  const create = useWrite('createCustomFieldType', { stale: ['listCustomFieldTypes'], onDone });
  const update = useWrite('updateCustomFieldType', { stale: ['listCustomFieldTypes', 'readSubscriber'], onDone });
  const { error, isPending } = field === null ? create : update;
  const save = () => {
    const body = { name, kind, class: given };
    if (field === null) create.mutate({ body });
    else update.mutate({ params: { id: field.id }, body: changedIn(body, field.attributes) });
  };
  const isHealth = field?.attributes.class === 'phi';
  return (
    <Dialog open onClose={onClose} title={field === null ? words.fieldNew : words.fieldEdit}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Field label={words.fieldName} problem={fieldProblem(error, 'name')}>
          <Input required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field label={words.fieldKind} problem={fieldProblem(error, 'kind')}>
          <Select value={kind} onChange={(event) => setKind(event.target.value)}>
            {Object.entries(words.kinds).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Choice
          legend={words.fieldClass}
          value={given}
          options={isHealth ? CLASSES.filter(({ value }) => value === 'phi') : CLASSES}
          onChange={setGiven}
        />
        {error !== null && !isAbout(error, 'name', 'kind') && <Problem error={error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={isPending}>
            {words.save}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
