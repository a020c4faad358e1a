import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { call, saveFile } from '../../api/client.ts';
import { useRead, useWrite } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Choice, Field, Input } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded, Problem } from '../../ui/problem.tsx';
import { tell, tellProblem } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/forms/form.ts';
import { words as shared } from '../../words/shared.ts';
import { FormFrame } from './frame.tsx';

type Destruction = Reply<'listDestructions'>['data'][number];

/** How long submissions of a form are kept, and what was destroyed of them. */
export function RetentionPage() {
  const maySee = useMay('admin');
  return (
    <FormFrame>
      {({ id }) => (
        <div className="grid gap-5">
          <Keeping formId={id} />
          {maySee && <Destructions formId={id} />}
        </div>
      )}
    </FormFrame>
  );
}

function Keeping({ formId }: { formId: string }) {
  const read = useRead('readFormRetention', { params: { id: formId } });
  return (
    <Card title={words.keepTitle} lead={words.keepLead}>
      <Loaded read={read}>
        {({ retention_days: days }) => <KeepingForm key={days} formId={formId} days={days} />}
      </Loaded>
    </Card>
  );
}

function KeepingForm({ formId, days }: { formId: string; days: number | null }) {
  const mayChange = useMay('admin');
  const [kind, setKind] = useState<'forever' | 'days'>(days === null ? 'forever' : 'days');
  const [text, setText] = useState(String(days ?? 2_190));
  const [isAsking, setIsAsking] = useState(false);
  const save = useWrite('updateFormRetention', {
    stale: ['readFormRetention'],
    onDone: () => {
      setIsAsking(false);
      tell(words.keepSaved);
    },
  });
  const wanted = kind === 'forever' ? null : Number(text);
  const isShorter = wanted !== null && (days === null || wanted < days);
  const problem = save.error?.fields['retention_days']?.[0];
  const send = () => save.mutate({ params: { id: formId }, body: { retention_days: wanted } });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isShorter) setIsAsking(true);
        else send();
      }}
    >
      <fieldset disabled={!mayChange} className="flex flex-col gap-4">
        <Choice
          legend={words.keepFor}
          value={kind}
          options={[
            { value: 'forever', label: words.forever },
            { value: 'days', label: words.forDays },
          ]}
          onChange={setKind}
        />
        {kind === 'days' && (
          <Field label={words.days} hint={words.daysHint} problem={problem} className="max-w-60">
            <Input
              type="number"
              min={1}
              max={36_500}
              required
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          </Field>
        )}
      </fieldset>
      {save.error !== null && problem === undefined && <Problem error={save.error} />}
      {mayChange && (
        <div>
          <Button type="submit" look="primary" busy={save.isPending} disabled={wanted === days}>
            {shared.save}
          </Button>
        </div>
      )}
      <Dialog open={isAsking} onClose={() => setIsAsking(false)} title={words.shorterTitle}>
        <p>{words.shorterText(wanted ?? 0)}</p>
        <Actions>
          <Button onClick={() => setIsAsking(false)}>{shared.cancel}</Button>
          <Button look="danger" busy={save.isPending} onClick={send}>
            {words.shorten}
          </Button>
        </Actions>
      </Dialog>
    </form>
  );
}

function Destructions({ formId }: { formId: string }) {
  const read = useRead('listDestructions', { query: { form_id: formId, items: '100' } });
  return (
    <Card title={words.destroyed} lead={words.destroyedLead}>
      <Loaded read={read}>
        {({ data }) => {
          if (data.length === 0) return <p className="text-sm text-soft">{words.destroyedNone}</p>;
          return (
            <ul className="flex flex-col divide-y">
              {data.map((each) => (
                <Destroyed key={each.id} destruction={each} />
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}

function Destroyed({ destruction: { id, at, count, reason } }: { destruction: Destruction }) {
  const save = async () => {
    const { data } = await call('readDestruction', { params: { id } });
    saveFile(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), `destruction-${id}.json`);
  };
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-2.5">
      <p>
        <When at={at} exact /> · {words.destroyedCount(count)} · {words.reasons[reason] ?? reason}
      </p>
      <Button onClick={() => void save().catch(tellProblem)}>{words.certificate}</Button>
    </li>
  );
}
