import { type ReactNode, useState } from 'react';
import { call } from '../../api/client.ts';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import type { ApiProblem } from '../../api/problem.ts';
import { useWrite } from '../../api/query.ts';
import { type Stored, useSaving } from '../../api/saving.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Checkbox, Field, Input, Textarea } from '../../ui/field.tsx';
import { OvertakenNotice } from '../../ui/overtaken-notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/lists.ts';
import { words as shared } from '../../words/shared.ts';
import type { SubscriptionList } from './page.tsx';

interface Wish {
  name: string;
  double_opt_in: boolean;
  consent_text: string;
}

const NEW: Wish = { name: '', double_opt_in: false, consent_text: '' };
const STALE = ['listSubscriptionLists', 'readSubscriptionList'] as const;

/** Makes a list. */
export function NewListDialog({ onClose }: { onClose(): void }) {
  const [wish, setWish] = useState(NEW);
  const create = useWrite('createSubscriptionList', {
    stale: [...STALE],
    onDone: () => {
      tell(words.made);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.newTitle}>
      <ListForm
        wish={wish}
        onChange={setWish}
        busy={create.isPending}
        problem={create.error}
        onSubmit={() => create.mutate({ body: wish })}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** Changes a list. */
export function EditListDialog({ list, onClose }: { list: SubscriptionList; onClose(): void }) {
  const [begun] = useState(() => storedOf(list));
  const [wish, setWish] = useState(begun.draft);
  const params = { id: list.id };
  const { save, isSaving, problem, overtaken } = useSaving('updateSubscriptionList', {
    begun,
    read: async () => storedOf((await call('readSubscriptionList', { params })).data),
    input: (wanted, { updatedAt: if_updated_at }) => ({ params, body: { ...wanted, if_updated_at } }),
    stored: ({ data }) => storedOf(data),
    exchange(next) {
      setWish(next);
      return wish;
    },
    stale: [...STALE],
    onSaved: () => {
      tell(words.saved);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.editTitle}>
      <ListForm
        wish={wish}
        onChange={setWish}
        overtaken={<OvertakenNotice overtaken={overtaken} onSave={() => save(wish)} />}
        busy={isSaving}
        problem={problem}
        onSubmit={() => save(wish)}
        onCancel={onClose}
      />
    </Dialog>
  );
}

function storedOf({ attributes: { name, double_opt_in, consent_text, updated_at } }: SubscriptionList): Stored<Wish> {
  return { draft: { name, double_opt_in, consent_text: consent_text ?? '' }, updatedAt: updated_at };
}

interface ListFormProps {
  wish: Wish;
  onChange(wish: Wish): void;
  overtaken?: ReactNode;
  busy: boolean;
  problem: ApiProblem | null;
  onSubmit(): void;
  onCancel(): void;
}

function ListForm({ wish, onChange, overtaken, busy, problem, onSubmit, onCancel }: ListFormProps) {
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Field label={words.name} hint={words.nameHint} problem={fieldProblem(problem, 'name')}>
        <Input required value={wish.name} onChange={(event) => onChange({ ...wish, name: event.target.value })} />
      </Field>
      <Checkbox
        label={words.doubleOptIn}
        hint={words.doubleOptInHint}
        checked={wish.double_opt_in}
        onChange={(event) => onChange({ ...wish, double_opt_in: event.target.checked })}
      />
      <Field
        label={words.consentText}
        hint={words.consentHint}
        optional
        problem={fieldProblem(problem, 'consent_text')}
      >
        <Textarea
          value={wish.consent_text}
          onChange={(event) => onChange({ ...wish, consent_text: event.target.value })}
        />
      </Field>
      {overtaken}
      {problem !== null && !isAbout(problem, 'name', 'consent_text') && <Problem error={problem} />}
      <Actions>
        <Button onClick={onCancel}>{shared.cancel}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {words.save}
        </Button>
      </Actions>
    </form>
  );
}
