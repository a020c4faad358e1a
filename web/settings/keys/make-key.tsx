import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Checkbox, Choice, Field, Input } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { words } from '../../words/settings/keys.ts';
import { words as shared } from '../../words/shared.ts';
import { NewKey } from './new-key.tsx';

const SCOPES = ['forms', 'email', 'marketing'] as const;
type Scope = (typeof SCOPES)[number];

/** Makes a key and shows it once. */
export function MakeKey({ onClose }: { onClose(): void }) {
  const [mode, setMode] = useState<'live' | 'test'>('live');
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set());
  const make = useWrite('createApiKey', { stale: ['listApiKeys', 'readHome'], lasting: true });
  const { register, handleSubmit, formState } = useForm({ defaultValues: { name: '', domains: '', expires: '' } });
  if (make.data !== undefined) return <NewKey value={make.data.key} onClose={onClose} />;
  const submit = handleSubmit(({ name, domains, expires }) => {
    if (scopes.size === 0) return;
    const expiresAt = expires === '' ? null : new Date(`${expires}T23:59:59`).toISOString();
    const sendingDomains = domains.split(/[\s,]+/).filter((domain) => domain !== '');
    make.mutate({
      body: { name, mode, scopes: [...scopes], sending_domains: sendingDomains, expires_at: expiresAt },
    });
  });
  const scopeMissing = formState.isSubmitted && scopes.size === 0;
  return (
    <Dialog open onClose={onClose} title={words.make} lead={words.makeLead}>
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <Field label={words.name} hint={words.nameHint} problem={fieldProblem(make.error, 'name')}>
          <Input autoComplete="off" required maxLength={100} {...register('name')} />
        </Field>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 text-sm font-medium">{words.scopes}</legend>
          {SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              label={words.scope[scope]}
              hint={words.scopeHints[scope]}
              checked={scopes.has(scope)}
              onChange={() => setScopes(new Set([scope]).symmetricDifference(scopes))}
            />
          ))}
          {scopeMissing && (
            <p role="alert" className="text-sm text-bad">
              {words.chooseScope}
            </p>
          )}
        </fieldset>
        <Choice
          legend={words.mode}
          value={mode}
          onChange={setMode}
          options={(['live', 'test'] as const).map((each) => ({
            value: each,
            label: words.modes[each],
            hint: words.modeHints[each],
          }))}
        />
        <Field
          label={words.domains}
          hint={words.domainsHint}
          optional
          problem={fieldProblem(make.error, 'sending_domains')}
        >
          <Input autoComplete="off" {...register('domains')} />
        </Field>
        <Field label={words.expires} hint={words.expiresHint} optional problem={fieldProblem(make.error, 'expires_at')}>
          <Input type="date" {...register('expires')} />
        </Field>
        {make.error !== null && !isAbout(make.error, 'name', 'sending_domains', 'expires_at') && (
          <Problem error={make.error} />
        )}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={make.isPending}>
            {words.make}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
