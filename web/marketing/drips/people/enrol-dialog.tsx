import { useState } from 'react';
import type { Body, Reply } from '../../../api/client.ts';
import { useWrite } from '../../../api/query.ts';
import { Notice } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Choice, Field, Select, Textarea } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { tell } from '../../../ui/toast.tsx';
import { words } from '../../../words/drips/people.ts';
import { words as shared } from '../../../words/shared.ts';
import { useEditing } from '../editing.ts';

type Whom = keyof typeof words.whom;
type Entered = Extract<Reply<'createDripEnrollments'>['data'], { enrolled: unknown }>;

/** Lets people in by address, by segment or by list, and says of those who did not enter why. */
export function EnrolDialog({ onClose }: { onClose(): void }) {
  const { drip, nameable } = useEditing();
  const [whom, setWhom] = useState<Whom>('named');
  const [addresses, setAddresses] = useState('');
  const [segment, setSegment] = useState('');
  const [result, setResult] = useState<Entered | null>(null);
  const enrol = useWrite('createDripEnrollments', {
    stale: ['listDripEnrollments', 'readDripStatistics', 'listBulkJobs'],
    onDone: ({ data }) => {
      if ('enrolled' in data) setResult(data);
      else {
        tell(words.entering);
        onClose();
      }
    },
  });
  const emails = addresses.split(/[\s,;]+/).filter((text) => text !== '');
  const bodies: Record<Whom, Body<'createDripEnrollments'>> = {
    named: { emails },
    segment: { dynamic_list_id: segment },
    list: { subscription_list_id: drip.attributes.subscription_list_id },
  };
  const isReady = whom === 'named' ? emails.length > 0 : whom === 'segment' ? segment !== '' : true;
  if (result !== null) return <Outcome result={result} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={words.enrolTitle} lead={words.enrolLead}>
      <Choice
        legend={words.who}
        value={whom}
        onChange={setWhom}
        options={(['named', 'segment', 'list'] as const).map((each) => ({ value: each, label: words.whom[each] }))}
      />
      {whom === 'named' && (
        <Field label={words.addresses} hint={words.addressesHint}>
          <Textarea value={addresses} onChange={(event) => setAddresses(event.target.value)} />
        </Field>
      )}
      {whom === 'segment' && (
        <Field label={words.segment}>
          <Select value={segment} onChange={(event) => setSegment(event.target.value)}>
            <option value="">{words.choose}</option>
            {nameable.segments.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {enrol.error !== null && <Problem error={enrol.error} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button
          look="primary"
          disabled={!isReady}
          busy={enrol.isPending}
          onClick={() => enrol.mutate({ params: { id: drip.id }, body: bodies[whom] })}
        >
          {words.letIn}
        </Button>
      </Actions>
    </Dialog>
  );
}

function Outcome({ result, onClose }: { result: Entered; onClose(): void }) {
  const byReason = Map.groupBy(result.left_out, ({ reason }) => reason);
  return (
    <Dialog open onClose={onClose} title={words.enrolTitle}>
      <Notice tone={result.enrolled.length > 0 ? 'good' : 'warn'}>
        <p>{words.enteredCount(result.enrolled.length)}</p>
        {[...byReason].map(([reason, people]) => (
          <p key={reason}>
            {words.leftOut(people.length, words.refusals[reason as keyof typeof words.refusals] ?? reason)}
          </p>
        ))}
      </Notice>
      <Actions>
        <Button look="primary" onClick={onClose}>
          {shared.close}
        </Button>
      </Actions>
    </Dialog>
  );
}
