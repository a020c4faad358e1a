import { useRead, useWrite } from '../../api/query.ts';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { SavedCheckbox } from '../../ui/saved-checkbox.tsx';
import { tell, tellProblem } from '../../ui/toast.tsx';
import { words } from '../../words/email/domains.ts';
import { words as shared } from '../../words/shared.ts';

/** Whether opens and links are followed. */
export function TrackingCard({ mayEdit }: { mayEdit: boolean }) {
  const read = useRead('readEmailSettings', {});
  const save = useWrite('updateEmailSettings', { stale: ['readEmailSettings'], onDone: () => tell(shared.saved) });
  const change = (body: { open_tracking?: boolean; link_tracking?: boolean }) =>
    save.mutate({ body }, { onError: tellProblem });
  return (
    <Card title={words.tracking} lead={words.trackingLead}>
      <Loaded read={read}>
        {({ data }) => (
          <div className="flex flex-col gap-3">
            <SavedCheckbox
              label={words.opens}
              hint={words.opensHint}
              disabled={!mayEdit}
              saved={data.open_tracking}
              busy={save.isPending}
              save={(checked) => change({ open_tracking: checked })}
            />
            <SavedCheckbox
              label={words.links}
              hint={words.linksHint}
              disabled={!mayEdit}
              saved={data.link_tracking}
              busy={save.isPending}
              save={(checked) => change({ link_tracking: checked })}
            />
          </div>
        )}
      </Loaded>
    </Card>
  );
}
