import { Share2 } from 'lucide-react';
import { useRead } from '../../../api/query.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Checkbox, Field, Input, Select, Textarea } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { words } from '../../../words/builder/settings.ts';
import { useBuilder } from '../builder-context.ts';
import type { Draft } from '../draft/draft.ts';
import { SignersEditor } from './signers-editor.tsx';

/** What a form is called, what happens when it was filled in, and who signs it. */
export function SettingsView({ fields }: { fields: Record<string, string[]> }) {
  const { draft, edit, mayEdit, form } = useBuilder();
  const set = (change: Partial<Draft>) => edit((now) => ({ ...now, ...change }), `form:${Object.keys(change).join()}`);
  const titleProblem = draft.title.trim() === '' ? words.titleEmpty : fields['title']?.join(' ');
  return (
    <fieldset disabled={!mayEdit} className="flex max-w-3xl min-w-0 flex-col gap-4">
      <legend className="sr-only">{words.about}</legend>
      <Card title={words.about}>
        <div className="flex flex-col gap-4">
          <Field label={words.title} problem={titleProblem}>
            <Input maxLength={500} value={draft.title} onChange={(event) => set({ title: event.target.value })} />
          </Field>
          <Field label={words.description} hint={words.descriptionHint} problem={fields['description']?.join(' ')}>
            <Textarea value={draft.description} onChange={(event) => set({ description: event.target.value })} />
          </Field>
        </div>
      </Card>
      <Card title={words.after}>
        <div className="flex flex-col gap-4">
          <Field label={words.recipient} hint={words.recipientHint} problem={fields['recipient']?.join(' ')}>
            <Input value={draft.recipient} onChange={(event) => set({ recipient: event.target.value })} />
          </Field>
          <ListSetting value={draft.listId} onChange={(listId) => set({ listId })} />
          <Checkbox
            label={words.files}
            checked={draft.json['attachments'] !== false}
            onChange={(event) => set({ json: withFiles(draft.json, event.target.checked) })}
          />
        </div>
      </Card>
      <Card title={words.signing}>
        <div className="flex flex-col gap-4">
          <Checkbox
            label={words.signable}
            hint={words.signableHint}
            checked={draft.signable}
            onChange={(event) => set({ signable: event.target.checked })}
          />
          {draft.signable && (
            <Field label={words.signatureLabel}>
              <Textarea
                value={draft.signatureLabel}
                onChange={(event) => set({ signatureLabel: event.target.value })}
              />
            </Field>
          )}
          <SignersEditor />
        </div>
      </Card>
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg border bg-surface p-4 text-sm">
        <p className="text-soft">{words.elsewhere}</p>
        <ButtonLink icon={Share2} to="/forms/$id/share" params={{ id: form.id }}>
          {words.toShare}
        </ButtonLink>
      </div>
    </fieldset>
  );
}

function withFiles({ attachments: _before, ...json }: Draft['json'], mayBeSent: boolean): Draft['json'] {
  return mayBeSent ? json : { ...json, attachments: false };
}

function ListSetting({ value, onChange }: { value: string; onChange(value: string): void }) {
  const lists = useRead('listSubscriptionLists', { query: { use_pagination: 'false' } });
  const known = lists.data?.data ?? [];
  return (
    <Field label={words.list} hint={words.listHint}>
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{words.noList}</option>
        {value !== '' && !known.some(({ id }) => id === value) && <option value={value}>{value}</option>}
        {known.map(({ id, attributes }) => (
          <option key={id} value={id}>
            {attributes.name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
