import { useRead, useWrite } from '../../api/query.ts';
import { Checkbox } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { tell, tellProblem } from '../../ui/toast.tsx';
import { words } from '../../words/email-domains.ts';
import { words as shared } from '../../words/shared.ts';

/** Whether opens and links are followed. */
export function TrackingCard({ mayEdit }: { mayEdit: boolean }) {
  const read = useRead('readEmailSettings', {});
  const save = useWrite('updateEmailSettings', { stale: ['readEmailSettings'], onDone: () => tell(shared.saved) });
  // What was just asked for is shown before the server has answered.
  const asked = save.isPending ? save.variables.body : undefined;
  const change = (body: { open_tracking?: boolean; link_tracking?: boolean }) =>
    save.mutate({ body }, { onError: tellProblem });
  return (
    <Card title={words.tracking} lead={words.trackingLead}>
      <Loaded read={read}>
        {({ data }) => (
          <div className="flex flex-col gap-3">
            <Checkbox
              label={words.opens}
              hint={words.opensHint}
              disabled={!mayEdit || save.isPending}
              checked={asked?.open_tracking ?? data.open_tracking}
              onChange={(event) => change({ open_tracking: event.target.checked })}
            />
            <Checkbox
              label={words.links}
              hint={words.linksHint}
              disabled={!mayEdit || save.isPending}
              checked={asked?.link_tracking ?? data.link_tracking}
              onChange={(event) => change({ link_tracking: event.target.checked })}
            />
          </div>
        )}
      </Loaded>
    </Card>
  );
}
