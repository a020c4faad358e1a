import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { words } from '../../words/segments.ts';
import { words as shared } from '../../words/shared.ts';

/** Chooses what the people of a segment get, and goes to where it is sent. */
export function SendDialog({ segmentId, onClose }: { segmentId: string; onClose(): void }) {
  const [chosen, setChosen] = useState('');
  const go = useNavigate();
  const mailings = useRead('listCampaignMailings', {
    query: { pagination: 'false', order_by: 'updated_at', order: 'desc' },
  });
  const send = () =>
    void go({
      to: '/marketing/mailings/$mailingId/send',
      params: { mailingId: chosen },
      search: { segment: segmentId },
    });
  return (
    <Dialog open onClose={onClose} title={words.sendTitle} lead={words.sendLead}>
      <Loaded read={mailings}>
        {({ data }) =>
          data.length === 0 ? (
            <p>{words.noMailings}</p>
          ) : (
            <Field label={words.mailing}>
              <Select value={chosen} onChange={(event) => setChosen(event.target.value)}>
                <option value="">{words.choose}</option>
                {data.map(({ id, attributes }) => (
                  <option key={id} value={id}>
                    {attributes.subject}
                  </option>
                ))}
              </Select>
            </Field>
          )
        }
      </Loaded>
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button look="primary" disabled={chosen === ''} onClick={send}>
          {words.sendConfirm}
        </Button>
      </Actions>
    </Dialog>
  );
}
