import { useState } from 'react';
import { useWrite } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Choice, Field, Input } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { tell } from '../../../ui/toast.tsx';
import { words } from '../../../words/drips/versions.ts';
import { words as shared } from '../../../words/shared.ts';
import { STALE } from '../actions/stale.ts';
import { useEditing } from '../editing.ts';

/** Gives a version to all newcomers or to a share of them, or ends its trial. */
export function PublishDialog({ version, onClose }: { version: number; onClose(): void }) {
  const { drip } = useEditing();
  const { live_version: live, trial_version: trial } = drip.attributes;
  const [who, setWho] = useState<'all' | 'some' | 'none'>('all');
  const [share, setShare] = useState('20');
  const value = who === 'all' ? 100 : who === 'none' ? 0 : Number(share);
  const isFit = who !== 'some' || (Number.isInteger(value) && value >= 1 && value <= 99);
  const publish = useWrite('publishDripCampaign', {
    stale: STALE,
    onDone: () => {
      tell(words.published(version));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.publishTitle(version)} lead={words.publishLead}>
      <Choice
        legend={words.who}
        value={who}
        onChange={setWho}
        options={[
          { value: 'all', label: words.shares.all },
          ...(version === live ? [] : [{ value: 'some' as const, label: words.shares.some }]),
          ...(version === trial ? [{ value: 'none' as const, label: words.shares.none }] : []),
        ]}
      />
      {who === 'some' && (
        <Field label={words.shareOf100} {...(isFit ? {} : { problem: words.shareRule })}>
          <Input type="number" min={1} max={99} value={share} onChange={(event) => setShare(event.target.value)} />
        </Field>
      )}
      {publish.error !== null && <Problem error={publish.error} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button
          look="primary"
          disabled={!isFit}
          busy={publish.isPending}
          onClick={() => publish.mutate({ params: { id: drip.id }, body: { version, share: value } })}
        >
          {words.publishNow}
        </Button>
      </Actions>
    </Dialog>
  );
}
