import { type UseFormRegister, useForm } from 'react-hook-form';
import type { Body } from '../api/client.ts';
import { useWrite } from '../api/query.ts';
import { Button } from '../ui/button.tsx';
import { Actions, Dialog } from '../ui/dialog.tsx';
import { Field, Input, Select, Textarea } from '../ui/field.tsx';
import { fromLocalInput, toLocalInput } from '../ui/local-time.ts';
import { Problem } from '../ui/problem.tsx';
import { tell } from '../ui/toast.tsx';
import { words as all } from '../words/oversight.ts';
import { words as shared } from '../words/shared.ts';
import { usePlace } from './place.ts';

const words = all.incidents;
const TEXTS = ['what', 'information', 'steps', 'doing', 'contact'] as const;
type Incident = Body<'createIncident'>;

const BLANK = {
  discovered: '',
  breachFrom: '',
  breachTo: '',
  severity: 'high' as Incident['severity'],
  what: '',
  information: '',
  steps: '',
  doing: '',
  contact: '',
  scopeKind: 'none' as keyof typeof words.scopeKinds,
  scopeId: '',
  scopeFrom: '',
  scopeTo: '',
};
type Filled = typeof BLANK;

/** Opens an incident with what is known now. */
export function AddIncident({ onClose }: { onClose(): void }) {
  const { incidents } = usePlace();
  const create = useWrite(incidents.create, {
    stale: [incidents.list],
    lasting: true,
    onDone: () => {
      tell(words.opened);
      onClose();
    },
  });
  const { register, handleSubmit, watch } = useForm<Filled>({
    defaultValues: { ...BLANK, discovered: toLocalInput(new Date()) },
  });
  const submit = handleSubmit((filled) => create.mutate({ body: bodyOf(filled) }));
  return (
    <Dialog open onClose={onClose} title={words.add} lead={words.addLead} wide>
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={words.discovered}>
            <Input type="datetime-local" required {...register('discovered')} />
          </Field>
          <Field label={words.severity}>
            <Select {...register('severity')}>
              {Object.entries(words.severities).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={words.breachFrom} optional>
            <Input type="datetime-local" {...register('breachFrom')} />
          </Field>
          <Field label={words.breachTo} optional>
            <Input type="datetime-local" {...register('breachTo')} />
          </Field>
        </div>
        {TEXTS.map((name) => (
          <Field key={name} label={words[name]} optional={name !== 'what'}>
            <Textarea rows={2} required={name === 'what'} maxLength={10_000} {...register(name)} />
          </Field>
        ))}
        <ScopeFields register={register} kind={watch('scopeKind')} />
        {create.error !== null && <Problem error={create.error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            {words.save}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

function ScopeFields({ register, kind }: { register: UseFormRegister<Filled>; kind: Filled['scopeKind'] }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={words.scope}>
        <Select {...register('scopeKind')}>
          {Object.entries(words.scopeKinds).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      {kind !== 'none' && (
        <>
          <Field label={words.scopeId} hint={words.scopeIdHint}>
            <Input required maxLength={36} spellCheck={false} {...register('scopeId')} />
          </Field>
          <Field label={words.scopeFrom}>
            <Input type="datetime-local" required {...register('scopeFrom')} />
          </Field>
          <Field label={words.scopeTo}>
            <Input type="datetime-local" required {...register('scopeTo')} />
          </Field>
        </>
      )}
    </div>
  );
}

const moment = (text: string) => fromLocalInput(text) ?? '';

function bodyOf(filled: Filled): Incident {
  const { scopeKind, scopeId, scopeFrom, scopeTo } = filled;
  return {
    discovered_at: moment(filled.discovered),
    breach_from: fromLocalInput(filled.breachFrom) ?? null,
    breach_to: fromLocalInput(filled.breachTo) ?? null,
    severity: filled.severity,
    what_happened: filled.what,
    information: filled.information,
    steps: filled.steps,
    doing: filled.doing,
    contact: filled.contact,
    scope:
      scopeKind === 'none'
        ? null
        : { actor_kind: scopeKind, actor_id: scopeId.trim(), from: moment(scopeFrom), to: moment(scopeTo) },
  };
}
