import { useQueryClient } from '@tanstack/react-query';
import { forget, useWrite } from '../../../api/query.ts';
import { isOvertaken } from '../../../api/saving.ts';
import { Notice } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { tell, tellProblem } from '../../../ui/toast.tsx';
import { words } from '../../../words/drips.ts';
import { useEditing } from '../editing.ts';
import { writeSteps } from '../model/wire-steps.ts';

/** Says that mailings were changed since the steps were saved, and makes a version with the new texts. */
export function OutdatedNotice() {
  const client = useQueryClient();
  const { drip, history, isDirty, takeOver } = useEditing();
  const renew = useWrite('updateDripCampaign', {
    stale: ['readDripCampaign', 'listDripCampaignVersions'],
    onFail(problem) {
      tellProblem(problem);
      if (isOvertaken(problem)) void forget(client, ['readDripCampaign']);
    },
    onDone: ({ data }) => {
      takeOver(data);
      tell(words.saved);
    },
  });
  const take = () => {
    const body = { drip_campaign: { steps: writeSteps(history.saved.steps) }, if_updated_at: history.updatedAt };
    renew.mutate({ params: { id: drip.id }, body });
  };
  return (
    <Notice tone="info">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>{words.outdated(drip.attributes.outdated_steps.length)}</p>
        <Button busy={renew.isPending} disabled={isDirty} onClick={take}>
          {words.takeNewTexts}
        </Button>
      </div>
    </Notice>
  );
}
