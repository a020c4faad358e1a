import { useNavigate, useParams } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call, type Reply } from '../../api/client.ts';
import { useAnew, useWrite } from '../../api/query.ts';
import { type Stored, useSaving } from '../../api/saving.ts';
import { useKeeping, useKeptDraft } from '../../session/kept-drafts.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { LoadedPage } from '../../ui/loaded-page.tsx';
import { OvertakenNotice } from '../../ui/overtaken-notice.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/segments.ts';
import { ExplainCard } from './explain-card.tsx';
import { filtersOf } from './rule.ts';
import { SegmentForm } from './segment-form.tsx';
import { UseCard } from './use-card.tsx';
import { type SegmentWish, segmentAsWritten, useWriting, type WrittenSegment } from './use-writing.ts';

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

function Shown({ segment }: { segment: Segment }) {
  const { id, attributes } = segment;
  const mayChange = useMay('editor');
  const [isLeaving, setLeaving] = useState(false);
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
          <Written segment={segment} />
          <ExplainCard id={id} />
        </>
      ) : (
        <ReadOnly attributes={attributes} />
      )}
      {isLeaving && <RemoveDialog id={id} name={attributes.name} onClose={() => setLeaving(false)} />}
    </Page>
  );
}

function Written({ segment }: { segment: Segment }) {
  const place = `segment ${segment.id}`;
  const params = { id: segment.id };
  // With what it was written over, so that what others saved meanwhile is told when it is saved.
  const kept = useKeptDraft(place) as { begun: Stored<WrittenSegment>; written: WrittenSegment } | undefined;
  const [begun] = useState(() => kept?.begun ?? storedOf(segment));
  const writing = useWriting(kept?.written ?? begun.draft, kept !== undefined);
  const { written, isDirty, open, settle } = writing;
  const { base, save, isSaving, problem, overtaken } = useSaving('updateDynamicList', {
    begun,
    read: async () => storedOf((await call('readDynamicList', { params })).data),
    input: (next, { updatedAt: if_updated_at }) => ({ params, body: { ...wishOf(next), if_updated_at } }),
    stored: ({ data: { attributes } }, saved) => ({ draft: saved, updatedAt: attributes.updated_at }),
    exchange(next) {
      open(next);
      return written;
    },
    isSame: (one, other) => JSON.stringify(wishOf(one)) === JSON.stringify(wishOf(other)),
    stale: ['listDynamicLists', 'readDynamicList', 'explainDynamicList'],
    onSaved() {
      settle();
      tell(words.saved);
    },
  });
  useKeeping(place, isDirty ? { begun: base, written } : null);
  const saveWhole = () => writing.wish !== null && save(written);
  return (
    <SegmentForm
      writing={writing}
      overtaken={<OvertakenNotice overtaken={overtaken} onSave={saveWhole} />}
      isSaving={isSaving}
      problem={problem}
      onSave={saveWhole}
    />
  );
}

function storedOf({ attributes: { name, filters, updated_at: updatedAt } }: Segment): Stored<WrittenSegment> {
  return { draft: segmentAsWritten(name, filters), updatedAt };
}

function wishOf({ name, mode, group, text }: WrittenSegment): SegmentWish {
  return mode === 'text' ? { name, rule: text } : { name, filters: filtersOf(group) ?? [] };
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
