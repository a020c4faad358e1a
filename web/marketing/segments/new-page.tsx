import { useNavigate } from '@tanstack/react-router';
import { useWrite } from '../../api/query.ts';
import { Page } from '../../ui/page.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/segments.ts';
import { SegmentForm } from './segment-form.tsx';

/** A segment that is not there yet. */
export function NewSegmentPage() {
  const navigate = useNavigate();
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
        place="segment new"
        name=""
        filters={null}
        isSaving={create.isPending}
        problem={create.error}
        onSave={(body) => create.mutate({ body })}
      />
    </Page>
  );
}
