import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../api/query.ts';
import { useKeeping, useKeptDraft } from '../../session/kept-drafts.ts';
import { Page } from '../../ui/page.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/segments.ts';
import { SegmentForm } from './segment-form.tsx';
import { segmentAsWritten, useWriting, type WrittenSegment } from './use-writing.ts';

/** Where what is not saved is kept, should the session end. */
const PLACE = 'segment new';

/** A segment that is not there yet. */
export function NewSegmentPage() {
  const navigate = useNavigate();
  const kept = useKeptDraft(PLACE) as WrittenSegment | undefined;
  const [begun] = useState(() => kept ?? segmentAsWritten('', null));
  const writing = useWriting(begun, kept !== undefined);
  const { wish, written, isDirty } = writing;
  useKeeping(PLACE, isDirty ? written : null);
  const create = useWrite('createDynamicList', {
    stale: ['listDynamicLists'],
    onDone: ({ data }) => {
      tell(words.created);
      return navigate({ to: `/marketing/segments/${data.id}`, ignoreBlocker: true });
    },
  });
  return (
    <Page wide title={words.newTitle} back={{ label: words.back, to: '/marketing/segments' }}>
      <SegmentForm
        writing={writing}
        isSaving={create.isPending}
        problem={create.error}
        onSave={() => wish !== null && create.mutate({ body: wish })}
      />
    </Page>
  );
}
