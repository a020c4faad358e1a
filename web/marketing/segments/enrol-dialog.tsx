import { useState } from 'react';
import { useRead, useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Loaded, Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/segments.ts';
import { words as shared } from '../../words/shared.ts';

/** Lets everybody of a segment enter a drip that is running. */
export function EnrolDialog({ segmentId, onClose }: { segmentId: string; onClose(): void }) {
  const [chosen, setChosen] = useState('');
  const drips = useRead('listDripCampaigns', { query: { order_by: 'name', order: 'asc' } });
  const enrol = useWrite('createDripEnrollments', {
    stale: ['listBulkJobs', 'listDripCampaigns'],
    onDone: () => {
      tell(words.enrolled);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.enrolTitle} lead={words.enrolLead}>
      <Loaded read={drips}>
        {({ data }) => {
          const running = data.filter(({ attributes }) => attributes.state === 'running');
          if (running.length === 0) return <p>{words.noDrips}</p>;
          return (
            <Field label={words.drip}>
              <Select value={chosen} onChange={(event) => setChosen(event.target.value)}>
                <option value="">{words.choose}</option>
                {running.map(({ id, attributes }) => (
                  <option key={id} value={id}>
                    {attributes.name}
                  </option>
                ))}
              </Select>
            </Field>
          );
        }}
      </Loaded>
      {enrol.error !== null && <Problem error={enrol.error} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button
          look="primary"
          disabled={chosen === ''}
          busy={enrol.isPending}
          onClick={() => enrol.mutate({ params: { id: chosen }, body: { dynamic_list_id: segmentId } })}
        >
          {words.enrolConfirm}
        </Button>
      </Actions>
    </Dialog>
  );
}
