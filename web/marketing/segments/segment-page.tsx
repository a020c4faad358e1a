import { useNavigate, useParams } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useAnew, useWrite } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { LoadedPage } from '../../ui/loaded-page.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/segments.ts';
import { ExplainCard } from './explain-card.tsx';
import { SegmentForm } from './segment-form.tsx';
import { UseCard } from './use-card.tsx';

type Segment = Reply<'readDynamicList'>['data'];

const BACK = { label: words.back, to: '/marketing/segments' };

/** One segment: its rule, what it can be used for, and why somebody is in it. */
export function SegmentPage() {
  const { id = '' } = useParams({ strict: false });
  const read = useAnew('readDynamicList', { params: { id } });
  return (
    <LoadedPage title={words.title} back={BACK} read={read}>
      {({ data }) => <Shown key={data.id} segment={data} />}
    </LoadedPage>
  );
}

function Shown({ segment: { id, attributes } }: { segment: Segment }) {
  const mayChange = useMay('editor');
  const [isLeaving, setLeaving] = useState(false);
  const update = useWrite('updateDynamicList', {
    stale: ['listDynamicLists', 'readDynamicList', 'explainDynamicList'],
    onDone: () => tell(words.saved),
  });
  const remove = (
    <Button look="danger" icon={Trash2} onClick={() => setLeaving(true)}>
      {words.remove}
    </Button>
  );
  return (
    <Page wide title={attributes.name} back={BACK} actions={mayChange && remove}>
      {mayChange ? (
        <>
          <UseCard id={id} />
          <SegmentForm
            place={`segment ${id}`}
            name={attributes.name}
            filters={attributes.filters}
            isSaving={update.isPending}
            problem={update.error}
            onSave={(body, onSaved) => update.mutate({ params: { id }, body }, { onSuccess: onSaved })}
          />
          <ExplainCard id={id} />
        </>
      ) : (
        <ReadOnly attributes={attributes} />
      )}
      {isLeaving && <RemoveDialog id={id} name={attributes.name} onClose={() => setLeaving(false)} />}
    </Page>
  );
}

function ReadOnly({ attributes }: Pick<Segment, 'attributes'>) {
  const { rule, subscriber_count: count, counted_at: countedAt } = attributes;
  return (
    <Card>
      <Facts
        facts={[
          [words.columns.rule, rule],
          [words.columns.people, count?.toLocaleString('en') ?? words.notCounted],
          [words.columns.counted, <When key="counted" at={countedAt} />],
        ]}
      />
    </Card>
  );
}

function RemoveDialog({ id, name, onClose }: { id: string; name: string; onClose(): void }) {
  const navigate = useNavigate();
  const remove = useWrite('deleteDynamicList', {
    stale: ['listDynamicLists'],
    onDone: () => {
      tell(words.removed);
      void navigate({ to: '/marketing/segments', ignoreBlocker: true });
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.removeTitle(name)} lead={words.removeLead}>
      {remove.error !== null && <Problem error={remove.error} />}
      <Actions>
        <Button onClick={onClose}>{words.keep}</Button>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate({ params: { id } })}>
          {words.removeConfirm}
        </Button>
      </Actions>
    </Dialog>
  );
}
