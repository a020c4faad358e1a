import { Plus, X } from 'lucide-react';
import { isPlain, type Plain } from '../../../../src/forms/model/compile/settings.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox, Field, Input, Select } from '../../../ui/field.tsx';
import { words } from '../../../words/builder/settings.ts';
import { useBuilder } from '../builder-context.ts';
import { questionsFor } from '../draft/questions.ts';

const MOST_SIGNERS = 10;

/** Who signs beside whoever sends the form, as `signers` of the form says. */
export function SignersEditor() {
  const { draft, edit } = useBuilder();
  const listed = draft.json['signers'];
  const signers = Array.isArray(listed) ? (listed as unknown[]) : [];
  const write = (next: unknown[], merge: string) =>
    edit((now) => {
      const { signers: _before, ...json } = now.json;
      return { ...now, json: next.length === 0 ? json : { ...now.json, signers: next } };
    }, `signers:${merge}`);
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="text-sm font-medium">{words.signers}</legend>
      <p className="text-sm text-soft">{words.signersLead}</p>
      {signers.map((signer, at) => (
        <Signer
          key={at}
          signer={isPlain(signer) ? signer : {}}
          onChange={(next) => write(signers.with(at, next), `change ${at}`)}
          onRemove={() => write(signers.toSpliced(at, 1), `remove ${signers.length}`)}
        />
      ))}
      {signers.length < MOST_SIGNERS && (
        <div>
          <Button
            icon={Plus}
            onClick={() => write([...signers, { role: words.newRole, label: '' }], `add ${signers.length}`)}
          >
            {words.addSigner}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function Signer({ signer, onChange, onRemove }: { signer: Plain; onChange(signer: Plain): void; onRemove(): void }) {
  const { draft } = useBuilder();
  const emails = questionsFor(draft, null).filter(({ kind }) => kind === 'email');
  const text = (name: string) => (typeof signer[name] === 'string' ? signer[name] : '');
  return (
    <div className="flex items-start gap-2 rounded-md border bg-canvas p-3">
      <div className="grid min-w-0 grow gap-3 sm:grid-cols-2">
        <Field label={words.role} hint={words.roleHint}>
          <Input
            maxLength={60}
            value={text('role')}
            onChange={(event) => onChange({ ...signer, role: event.target.value })}
          />
        </Field>
        <Field label={words.signerLabel}>
          <Input value={text('label')} onChange={(event) => onChange({ ...signer, label: event.target.value })} />
        </Field>
        <Field label={words.emailQuestion}>
          <Select
            value={text('email_question')}
            onChange={(event) => {
              const { email_question: _before, ...rest } = signer;
              onChange(event.target.value === '' ? rest : { ...rest, email_question: event.target.value });
            }}
          >
            <option value="">{words.noQuestion}</option>
            {emails.map(({ key, name, label }) => (
              <option key={key} value={name}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Checkbox
          className="self-end pb-2"
          label={words.signerRequired}
          checked={signer['required'] !== false}
          onChange={(event) => {
            const { required: _before, ...rest } = signer;
            onChange(event.target.checked ? rest : { ...rest, required: false });
          }}
        />
      </div>
      <button
        type="button"
        aria-label={words.removeSigner(text('role'))}
        className="rounded p-1.5 text-soft hover:bg-sunken"
        onClick={onRemove}
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}
