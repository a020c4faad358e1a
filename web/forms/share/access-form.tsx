import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { call, type Reply } from '../../api/client.ts';
import { type Stored, useSaving } from '../../api/saving.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, Input, Select, Textarea } from '../../ui/field.tsx';
import { isEqual } from '../../ui/is-equal.ts';
import { OvertakenNotice } from '../../ui/overtaken-notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/forms/share.ts';
import { words as shared } from '../../words/shared.ts';
import { type AccessValues, changeOf, valuesOf, WATCHING } from './access-values.ts';

/** The fields at which a refusal is told. */
const SHOWN = new Set(['closes_at', 'most_submissions', 'password', 'frame_origins', 'sealed_to']);

/** The settings of a form's page, saved all at once. */
export function AccessForm({ formId, page }: { formId: string; page: Reply<'readFormPage'> }) {
  const mayEdit = useMay('editor');
  const maySeal = useMay('admin');
  const [begun] = useState(() => storedOf(page));
  const { register, handleSubmit, reset, watch, getValues } = useForm<AccessValues>({ defaultValues: begun.draft });
  const params = { id: formId };
  const { base, save, isSaving, problem, overtaken } = useSaving('updateFormPage', {
    begun,
    read: async () => storedOf(await call('readFormPage', { params })),
    input: (values, { updatedAt: if_updated_at }) => ({ params, body: { ...changeOf(values), if_updated_at } }),
    stored: storedOf,
    exchange(next) {
      const shown = { ...getValues() };
      reset(next);
      return shown;
    },
    stale: ['readFormPage'],
    onSaved(saved) {
      if (saved !== undefined) reset(valuesOf(saved));
      tell(words.saved);
    },
  });
  const isDirty = !isEqual(watch(), base.draft);
  const submit = () => void handleSubmit((values) => save(values))();
  const fields = problem?.fields ?? {};
  /** A list may name the line that is wrong. */
  const problemOf = (field: string) => Object.entries(fields).find(([name]) => topOf(name) === field)?.[1][0];
  const isTold = Object.keys(fields).length > 0 && Object.keys(fields).every((name) => SHOWN.has(topOf(name)));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <fieldset disabled={!mayEdit} className="flex flex-col gap-4">
        <Field label={words.closes} hint={words.closesHint} problem={problemOf('closes_at')}>
          <Input type="datetime-local" {...register('closes')} />
        </Field>
        <Field label={words.most} hint={words.mostHint} problem={problemOf('most_submissions')}>
          <Input type="number" min={1} {...register('most')} />
        </Field>
        <Field
          label={words.password}
          hint={page.has_password ? words.passwordSet : words.passwordNone}
          problem={problemOf('password')}
        >
          <Input
            type="password"
            autoComplete="new-password"
            disabled={watch('removePassword')}
            {...register('password')}
          />
        </Field>
        {page.has_password && <Checkbox label={words.removePassword} {...register('removePassword')} />}
        <Checkbox label={words.singleUse} hint={words.singleUseHint} {...register('singleUse')} />
        <Checkbox label={words.resumable} {...register('resumable')} />
        <Field label={words.frames} hint={words.framesHint} problem={problemOf('frame_origins')}>
          <Textarea rows={2} spellCheck={false} {...register('frames')} />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={words.traps} hint={words.trapsHint}>
            <Select {...register('traps')}>
              {WATCHING.map((each) => (
                <option key={each} value={each}>
                  {words.watching[each]}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={words.proof} hint={words.proofHint}>
            <Select {...register('proof')}>
              {WATCHING.map((each) => (
                <option key={each} value={each}>
                  {words.watching[each]}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <Field
          label={words.sealed}
          hint={maySeal ? words.sealedHint : words.sealedByAdmins}
          problem={problemOf('sealed_to')}
        >
          <Textarea
            rows={2}
            spellCheck={false}
            readOnly={!maySeal}
            className="font-mono text-sm"
            {...register('sealed')}
          />
        </Field>
        <OvertakenNotice overtaken={overtaken} onSave={submit} />
        {problem !== null && !isTold && <Problem error={problem} />}
        {mayEdit && (
          <div>
            <Button type="submit" look="primary" busy={isSaving} disabled={!isDirty}>
              {shared.save}
            </Button>
          </div>
        )}
      </fieldset>
    </form>
  );
}

function storedOf(page: Reply<'readFormPage'>): Stored<AccessValues> {
  return { draft: valuesOf(page), updatedAt: page.updated_at };
}

function topOf(name: string): string {
  return name.split('.')[0] ?? name;
}
